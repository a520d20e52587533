import { dealTextLimits } from '@forecourt/contract/deal-limits';
import type { CellValue } from '../../../grid/grid.ts';
import { parseNumber, parsePhone } from '../../../grid/grid.ts';
import { instantOf, zonedTime } from '../../../platform/time-zone.ts';
import { texts as dayTexts } from '../../../texts/day-field.ts';
import { texts } from '../../../texts/deals.ts';
import { atMost } from '../../../ui/at-most.ts';
import { isDay } from '../../../ui/day-text.ts';
import type { FieldErrors } from '../../../ui/use-form.ts';
import { dealFields, sameValue, type DealField } from '../deal-fields.ts';
import { type DealRow, valueOf } from '../deal-row.ts';
import type { FieldChange } from '../sync/draft.ts';

/** A row as values of a form: every field is a text, as in its control. */
export type DealFormValues = Readonly<Record<DealField, string>>;

/** Unsaved values of the form of a row: plain data, stored as it is. */
export type FormDraft = {
  /** The id of the row, or `new`. */
  readonly key: string;
  /** The row as it was when its form was opened. */
  readonly opened: DealRow;
  readonly values: DealFormValues;
  /** The clock on which its times were typed. */
  readonly timeZone: string;
};

/** A value that the form of a new row starts with: that of its group. */
export type FormPreset = { readonly field: DealField; readonly value: CellValue };

/** An instant as its field has it: on a clock, without its zone. */
const localTime = (instant: string, timeZone: string): string =>
  zonedTime(new Date(instant), timeZone).slice(0, 16);

export function textOf(field: DealField, value: CellValue, timeZone: string): string {
  if (value === null) return '';
  return field === 'followUpAt' ? localTime(String(value), timeZone) : String(value);
}

/** @param timeZone whose clock times are on; '': the browser's */
export const formValues = (row: DealRow, timeZone = ''): DealFormValues =>
  Object.fromEntries(
    dealFields.map((field) => [field, textOf(field, valueOf(row, field), timeZone)]),
  ) as DealFormValues;

/** A text as the value of its field; `undefined` where it is none. */
function read(field: DealField, text: string, timeZone: string): CellValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (field === 'saleAmount' || field === 'costAmount') return parsed(parseNumber(trimmed));
  if (field === 'customerNumber') return parsed(parsePhone(trimmed));
  if (field === 'followUpAt') return instantOf(trimmed, timeZone)?.toISOString();
  return trimmed;
}

const parsed = (result: ReturnType<typeof parseNumber>): CellValue | undefined =>
  result.ok ? result.value : undefined;

/**
 * Returns the errors that the form can find: missing values of its fields, and the rules of cells
 * (docs/product/data-entry.md, Editing cells).
 */
export function formErrors(
  values: DealFormValues,
  has: (field: DealField) => boolean,
  timeZone = '',
): FieldErrors {
  const errors: Record<string, string> = { ...atMost<DealFormValues>(dealTextLimits)(values) };
  for (const field of ['saleAmount', 'costAmount', 'customerNumber'] as const) {
    const result = (field === 'customerNumber' ? parsePhone : parseNumber)(values[field].trim());
    if (values[field].trim() !== '' && !result.ok) errors[field] = result.message;
  }
  for (const [field, precision] of [
    ['deliveryDate', 'day'],
    ['followUpAt', 'minute'],
  ] as const)
    if (values[field] !== '' && !isDay(values[field])) errors[field] = dayTexts.invalid[precision];
  if (isDay(values.followUpAt) && instantOf(values.followUpAt, timeZone) === null)
    errors['followUpAt'] = dayTexts.skipped;
  if (has('customerName') && values.customerName.trim() === '')
    errors['customerName'] = texts.customerRequired;
  if (has('dealershipId') && values.dealershipId === '') errors['dealershipId'] = texts.dealershipRequired;
  return errors;
}

/**
 * The fields that the form changed, as changes of cells.
 * @param row as it was when the form was opened, without later changes of other users
 */
export const formChanges = (
  row: DealRow,
  initial: DealFormValues,
  values: DealFormValues,
  timeZone = '',
): FieldChange[] =>
  dealFields
    .filter((field) => values[field] !== initial[field])
    .map((field) => ({
      field,
      before: valueOf(row, field),
      after: read(field, values[field], timeZone) ?? null,
    }))
    .filter(({ before, after }) => !sameValue(before, after));
