import type { GridColumn, GridRecord } from './columns.ts';
import { nextMatch, type CellFinder } from './find-cell.ts';
import type { GridGroups, RowSequence } from './row-sequence.ts';
import type { RowStore } from './row-store.ts';
import type { ActiveCell } from './use-active-cell.ts';

export interface FindOptions<R extends GridRecord> {
  readonly store: RowStore<R>;
  readonly sequence: RowSequence;
  /** The visible columns from left to right. */
  readonly columns: readonly GridColumn<R>[];
  readonly timeZone: string;
  readonly finder: CellFinder | null;
  readonly active: ActiveCell;
  readonly groups: GridGroups | null;
}

/** Moves from the active cell to the next match, also in a collapsed group; returns whether there is one. */
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
    const known = records.indexOf(first ?? key);
    const at = known < 0 && row >= 0 ? row + hidden : known;
    // From a head the search begins at the first cell of its group.
    const from = at < 0 ? -1 : at * columns.length + (first === undefined ? column : -1);
    const matches = (cell: number) => {
      const record = store.get(keyOf(Math.floor(cell / columns.length)) ?? '');
      const target = columns[cell % columns.length];
      return record !== undefined && target !== undefined && finder(target, record, timeZone);
    };
    const count = records.length + sequence.trailingCount;
    const found = nextMatch(from, count * columns.length, backwards, matches);
    if (found === null) return false;
    const foundKey = keyOf(Math.floor(found / columns.length)) ?? '';
    groups?.reveal(foundKey);
    active.activate({ key: foundKey, columnId: columns[found % columns.length]?.id ?? '' });
    return true;
  };
}
