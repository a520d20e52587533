import { useMemo, useSyncExternalStore } from 'react';
import type { GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

/** Key of the header where a record's key would stand. */
export const HEADER_KEY = '#header';

/** The ordered rows with the trailing ones after them, seen as one list without copying either. */
export interface RowSequence {
  readonly length: number;
  readonly trailingCount: number;
  readonly keyAt: (index: number) => string | undefined;
  /** -1 for the header, null for a key that is not shown. */
  readonly indexOf: (key: string) => number | null;
}

function rowSequence(order: readonly string[], trailing: readonly string[]): RowSequence {
  return {
    length: order.length + trailing.length,
    trailingCount: trailing.length,
    keyAt: (index) => order[index] ?? trailing[index - order.length],
    indexOf(key) {
      if (key === HEADER_KEY) return -1;
      const below = trailing.indexOf(key);
      const index = below < 0 ? order.indexOf(key) : order.length + below;
      return index < 0 ? null : index;
    },
  };
}

export function useRowSequence<R extends GridRecord>(
  store: RowStore<R>,
  trailing: readonly string[],
): RowSequence {
  const order = useSyncExternalStore(store.subscribeOrder, store.getOrder);
  return useMemo(() => rowSequence(order, trailing), [order, trailing]);
}
