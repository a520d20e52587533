import type { GridColumn, GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

export interface BlockSums {
  /** Number of cells that are not empty. */
  readonly count: number;
  /** Number of cells with a number. */
  readonly numbers: number;
  readonly sum: number;
  readonly isMoney: boolean;
}

/** Cells have numbers with at most four decimals. */
const UNIT = 10_000;

/** Counts and adds the selected cells; exact up to four decimals. */
export function blockSums<R extends GridRecord>(
  store: Pick<RowStore<R>, 'get'>,
  keys: readonly string[],
  columns: readonly GridColumn<R>[],
): BlockSums {
  let [count, numbers, money, whole, parts] = [0, 0, 0, 0, 0];
  for (const column of columns) {
    const isMoney = column.type === 'currency';
    for (const key of keys) {
      const record = store.get(key);
      const value = record ? column.get(record) : null;
      if (value === null || value === '') continue;
      count += 1;
      if (typeof value !== 'number') continue;
      numbers += 1;
      if (isMoney) money += 1;
      // Whole units are added separately, because a large sum has no precision left for decimals.
      whole += Math.trunc(value);
      parts += Math.round((value - Math.trunc(value)) * UNIT);
    }
  }
  return { count, numbers, sum: (whole * UNIT + parts) / UNIT, isMoney: money > 0 && money === numbers };
}
