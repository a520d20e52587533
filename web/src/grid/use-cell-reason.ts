import { useCallback, useSyncExternalStore } from 'react';
import type { CellAddress, GridColumn, GridRecord } from './columns.ts';
import type { RowStore } from './row-store.ts';

type ReasonOf = <R extends GridRecord>(column: GridColumn<R>, record: R) => string | null | undefined;

export const invalidReason: ReasonOf = (column, record) =>
  column.refusal?.(record)?.message ?? column.invalidReason?.(record);

/** Returns null for computed columns, although they cannot be changed. */
export const blockedReason: ReasonOf = (column, record) =>
  column.readOnly ? null : column.blockedReason?.(record);

/** Returns the reason for a cell, null if there is none. Renders again when the record changes. */
export function useCellReason<R extends GridRecord>(
  store: RowStore<R>,
  columns: readonly GridColumn<R>[],
  cell: CellAddress | null,
  reasonOf: ReasonOf,
): string | null {
  const key = cell?.key ?? '';
  const subscribe = useCallback((listener: () => void) => store.subscribeRow(key, listener), [store, key]);
  return useSyncExternalStore(subscribe, () => {
    const record = store.get(key);
    const column = columns.find(({ id }) => id === cell?.columnId);
    return (record && column && reasonOf(column, record)) ?? null;
  });
}
