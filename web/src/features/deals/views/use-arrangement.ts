import type { DealStatus } from '@forecourt/contract/deals';
import { useEffect, useState, useEffectEvent, useRef } from 'react';
import { useStoredColumnState } from '../../../grid/grid.ts';
import type { DealSort } from '../store/sort.ts';
import type { ScreenArrangement } from './arrangement.ts';
import { initialColumns } from './arrangement.ts';
import type { DealFilters } from './filters.ts';
import { storeArrangement, readArrangement } from './stored-arrangement.ts';

/** Filters, order and columns of the screen, stored for the user on this computer. */
export function useArrangement(userId: string) {
  const [columns, setColumns] = useStoredColumnState(`data-entry-columns:${userId}`, initialColumns);
  const [stored, setStored] = useState(() => readArrangement(userId));
  useEffect(() => storeArrangement(userId, stored), [userId, stored]);
  const { viewId, changed, filters, sort } = stored;

  return {
    filters,
    sort,
    columns,
    /** The active saved view; null: all deals. */
    viewId,
    /** Whether a difference from its view was recorded, here or before a reload. */
    wasChanged: changed,
    setColumns,
    setFilters: (change: Partial<DealFilters>): void =>
      setStored((old) => ({ ...old, filters: { ...old.filters, ...change } })),
    setSort: (next: DealSort | null): void => setStored((old) => ({ ...old, sort: next })),
    setChanged: (now: boolean): void =>
      setStored((old) => (old.changed === now ? old : { ...old, changed: now })),
    /** Keeps the current arrangement under another view, or as all deals. */
    setView: (id: string | null): void => setStored((old) => ({ ...old, viewId: id })),
    /** Applies a view. */
    show(id: string | null, screen: ScreenArrangement): void {
      setColumns(() => screen.columns);
      setStored({ viewId: id, changed: false, filters: screen.filters, sort: screen.sort });
    },
  };
}

export type UsedArrangement = ReturnType<typeof useArrangement>;

/** Calls `onRenamed` with old and new names when known statuses are renamed. */
export function useRenamedStatuses(
  statuses: readonly DealStatus[],
  onRenamed: (names: ReadonlyMap<string, string>) => void,
): void {
  const known = useRef(statuses);
  const notify = useEffectEvent(onRenamed);
  useEffect(() => {
    const before = new Map(known.current.map(({ _id, name }) => [_id, name]));
    known.current = statuses;
    const names = new Map(
      statuses.flatMap(({ _id, name }): [string, string][] => {
        const old = before.get(_id);
        return old === undefined || old === name ? [] : [[old, name]];
      }),
    );
    if (names.size > 0) notify(names);
  }, [statuses]);
}
