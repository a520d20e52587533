import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { GroupField } from '@forecourt/contract/deal-groups';
import type { Arrangement, SavedView } from '@forecourt/contract/deal-views';
import type { DealStatus } from '@forecourt/contract/deals';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useEffectEvent, useRef } from 'react';
import { useStoredColumnState } from '../../../grid/grid.ts';
import { useFirstScreenReady } from '../../../platform/first-screen.ts';
import { dealViewsQuery } from '../../deal-views/deal-views.queries.ts';
import type { DealOptions } from '../deal-fields.ts';
import { type DealSort, filterText, firstFilter, type StoredArrangement } from '../deal-view.ts';
import {
  arrangementOf,
  initialColumns,
  isSameArrangement,
  screenOf,
  type ScreenArrangement,
} from './arrangement.ts';
import type { offeredFilter } from './filter.ts';
import { storeArrangement, readArrangement } from './stored-arrangement.ts';

const MAX_COLLAPSED = 500;

/** Filter, order, groups and columns of the screen, stored per user in this browser. */
export function useArrangement(userId: string) {
  const [columns, setColumns] = useStoredColumnState(`data-entry-columns:${userId}`, initialColumns);
  const [stored, setStored] = useState(() => readArrangement(userId));
  useEffect(() => storeArrangement(userId, stored), [userId, stored]);
  const put = (change: Partial<StoredArrangement>): void => setStored((old) => ({ ...old, ...change }));

  return {
    ...stored,
    columns,
    setColumns,
    setCompact: (isCompact: boolean): void => put({ isCompact }),
    setFilter: (filter: ColumnFilter | null): void => put({ filter }),
    /** Applies the filter or groups of a link, which the active view must not replace. */
    setLinked: (linked: Partial<Pick<StoredArrangement, 'filter' | 'group'>>): void =>
      setStored((old) => {
        const next = { ...old, ...linked };
        const isSame = filterText(next.filter) === filterText(old.filter) && next.group === old.group;
        return isSame ? old : { ...next, changed: true };
      }),
    setSort: (sort: DealSort | null): void => put({ sort }),
    setGroup: (group: GroupField | null): void => put({ group }),
    /** Limited, because groups of former days accumulate. */
    setCollapsed: (keys: readonly string[]): void => put({ collapsed: keys.slice(-MAX_COLLAPSED) }),
    setChanged: (now: boolean): void =>
      setStored((old) => (old.changed === now ? old : { ...old, changed: now })),
    /** Assigns the current arrangement to another view, or to none. */
    setView: (viewId: string | null): void => put({ viewId }),
    show(viewId: string | null, { columns, ...screen }: ScreenArrangement): void {
      setColumns(() => columns);
      put({ ...screen, viewId, changed: false });
    },
  };
}

type UsedArrangement = ReturnType<typeof useArrangement>;

/** Returns a filter without parts that are hidden from the user. */
export type OfferFilter = typeof offeredFilter;

/**
 * The filter of the screen without hidden parts. Until the script that decides this is loaded, the filter of the URL or
 * the last one is used unchanged.
 * @param linked the filter in the URL
 */
export function useShownFilter(
  last: ColumnFilter | null,
  linked: string | undefined,
  options: DealOptions | undefined,
) {
  const [offer, setOffer] = useState<OfferFilter | null>(null);
  const first = useMemo(() => firstFilter(linked, last), [linked, last]);
  const [isKnown] = useState(first !== undefined);
  const filter = useMemo(
    () => (offer === null ? (first ?? null) : offer(last, options)),
    [offer, first, last, options],
  );
  return {
    filter,
    /** Null until loaded. */
    offer,
    setOffer,
    /** Whether rows can be loaded before the filter is validated: it is known to need no change. */
    isUsable: isKnown && first !== undefined,
  };
}

type SavedViewsOptions = {
  arrangement: UsedArrangement;
  columnIds: readonly string[];
  options: DealOptions | undefined;
  /** Null until loaded. */
  offer: OfferFilter | null;
  onSort: (sort: DealSort | null) => void;
};

const none: readonly SavedView[] = [];

/** The built-in view: every row, newest first, without groups, with the default columns. */
const allDeals: ScreenArrangement = { filter: null, sort: null, group: null, columns: initialColumns };

/** The saved views, the active one, and whether the screen differs from it. */
export function useSavedViews({ arrangement, columnIds, options, offer, onSort }: SavedViewsOptions) {
  const { data } = useQuery({ ...dealViewsQuery, enabled: useFirstScreenReady() });
  const views = data?.items ?? none;
  const view = views.find(({ _id }) => _id === arrangement.viewId) ?? null;
  const references = {
    columnIds,
    statuses: options?.statuses ?? [],
    offered: (filter: ColumnFilter | null) => offer?.(filter, options) ?? null,
  };
  const current: Arrangement = arrangementOf(arrangement, references);
  const isReady = data !== undefined && options !== undefined && offer !== null;
  const changed =
    isReady && !isSameArrangement(current, view ?? arrangementOf(allDeals, references), references);

  const use = (chosen: SavedView | null): void => {
    const screen = chosen ? screenOf(chosen, references) : allDeals;
    arrangement.show(chosen?._id ?? null, screen);
    onSort(screen.sort);
  };

  const isSettled = useRef(false);
  const settle = useEffectEvent((differs: boolean) => {
    const isFirst = !isSettled.current;
    isSettled.current = true;
    // A screen without changes adopts the current version of its view, also after a change by its owner.
    if (isFirst && view && differs && !arrangement.changed) return use(view);
    // A view that was applied before the statuses were loaded is not sorted by them yet.
    if (isFirst && arrangement.sort) onSort(arrangement.sort);
    arrangement.setChanged(differs);
  });
  useEffect(() => {
    if (isReady) settle(changed);
  }, [isReady, changed]);

  return {
    views,
    view,
    changed,
    current,
    use,
    /** Sets the view of the current arrangement; null for none. */
    adopt: arrangement.setView,
  };
}

export type UsedView = ReturnType<typeof useSavedViews>;

/** Calls `onRenamed` with old and new names after statuses were renamed. */
export function useRenamedStatuses(
  statuses: readonly DealStatus[],
  onRenamed: (names: ReadonlyMap<string, string>) => void,
): void {
  const namesById = useRef(statuses);
  const notify = useEffectEvent(onRenamed);
  useEffect(() => {
    const before = new Map(namesById.current.map(({ _id, name }) => [_id, name]));
    namesById.current = statuses;
    const names = new Map(
      statuses.flatMap(({ _id, name }): [string, string][] => {
        const old = before.get(_id);
        return old === undefined || old === name ? [] : [[old, name]];
      }),
    );
    if (names.size > 0) notify(names);
  }, [statuses]);
}
