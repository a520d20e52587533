import type { Deal } from '@forecourt/contract/deals';
import { parseText, type CellValue, type Clock, type GridColumn, type Refusal } from '../../grid/grid.ts';
import { formatBusinessDate, formatDateTime, formatMoney } from '../../platform/formats.ts';
import { texts } from '../../texts/deals.ts';
import { sameValue, savedValue, type DealField } from './deal-fields.ts';
import type { DealRow } from './deal-row.ts';

/** A value in a sentence, as its cell shows it. */
export function wordsOf(
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

/** What its cell says of it: with the keys of the decision, where there is one. */
export function holdNote(
  column: GridColumn<DealRow>,
  row: DealRow,
  field: DealField,
  timeZone: string,
): string | null {
  const reason = holdReason(column, row, field, timeZone);
  return reason !== null && row.draft?.typed[field]?.hold?.kind === 'conflict'
    ? texts.decide(reason)
    : reason;
}

/** Why what was typed into a cell waits for its person (product section 4, Two editors); null when it does not. */
export function holdReason(
  column: GridColumn<DealRow>,
  { deal, draft }: DealRow,
  field: DealField,
  timeZone: string,
): string | null {
  const hold = draft?.typed[field]?.hold;
  if (hold === undefined) return null;
  if (hold.kind === 'refused') return hold.message;
  return deal && texts.conflict(hold.by, column.header, wordsOf(column, savedValue(deal, field), timeZone));
}

/** What a cell has below a text that was not saved, where others have changed it since that was typed; else nothing. */
export function madeMeanwhile(
  column: GridColumn<DealRow>,
  deal: Deal | null,
  field: DealField,
  { before }: Refusal,
  timeZone: string,
): string {
  const theirs = savedValue(deal, field);
  if (deal === null || before === undefined || sameValue(theirs, before)) return '';
  return texts.holdsNow(wordsOf(column, theirs, timeZone));
}

/** By which a text like 'tomorrow' is read. */
export const clockOf = (timeZone: string): Clock => ({ now: new Date(), timeZone });

/** Whether a text that was not saved is a value of its cell, so that it can be. */
export const canBeRead = (column: GridColumn<DealRow>, text: string, timeZone: string): boolean =>
  parseText(column, text, clockOf(timeZone)).ok;
