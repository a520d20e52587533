import { isDeepStrictEqual } from 'node:util';
import {
  customTextLimits,
  MAX_CUSTOM_LENGTH,
  type CustomKey,
  type CustomValue,
  type CustomValues,
} from '@forecourt/contract/custom-field-types';
import type { CustomFieldChanges } from '@forecourt/contract/custom-fields';
import type { Issue } from '@forecourt/contract/validate';
import type { Context } from '../../../platform/http/context.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import type { CustomChanges } from '../deals.fields.ts';
import { canEditCustom, canSee } from '../deals.policy.ts';
import { listActiveUsers } from '../deals.queries.ts';

type CustomFields = Pick<CustomFieldsService, 'definitions' | 'checkedValue'>;

/** The values to set, and the issues of invalid ones. */
type ReadValues = { values: CustomChanges; issues: Issue[] };

/**
 * Returns a function that validates values of custom fields against the definitions and the viewer's rights
 * (docs/product/custom-fields.md). `stored` are the values of the row; undefined for a new row, which also gets
 * defaults and needs the required values that the viewer may set.
 */
export async function customValuesReader(
  ctx: Context,
  customFields: CustomFields,
): Promise<(changes: CustomFieldChanges | undefined, stored?: CustomValues) => ReadValues> {
  const { viewer } = ctx;
  const definitions = await customFields.definitions(ctx.db);
  const people = new Set(
    definitions.some(({ type }) => type === 'person')
      ? (await listActiveUsers(ctx.db)).map(({ id }) => id)
      : [],
  );
  const byKey = new Map(definitions.map((field) => [field.key, field]));

  return (input = {}, stored) => {
    const values: CustomChanges = {};
    const issues: Issue[] = [];
    const refuse = (key: string, message: string) => issues.push({ path: ['custom', key], message });
    for (const [name, value] of Object.entries(input)) {
      const key = name as CustomKey;
      const field = byKey.get(key);
      const storedValue = stored?.[key] ?? null;
      if (!field || !canSee(viewer, key)) {
        refuse(key, 'There is no such field, or you may not see it');
        continue;
      }
      const read = customFields.checkedValue(field, value, (id) => people.has(id), storedValue);
      if ('message' in read) refuse(key, read.message);
      else if (stored && isDeepStrictEqual(read.value, storedValue)) continue;
      else if (!canEditCustom(viewer, field)) refuse(key, `Only administrators may change ${field.name}`);
      else if (read.value === null && field.isRequired) refuse(key, `${field.name} is required`);
      else values[key] = read.value;
    }
    // Hidden values do not count, because the limit would reveal their length.
    const visibleLength = (all: CustomChanges): number =>
      lengthOf(Object.fromEntries(Object.entries(all).filter(([key]) => canSee(viewer, key as CustomKey))));
    const checkLength = (): void => {
      const length = visibleLength({ ...stored, ...values });
      // Short values skip this check; a row that becomes too long can still be shortened.
      if (length <= MAX_CUSTOM_LENGTH || length <= visibleLength(stored ?? {})) return;
      const most = MAX_CUSTOM_LENGTH.toLocaleString('en-AU');
      for (const key of Object.keys(values))
        refuse(key, `The custom fields of a row have at most ${most} characters together`);
    };
    if (stored) {
      checkLength();
      return { values, issues };
    }
    for (const field of definitions) {
      const { key, name, isRequired, defaultValue } = field;
      if (Object.hasOwn(input, key)) continue;
      if (defaultValue !== null) values[key] = defaultValue as CustomValue;
      else if (isRequired && canEditCustom(viewer, field)) refuse(key, `${name} is required`);
    }
    checkLength();
    return { values, issues };
  };
}

/** Returns the only value of the request if it needs no row: it is not empty, a user or a long text. */
export async function simpleCustomValue(
  { db, viewer }: Context,
  customFields: CustomFields,
  input: CustomFieldChanges,
): Promise<CustomChanges | undefined> {
  const [[name, value] = [], ...others] = Object.entries(input);
  const field = (await customFields.definitions(db)).find(({ key }) => key === name);
  if (!field || others.length > 0 || !canEditCustom(viewer, field)) return undefined;
  // Without users, so that a value of that type is validated with the row.
  const read = customFields.checkedValue(field, value, () => false);
  if ('message' in read || read.value === null) return undefined;
  const isShort = lengthOf({ [field.key]: read.value }) <= customTextLimits.text;
  return isShort ? { [field.key]: read.value } : undefined;
}

const lengthOf = (values: CustomChanges): number =>
  Object.values(values).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || Array.isArray(value) ? value.toString().length : 0),
    0,
  );

export const withoutEmpty = (values: CustomChanges): CustomValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as CustomValues;
