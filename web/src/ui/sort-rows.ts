import { textOrder } from '../platform/text-order.ts';

export type SortValue = string | number | null;
export type Sort = { columnId: string; descending: boolean };

/** Returns a sorted copy. The sort is stable; null is last in both directions. */
export function sortRows<R>(rows: readonly R[], value: (row: R) => SortValue, descending: boolean): R[] {
  const direction = descending ? -1 : 1;
  const compare = textOrder();
  return rows
    .map((row) => ({ row, key: value(row) }))
    .sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      if (typeof a.key === 'number' && typeof b.key === 'number') return (a.key - b.key) * direction;
      return compare(String(a.key), String(b.key)) * direction;
    })
    .map(({ row }) => row);
}

/** Returns the next sort after a click on a header: ascending, descending, then the original order. */
export function nextSort(current: Sort | null, columnId: string): Sort | null {
  if (current?.columnId !== columnId) return { columnId, descending: false };
  return current.descending ? null : { columnId, descending: true };
}
