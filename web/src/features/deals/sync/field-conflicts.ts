import type { Deal } from '@forecourt/contract/deals';
import {
  parseText,
  sameValue,
  type CellValue,
  type Clock,
  type GridColumn,
  type Refusal,
} from '../../../grid/grid.ts';
import { formatBusinessDate, formatDateTime, formatMoney } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deals.ts';
import { savedValue, type DealField } from '../deal-fields.ts';
import type { DealRow, UnsentReason } from '../deal-row.ts';

/** Formats a value for a sentence, like its cell. */
export function formatValue(
  { type, options, toText }: GridColumn<DealRow>,
  value: CellValue,
  timeZone: string,
): string {
  if (value === null || value === '') return '';
  if (toText) return toText(value);
  if (typeof value === 'number') return formatMoney(value);
  if (type === 'date') return formatBusinessDate(value);
  if (type === 'datetime') return formatDateTime(value, timeZone);
  return options?.find((option) => option.value === value)?.label ?? value;
}

const holdOf = ({ draft }: DealRow, field: DealField): UnsentReason | undefined => draft?.typed[field]?.hold;

/** Returns the note of a cell with an unsent value, with the keys for a decision. */
export function describeUnsentInCell(
  column: GridColumn<DealRow>,
  row: DealRow,
  field: DealField,
  timeZone: string,
): string | null {
  const reason = describeUnsent(column, row, field, timeZone);
  return reason !== null && holdOf(row, field)?.kind === 'conflict' ? reason + texts.decideKeys : reason;
}

/** Returns why a typed value is not sent, or null (docs/product/data-entry.md, Two people change one row). */
export function describeUnsent(
  column: GridColumn<DealRow>,
  row: DealRow,
  field: DealField,
  timeZone: string,
): string | null {
  const hold = holdOf(row, field);
  if (hold === undefined) return null;
  if (hold.kind === 'refused') return hold.message;
  const { deal } = row;
  return (
    deal && texts.conflict(hold.by, column.header, formatValue(column, savedValue(deal, field), timeZone))
  );
}

/** Returns a note for an unsaved text if the saved value has changed since; otherwise an empty text. */
export function describeNewerValue(
  column: GridColumn<DealRow>,
  deal: Deal | null,
  field: DealField,
  { before }: Refusal,
  timeZone: string,
): string {
  const newerValue = savedValue(deal, field);
  if (deal === null || before === undefined || sameValue(newerValue, before)) return '';
  return texts.holdsNow(formatValue(column, newerValue, timeZone));
}

/** Returns the clock for relative dates such as 'tomorrow'. */
export const createClock = (timeZone: string): Clock => ({ now: new Date(), timeZone });

export const canParse = (column: GridColumn<DealRow>, text: string, timeZone: string): boolean =>
  parseText(column, text, createClock(timeZone)).ok;
