import { soughtDigits } from '@forecourt/contract/phone';
import type { GridColumn, GridRecord } from './columns.ts';
import { displayText } from './format.ts';

export type CellFinder = <R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  timeZone: string,
) => boolean;

/**
 * Whether a cell shows what is looked for, in capitals or not. Digits find a phone number however it is spaced.
 * Null when nothing is looked for.
 */
export function cellFinder(looked: string): CellFinder | null {
  const wanted = looked.trim().toLowerCase();
  if (wanted === '') return null;
  const digits = /^[\d\s()+-]+$/.test(wanted) ? soughtDigits(wanted) : '';
  const hasDigit = /\d/.test(wanted);
  return (column, record, timeZone) => {
    const value = column.get(record);
    if (value === null || value === '') return false;
    // Formatting a number or a date costs most, and without a digit none of them can be meant.
    const isFigure = typeof value === 'number' || column.type === 'date' || column.type === 'datetime';
    if (isFigure && !hasDigit) return false;
    if (displayText(column, record, timeZone).toLowerCase().includes(wanted)) return true;
    return column.type === 'phone' && digits !== '' && String(value).replaceAll(/\D/g, '').includes(digits);
  };
}

/**
 * The next place in reading order, round the end and back to where it began.
 *
 * @param from -1 to begin before the first
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
