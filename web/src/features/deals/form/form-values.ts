import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import {
  dealTextLimits,
  editedFields,
  fieldOf,
  typeOf,
  type EditedField,
  type FieldType,
} from '@forecourt/contract/deal-fields';
import {
  editText,
  parseNumber,
  parsePhone,
  parseText,
  sameValue,
  type CellValue,
  type GridColumn,
} from '../../../grid/grid.ts';
import { instantOf, zonedTime } from '../../../platform/time-zone.ts';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts as dayTexts } from '../../../texts/day-field.ts';
import { texts } from '../../../texts/deals.ts';
import { atMost } from '../../../ui/at-most.ts';
import { isDay } from '../../../ui/day-text.ts';
import type { FieldErrors } from '../../../ui/use-form.ts';
import type { DealField } from '../deal-fields.ts';
import { type DealRow, valueOf } from '../deal-row.ts';
import type { DealFormValues } from '../open-parts.ts';
import type { FieldChange } from '../sync/draft.ts';
import { createClock } from '../sync/field-conflicts.ts';

/** A custom field of the form, and its column with the rules for its values. */
export type CustomControl = { readonly field: VisibleCustomField; readonly column: GridColumn<DealRow> };

/** Formats an instant as a local time without its zone. */
const localTime = (instant: string, timeZone: string): string =>
  zonedTime(new Date(instant), timeZone).slice(0, 16);

export function textOf(field: DealField, value: CellValue, timeZone: string): string {
  if (value === null) return '';
  return typeOf(field, []) === 'time' ? localTime(String(value), timeZone) : String(value);
}

/** Types whose control has the cell's text instead of its value. */
const typedTypes: ReadonlySet<string> = new Set([
  'text',
  'longText',
  'number',
  'currency',
  'percent',
  'link',
]);

function customText({ field: { key, type }, column }: CustomControl, row: DealRow): string {
  const value = valueOf(row, key);
  return typedTypes.has(type) ? editText(column, value, '') : String(value ?? '');
}

/** Parses the text of a custom field. */
function readCustom({ field: { type }, column }: CustomControl, text: string): ReturnType<typeof parseText> {
  if (typedTypes.has(type)) return parseText(column, text, createClock(''));
  if (type === 'date' && text !== '' && !isDay(text)) return { ok: false, message: dayTexts.invalid.day };
  return { ok: true, value: text === '' ? null : text };
}

/** @param timeZone zone of times; '' is the browser's */
export const formValues = (
  row: DealRow,
  timeZone = '',
  custom: readonly CustomControl[] = [],
): DealFormValues => ({
  ...(Object.fromEntries(
    editedFields.map((field) => [field, textOf(field, valueOf(row, field), timeZone)]),
  ) as Record<EditedField, string>),
  ...Object.fromEntries(custom.map((control) => [control.field.key, customText(control, row)])),
});

/** Parsers by type of field; without one the text is the value. */
const PARSERS: { readonly [type in FieldType]?: typeof parseNumber } = {
  currency: parseNumber,
  phone: parsePhone,
};

/** Parses the text of a field; undefined if it is invalid. */
function read(field: EditedField, text: string, timeZone: string): CellValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const { type } = fieldOf(field);
  if (type === 'time') return instantOf(trimmed, timeZone)?.toISOString();
  const result = PARSERS[type]?.(trimmed);
  if (result) return result.ok ? result.value : undefined;
  return trimmed;
}

function customErrors(values: DealFormValues, custom: readonly CustomControl[]): FieldErrors {
  const errors: Record<string, string> = {};
  for (const control of custom) {
    const { key, name, isRequired, editable, defaultValue } = control.field;
    const text = values[key] ?? '';
    const read = readCustom(control, text);
    if (!editable) continue;
    if (!read.ok) errors[key] = read.message;
    else if (isRequired && defaultValue === null && text.trim() === '')
      errors[key] = customTexts.required(name);
  }
  return errors;
}

/** Returns the errors that the form can detect (docs/product/data-entry.md, Editing cells). */
export function formErrors(
  values: DealFormValues,
  has: (field: DealField) => boolean,
  timeZone = '',
  custom: readonly CustomControl[] = [],
): FieldErrors {
  const errors: Record<string, string> = {
    ...atMost<DealFormValues>(dealTextLimits)(values),
    ...customErrors(values, custom),
  };
  for (const field of editedFields) {
    const { type } = fieldOf(field);
    const text = values[field].trim();
    const result = text === '' ? undefined : PARSERS[type]?.(text);
    if (result && !result.ok) errors[field] = result.message;
    if ((type !== 'date' && type !== 'time') || text === '') continue;
    if (!isDay(values[field])) errors[field] = dayTexts.invalid[type === 'date' ? 'day' : 'minute'];
    else if (type === 'time' && instantOf(values[field], timeZone) === null) errors[field] = dayTexts.skipped;
  }
  if (has('customerName') && values.customerName.trim() === '')
    errors['customerName'] = texts.customerRequired;
  if (has('dealershipId') && values.dealershipId === '') errors['dealershipId'] = texts.dealershipRequired;
  return errors;
}

/**
 * Returns the changed fields as changes of cells.
 * @param row state of the row when the form was opened
 */
export const formChanges = (
  row: DealRow,
  initial: DealFormValues,
  values: DealFormValues,
  timeZone = '',
  custom: readonly CustomControl[] = [],
): FieldChange[] =>
  [
    ...editedFields
      .filter((field) => values[field] !== initial[field])
      .map((field): FieldChange => ({
        field,
        before: valueOf(row, field),
        after: read(field, values[field], timeZone) ?? null,
      })),
    ...custom.flatMap((control): FieldChange[] => {
      const { key, editable } = control.field;
      const text = values[key] ?? '';
      const after = readCustom(control, text);
      if (!editable || !after.ok || text === (initial[key] ?? '')) return [];
      return [{ field: key, before: valueOf(row, key), after: after.value }];
    }),
  ].filter(({ before, after }) => !sameValue(before, after));
