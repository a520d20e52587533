import { isDeepStrictEqual } from 'node:util';
import {
  hasOptions,
  MAX_ALL_CUSTOM_FIELDS,
  MAX_CUSTOM_FIELDS,
  type CustomFieldType,
  type CustomKey,
} from '@forecourt/contract/custom-field-types';
import {
  builtInColumnNames,
  type CustomField,
  type CustomFieldInput,
  type CustomFieldOption,
  type CustomFieldUpdate,
} from '@forecourt/contract/custom-fields';
import { audit } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalid, invalidField, requireFound } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { EventBus } from '../../platform/live/event-bus.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { createInvalidatedCache } from '../../platform/live/invalidated-cache.ts';
import { lockOrder, reorder } from '../../platform/ordering.ts';
import { insertRecord, updateRecord } from '../../platform/records.queries.ts';
import { pick } from '../../platform/sharing/records.ts';
import { canSee } from './custom-fields.policy.ts';
import * as queries from './custom-fields.queries.ts';
import { checkedValue } from './custom-values.ts';

const entity = 'custom-field' as const;
type Definition = queries.CustomFieldDefinition;
export type CustomFieldDefinition = Definition;
export type VisibleFields = queries.VisibleFields;

export function createCustomFieldsService({ eventBus }: { eventBus: EventBus }) {
  const cache = createInvalidatedCache(eventBus, 'custom-fields', (db) => queries.listCustomFields(db));

  const allDefinitions = (db: Db | Tx): Promise<Definition[]> => cache.get(db, '');

  async function list({ db }: Pick<Context, 'db'>): Promise<{ items: CustomField[]; total: number }> {
    return wholeList((await queries.listCustomFields(db)).map(present));
  }

  const get = async ({ db }: Pick<Context, 'db'>, id: string): Promise<CustomField> =>
    present(find(await queries.listCustomFields(db), id));

  /** Invalidates the cached definitions and viewers of all instances: a viewer contains their visible fields. */
  async function changed(ctx: TxContext): Promise<void> {
    await cache.changed(ctx);
    ctx.afterCommit(() => eventBus.emit('custom-fields'));
  }

  return {
    list,
    get,

    /** Returns the active fields in display order. */
    definitions: async (db: Db | Tx): Promise<Definition[]> =>
      (await allDefinitions(db)).filter(({ active }) => active),

    /** Returns the fields that the viewer may see in the history, including retired ones. */
    definitionsInHistory: async (db: Db | Tx, viewer: Viewer): Promise<Definition[]> =>
      (await allDefinitions(db)).filter((field) => canSee(viewer, { ...field, active: true })),

    checkedValue,

    visibleIds: async (db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> => {
      const rows = await queries.listCustomFields(db);
      return new Set(rows.flatMap((row) => (ids.includes(row.id) && canSee(viewer, row) ? row.id : [])));
    },

    /** Whether a viewer who cannot see a field now could see it before a change. */
    wasVisible: (viewer: Viewer, { past: { before } }: HiddenChange): boolean =>
      canSee(viewer, before as CustomField),

    create: (ctx: Context, input: CustomFieldInput): Promise<CustomField> =>
      inTransaction(ctx, async (inner) => {
        const rows = await lock(inner);
        const { type } = input;
        rejectBuiltInName(input.name);
        const fields = checkedFields(input, []);
        checkLimits([...rows, fields]);
        const key: CustomKey = `custom${Math.max(0, ...rows.map(numberOf)) + 1}`;
        const position = (rows.at(-1)?.order ?? 0) + 1;
        const id = newId();
        await changed(inner);
        await insertRecord(inner.db, 'custom_fields', { id, key, type, position, ...columnsOf(fields) });
        const created = await get(inner, id);
        await audit(inner, 'custom-field.created', id, {
          version: created.version,
          after: { key, type, ...fields },
        });
        return created;
      }),

    /** Type, saved options and omitted properties stay. Throws CONFLICT with the field if `version` is outdated. */
    update: (ctx: Context, id: string, { version, ...input }: CustomFieldUpdate): Promise<CustomField> =>
      inTransaction(ctx, async (inner) => {
        const rows = await lock(inner);
        const row = find(rows, id);
        if (version !== undefined && version !== row.version) {
          throw new AppError('CONFLICT', { current: present(row) });
        }
        if (input.type !== row.type) throw invalidField('type', 'The type of a field cannot be changed');
        const before = fieldsOf(row);
        // An unchanged name is not checked: a field of an earlier release may have a built-in name.
        if (input.name !== row.name) rejectBuiltInName(input.name);
        // The assertion is safe: a JSON body has no property that is `undefined`.
        const after = checkedFields({ ...before, ...(input as CustomFieldInput) }, row.options);
        if (isDeepStrictEqual(before, after)) return present(row);
        if (after.active && !before.active) checkLimits([...rows.filter((one) => one !== row), after]);
        await changed(inner);
        await updateRecord(inner.db, 'custom_fields', id, columnsOf(after));
        const updated = await get(inner, id);
        await audit(inner, 'custom-field.updated', id, {
          version: updated.version,
          before: { key: row.key, ...before },
          after: { key: row.key, ...after },
        });
        return updated;
      }),

    /** Throws a 400 unless `ids` has every field once. */
    reorder: (ctx: Context, ids: string[]) =>
      inTransaction(ctx, async (inner) => {
        await changed(inner);
        await reorder(inner, entity, ids);
        return list(inner);
      }),
  };
}

export type CustomFieldsService = ReturnType<typeof createCustomFieldsService>;

async function lock({ db }: TxContext): Promise<Definition[]> {
  await lockOrder(db, entity);
  return queries.listCustomFields(db);
}

const find = (rows: readonly Definition[], id: string): Definition =>
  requireFound(rows.find((one) => one.id === id));

const numberOf = ({ key }: Definition): number => Number(key.slice('custom'.length));

/** Throws a 409 above a maximum. Retired fields are limited too, because their values are stored. */
function checkLimits(fields: readonly { active: boolean }[]): void {
  const refuse = (message: string) => new AppError('CONFLICT', { message });
  if (fields.length > MAX_ALL_CUSTOM_FIELDS) {
    throw refuse(
      `There are ${MAX_ALL_CUSTOM_FIELDS} fields already, including retired ones. Reinstate and rename one of those.`,
    );
  }
  if (fields.filter(({ active }) => active).length > MAX_CUSTOM_FIELDS) {
    throw refuse(`${MAX_CUSTOM_FIELDS} fields are in use already. Retire one first.`);
  }
}

const FIELDS = [
  'name',
  'help',
  'options',
  'isRequired',
  'defaultValue',
  'visibleTo',
  'editableBy',
  'active',
] as const;
type Fields = Pick<Definition, (typeof FIELDS)[number]>;

/** Throws a 400 for properties that are invalid for the type. */
function checkedFields(
  input: Omit<CustomFieldInput, 'version'>,
  saved: readonly CustomFieldOption[],
): Fields {
  const { type, name, help, isRequired, visibleTo, editableBy, active } = input;
  const options = checkedOptions(type, input.options, saved);
  if (isRequired && type === 'checkbox') {
    throw invalidField('isRequired', 'A checkbox cannot be required: not ticked is a valid value');
  }
  if (type === 'person' && input.defaultValue !== null) {
    throw invalidField('defaultValue', 'A person cannot be the default');
  }
  const checked = checkedValue({ type, options }, input.defaultValue, () => false);
  if ('message' in checked) throw invalidField('defaultValue', checked.message);
  return { name, help, options, isRequired, defaultValue: checked.value, visibleTo, editableBy, active };
}

/**
 * Returns the options to store: saved ones keep their ids, new ones get the next numbers. Throws a 400 if a saved one
 * is missing, because rows and history refer to it.
 */
function checkedOptions(
  type: CustomFieldType,
  options: CustomFieldInput['options'],
  saved: readonly CustomFieldOption[],
): CustomFieldOption[] {
  if (!hasOptions(type)) {
    if (options.length > 0) throw invalidField('options', 'Only a select or multi-select has options');
    return [];
  }
  if (options.length === 0 && saved.length === 0) throw invalidField('options', 'Add at least one option');
  const ids = options.flatMap(({ id }) => id ?? []);
  if (!saved.every(({ id }) => ids.includes(id))) {
    throw invalidField('options', 'A saved option cannot be removed. Deactivate it instead.');
  }
  if (ids.length > saved.length) throw invalidField('options', 'Must name each saved option once');
  const names = options.map(({ name }) => name.toLowerCase());
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (repeated !== -1) {
    throw invalid([
      { path: ['options', repeated, 'name'], message: 'There is already an option with this name' },
    ]);
  }
  // Options are never removed, so the count is the last number.
  let last = saved.length;
  return options.map(({ id, name, active }) => ({ id: id ?? `o${(last += 1)}`, name, active }));
}

/** Throws a 400 for a name that would be ambiguous in imports and exports. */
function rejectBuiltInName(name: string): void {
  if (builtInColumnNames.includes(name.toLowerCase())) {
    throw invalidField('name', 'A built-in column of deals has this name');
  }
}

const fieldsOf = (row: Definition): Fields => pick(row, FIELDS);

const columnsOf = (fields: Fields) => ({
  name: fields.name,
  help: fields.help,
  options: JSON.stringify(fields.options),
  is_required: fields.isRequired,
  default_value: fields.defaultValue === null ? null : JSON.stringify(fields.defaultValue),
  visible_to: fields.visibleTo,
  editable_by: fields.editableBy,
  active: fields.active,
});

const present = ({ id, ...row }: Definition): CustomField => ({ _id: id, ...row });
