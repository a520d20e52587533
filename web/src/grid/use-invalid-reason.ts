import { useCallback, useSyncExternalStore } from 'react';
import type { CellAddress, GridColumn, GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

/** Why what the active cell holds was not accepted, followed as its record changes; null when nothing is wrong. */
export function useInvalidReason<R extends GridRecord>(
  store: RowStore<R>,
  columns: readonly GridColumn<R>[],
  cell: CellAddress | null,
): string | null {
  const key = cell?.key ?? '';
  const subscribe = useCallback((listener: () => void) => store.subscribeRow(key, listener), [store, key]);
  return useSyncExternalStore(subscribe, () => {
    const record = store.get(key);
    const column = columns.find(({ id }) => id === cell?.columnId);
    return (record && column?.invalidReason?.(record)) ?? null;
  });
}
