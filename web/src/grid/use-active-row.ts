import { useEffect } from 'react';
import type { GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

/** Marks the row of the active cell in the store, for `runWhenInactive`. */
export function useActiveRow<R extends GridRecord>(store: RowStore<R>, key: string | undefined): void {
  useEffect(() => (key === undefined ? undefined : store.markActive(key)), [store, key]);
}
