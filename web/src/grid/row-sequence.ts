import { useMemo, useSyncExternalStore } from 'react';
import type { GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

/** Key of the header, in place of a record's key. */
export const HEADER_KEY = '#header';

/** The ordered rows followed by the trailing ones, as one list without copying either. */
export interface RowSequence {
  readonly length: number;
  readonly trailingCount: number;
  readonly keyAt: (index: number) => string | undefined;
  /** Returns -1 for the header, null for a key that is not shown. */
  readonly indexOf: (key: string) => number | null;
  /** Returns the keys of these rows, both ends included. */
  readonly keysBetween: (from: number, to: number) => string[];
}

function rowSequence(order: readonly string[], trailing: readonly string[]): RowSequence {
  // The same few keys are looked up at every scroll step: those of the active cell and of a block's corners.
  const found = new Map<string, number>();
  const keyAt = (index: number) => order[index] ?? trailing[index - order.length];
  return {
    length: order.length + trailing.length,
    trailingCount: trailing.length,
    keyAt,
    keysBetween(from, to) {
      const keys = Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => keyAt(from + step));
      return keys.filter((key) => key !== undefined);
    },
    indexOf(key) {
      if (key === HEADER_KEY) return -1;
      const known = found.get(key);
      if (known !== undefined) return known;
      const below = trailing.indexOf(key);
      const index = below < 0 ? order.indexOf(key) : order.length + below;
      if (index < 0) return null;
      found.set(key, index);
      return index;
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
