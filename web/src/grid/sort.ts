import { textOrder } from '../platform/text-order.ts';
import type { GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

export interface SortState {
  readonly columnId: string;
  /** `other` is an order that is neither, for example with one status at the top. */
  readonly direction: 'ascending' | 'descending' | 'other';
}

export interface SortKey<R> {
  /** Returns a number, a text or null (last in both directions). Return times as numbers: they compare ten times faster. */
  readonly extract: (record: R) => number | string | null;
  readonly descending?: boolean;
}

/**
 * Sorts keys by one or more sort keys and returns a new order for `RowStore.setOrder`; the sort is stable. Each value is
 * extracted once, and texts are replaced by their ranks, so that the rows are compared by numbers.
 */
export function sortedOrder<R extends GridRecord>(
  store: RowStore<R>,
  keys: readonly string[],
  sortKeys: readonly SortKey<R>[],
): string[] {
  const records = store.recordsOf(keys);
  const columns = sortKeys.map((sortKey) => sortNumbers(records, sortKey));
  const positions = keys.map((_, position) => position);
  positions.sort((a, b) => {
    for (const numbers of columns) {
      const difference = (numbers[a] ?? 0) - (numbers[b] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return positions.map((position) => keys[position] ?? '');
}

/**
 * Returns the sort after a click on a column's header: ascending, descending, then null, the default sort
 * (docs/product/data-entry.md, Sorting).
 */
export function nextSort(current: SortState | null, columnId: string): SortState | null {
  if (current?.columnId !== columnId) return { columnId, direction: 'ascending' };
  return current.direction === 'ascending' ? { columnId, direction: 'descending' } : null;
}

/** Returns a number for each record, in the order of the values. */
function sortNumbers<R extends GridRecord>(
  records: readonly (R | undefined)[],
  { extract, descending = false }: SortKey<R>,
): number[] {
  const values = records.map((record) => (record === undefined ? null : extract(record)));
  const sign = descending ? -1 : 1;
  const ranks = values.some((value) => typeof value === 'string') ? ranksOf(values) : null;
  return values.map((value) => {
    // Last in both directions. The difference of two infinite numbers is not a number.
    if (value === null) return Number.MAX_VALUE;
    return sign * (typeof value === 'number' && !ranks ? value : (ranks?.get(value) ?? 0));
  });
}

type Value = number | string;

/** Returns the place of each value among the different ones. Values that compare as equal have the same place. */
function ranksOf(values: readonly (Value | null)[]): ReadonlyMap<Value, number> {
  const compare = textOrder();
  const difference = (a: Value, b: Value) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
  const different = [...new Set(values)].filter((value) => value !== null);
  // First by character codes, which is fast and leaves most texts in their final order: of names and phone numbers a
  // fifteenth of the collator's comparisons remains.
  different.sort((a, b) => Number(a > b) - Number(a < b)).sort(difference);
  const ranks = new Map<Value, number>();
  let rank = 0;
  for (const [at, value] of different.entries()) {
    const before = different[at - 1];
    if (before !== undefined && difference(before, value) !== 0) rank += 1;
    ranks.set(value, rank);
  }
  return ranks;
}
