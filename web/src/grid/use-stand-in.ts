import { useEffect } from 'react';
import type { GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

/** Tells the store which row the active cell is in, for what waits until it is left. */
export function useStandIn<R extends GridRecord>(store: RowStore<R>, key: string | undefined): void {
  useEffect(() => (key === undefined ? undefined : store.standIn(key)), [store, key]);
}
