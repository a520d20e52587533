import type { Arrangement, SavedView } from '@forecourt/contract/deal-views';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useFirstScreenStands } from '../../platform/coming-later.ts';
import { dealViewsQuery } from '../deal-views/deal-views.queries.ts';
import { arrangementOf, isSameArrangement, screenOf, type ScreenArrangement } from './deal-arrangement.ts';
import { noFilters } from './deal-filters.ts';
import type { DealOptions } from './deal-options.ts';
import type { DealSort } from './deal-order.ts';
import { initialColumns } from './initial-columns.ts';
import type { UsedArrangement } from './use-arrangement.ts';

type SavedViewsOptions = {
  userId: string;
  arrangement: UsedArrangement;
  columnIds: readonly string[];
  options: DealOptions | undefined;
  /** Puts the rows into the order of a view. */
  onSort: (sort: DealSort | null) => void;
};

const none: readonly SavedView[] = [];

/** The built-in view: every row, newest first, the columns as they first stand. */
const allDeals: ScreenArrangement = { filters: noFilters, sort: null, columns: initialColumns };

/** The saved views, which of them is used, and whether the screen is still as it was saved. */
export function useSavedViews({ userId, arrangement, columnIds, options, onSort }: SavedViewsOptions) {
  const { data } = useQuery({ ...dealViewsQuery, enabled: useFirstScreenStands() });
  const views = data?.items ?? none;
  const view = views.find(({ _id }) => _id === arrangement.viewId) ?? null;
  const known = { columnIds, statuses: options?.statuses ?? [] };
  const current: Arrangement = arrangementOf(arrangement, known);
  const isReady = data !== undefined && options !== undefined;
  const changed = isReady && !isSameArrangement(current, view ?? arrangementOf(allDeals, known), known);

  const use = (chosen: SavedView | null): void => {
    const screen = chosen ? screenOf(chosen, known) : allDeals;
    arrangement.show(chosen?._id ?? null, screen);
    onSort(screen.sort);
  };

  const isSettled = useRef(false);
  const settle = useEffectEvent((differs: boolean) => {
    const isFirst = !isSettled.current;
    isSettled.current = true;
    // Who had a view as it was saved gets it as it is saved now, also when its owner has changed it since.
    if (isFirst && view && differs && !arrangement.wasChanged) return use(view);
    // What came before the names of the statuses were there could not be ordered by them.
    if (isFirst && arrangement.sort) onSort(arrangement.sort);
    arrangement.setChanged(differs);
  });
  useEffect(() => {
    if (isReady) settle(changed);
  }, [isReady, changed]);

  return {
    userId,
    views,
    view,
    changed,
    /** What is on the screen, as a view would keep it. */
    current,
    use,
    /** What is on the screen is a view now, or none. */
    adopt: arrangement.setView,
  };
}

export type UsedView = ReturnType<typeof useSavedViews>;
