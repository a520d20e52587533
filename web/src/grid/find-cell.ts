import { normaliseText } from '@forecourt/contract/characters';
import { searchDigits } from '@forecourt/contract/phone';
import type { GridColumn, GridRecord } from './columns.ts';
import { displayText } from './format.ts';

export type CellFinder = <R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  timeZone: string,
) => boolean;

/**
 * Returns a predicate for cells whose text contains the search text, ignoring case. Digits match a phone number in any
 * spacing. Null for an empty search text.
 */
export function cellFinder(searchText: string): CellFinder | null {
  const wanted = normaliseText(searchText).trim().toLowerCase();
  if (wanted === '') return null;
  const digits = /^[\d\s()+-]+$/.test(wanted) ? searchDigits(wanted) : '';
  const hasDigit = /\d/.test(wanted);
  return (column, record, timeZone) => {
    const value = column.get(record);
    if (value === null || value === '') return false;
    // Formatting numbers and dates is the most expensive part, and only a text with a digit can match them.
    const isFigure = typeof value === 'number' || column.type === 'date' || column.type === 'datetime';
    if (isFigure && !hasDigit) return false;
    if (displayText(column, record, timeZone).toLowerCase().includes(wanted)) return true;
    return column.type === 'phone' && digits !== '' && String(value).replaceAll(/\D/g, '').includes(digits);
  };
}

/**
 * Returns the next match in reading order, wrapping around to the start; null for none.
 *
 * @param from -1 to start before the first
 */
export function nextMatch(
  from: number,
  count: number,
  backwards: boolean,
  matches: (at: number) => boolean,
): number | null {
  const step = backwards ? -1 : 1;
  for (let tried = 0, at = from; tried < count; tried++) {
    at = backwards && at <= 0 ? count - 1 : (at + step) % count;
    if (matches(at)) return at;
  }
  return null;
}
