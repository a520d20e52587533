import type { GridColumn, GridRecord } from './columns.ts';
import { nextMatch, type CellFinder } from './find-cell.ts';
import type { RowSequence } from './row-sequence.ts';
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
}

/** Moves from the active cell to the next match; returns whether there is one. */
export function useFind<R extends GridRecord>(options: FindOptions<R>): (backwards: boolean) => boolean {
  const { store, sequence, columns, timeZone, finder, active } = options;

  return (backwards) => {
    if (!finder || columns.length === 0) return false;
    const { row, column } = active.position ?? active.lost ?? { row: -1, column: 0 };
    const from = row < 0 ? -1 : row * columns.length + column;
    const matches = (at: number) => {
      const key = sequence.keyAt(Math.floor(at / columns.length));
      const record = key === undefined ? undefined : store.get(key);
      const target = columns[at % columns.length];
      return record !== undefined && target !== undefined && finder(target, record, timeZone);
    };
    const found = nextMatch(from, sequence.length * columns.length, backwards, matches);
    if (found === null) return false;
    active.moveTo({ row: Math.floor(found / columns.length), column: found % columns.length });
    return true;
  };
}
