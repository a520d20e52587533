import { useEffect, useState } from 'react';
import { useStoredColumnState } from '../../grid/grid.ts';
import type { ScreenArrangement } from './deal-arrangement.ts';
import type { DealFilters } from './deal-filters.ts';
import type { DealSort } from './deal-order.ts';
import { initialColumns } from './initial-columns.ts';
import { keepArrangement, keptArrangement } from './kept-arrangement.ts';

/** Filters, order and columns of the screen, as this person last had them on this computer. */
export function useArrangement(userId: string) {
  const [columns, setColumns] = useStoredColumnState(`data-entry-columns:${userId}`, initialColumns);
  const [kept, setKept] = useState(() => keptArrangement(userId));
  useEffect(() => keepArrangement(userId, kept), [userId, kept]);
  const { viewId, changed, filters, sort } = kept;

  return {
    filters,
    sort,
    columns,
    /** The saved view that is used; null: all deals. */
    viewId,
    /** Whether it was told, here or before a reload, that this differs from its view. */
    wasChanged: changed,
    setColumns,
    setFilters: (change: Partial<DealFilters>): void =>
      setKept((old) => ({ ...old, filters: { ...old.filters, ...change } })),
    setSort: (next: DealSort | null): void => setKept((old) => ({ ...old, sort: next })),
    setChanged: (now: boolean): void =>
      setKept((old) => (old.changed === now ? old : { ...old, changed: now })),
    /** Goes on under another view, or as all deals, with what is on the screen. */
    setView: (id: string | null): void => setKept((old) => ({ ...old, viewId: id })),
    /** Shows a view. */
    show(id: string | null, screen: ScreenArrangement): void {
      setColumns(() => screen.columns);
      setKept({ viewId: id, changed: false, filters: screen.filters, sort: screen.sort });
    },
  };
}

export type UsedArrangement = ReturnType<typeof useArrangement>;
