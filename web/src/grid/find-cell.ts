import { normaliseText } from '@forecourt/contract/characters';
import { searchDigits } from '@forecourt/contract/phone';
import type { GridColumn, GridRecord } from './columns.ts';
import { displayText } from './format.ts';
import type { GridGroups, RowSequence } from './row-sequence.ts';
import type { RowStore } from './row-store.ts';
import type { ActiveCell } from './use-active-cell.ts';

export type CellFinder = <R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  timeZone: string,
) => boolean;

/**
 * Returns a predicate for cells whose text contains the search text, ignoring case. Digits match a phone number in any
 * spacing. Returns null for an empty search text.
 */
export function cellFinder(searchText: string): CellFinder | null {
  const lowerSearch = normaliseText(searchText).trim().toLowerCase();
  if (lowerSearch === '') return null;
  const digits = /^[\d\s()+-]+$/.test(lowerSearch) ? searchDigits(lowerSearch) : '';
  const hasDigit = /\d/.test(lowerSearch);
  return (column, record, timeZone) => {
    const value = column.get(record);
    if (value === null || value === '') return false;
    // Formatting numbers and dates costs most, and only a search text with a digit can match them.
    const isFigure = typeof value === 'number' || column.type === 'date' || column.type === 'datetime';
    if (isFigure && !hasDigit) return false;
    if (displayText(column, record, timeZone).toLowerCase().includes(lowerSearch)) return true;
    return column.type === 'phone' && digits !== '' && String(value).replaceAll(/\D/g, '').includes(digits);
  };
}

/**
 * Returns the next match in reading order, wrapping around to the start; null if there is none.
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

interface FindOptions<R extends GridRecord> {
  readonly store: RowStore<R>;
  readonly sequence: RowSequence;
  /** The visible columns from left to right. */
  readonly columns: readonly GridColumn<R>[];
  readonly timeZone: string;
  readonly finder: CellFinder | null;
  readonly active: ActiveCell;
  readonly groups: GridGroups | null;
}

/** Moves from the active cell to the next match, even in a collapsed group. Returns whether there is one. */
export function useFind<R extends GridRecord>(options: FindOptions<R>): (backwards: boolean) => boolean {
  const { store, sequence, columns, timeZone, finder, active, groups } = options;

  return (backwards) => {
    if (!finder || columns.length === 0) return false;
    const records = sequence.getRecords();
    const hidden = records.length - (sequence.length - sequence.trailingCount);
    const keyOf = (at: number) => records[at] ?? sequence.keyAt(at - hidden);
    const { row, column } = active.position ?? active.lost ?? { row: -1, column: 0 };
    const key = active.cell?.key ?? '';
    const first = groups?.group(key)?.rows[0];
    const rowIndex = records.indexOf(first ?? key);
    const at = rowIndex < 0 && row >= 0 ? row + hidden : rowIndex;
    // From the head of a group the search begins at its first cell.
    const from = at < 0 ? -1 : at * columns.length + (first === undefined ? column : -1);
    const matches = (cell: number) => {
      const record = store.get(keyOf(Math.floor(cell / columns.length)) ?? '');
      const target = columns[cell % columns.length];
      return record !== undefined && target !== undefined && finder(target, record, timeZone);
    };
    const count = records.length + sequence.trailingCount;
    const cellIndex = nextMatch(from, count * columns.length, backwards, matches);
    if (cellIndex === null) return false;
    const foundKey = keyOf(Math.floor(cellIndex / columns.length)) ?? '';
    groups?.reveal(foundKey);
    active.activate({ key: foundKey, columnId: columns[cellIndex % columns.length]?.id ?? '' });
    return true;
  };
}
