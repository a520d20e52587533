import type { GridColumn, GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

/** Totals of the selected cells, for a status bar. */
export interface BlockSums {
  /** Non-empty cells. */
  readonly count: number;
  /** Cells with a number. */
  readonly numbers: number;
  readonly sum: number;
  /** Whether all of these numbers are money. */
  readonly isMoney: boolean;
}

/** Counts and adds up, exact to the cent: every number of a grid has at most two decimals. */
export function blockSums<R extends GridRecord>(
  store: Pick<RowStore<R>, 'get'>,
  keys: readonly string[],
  columns: readonly GridColumn<R>[],
): BlockSums {
  let [count, numbers, money, hundredths] = [0, 0, 0, 0];
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
      hundredths += Math.round(value * 100);
    }
  }
  return { count, numbers, sum: hundredths / 100, isMoney: money > 0 && money === numbers };
}
