import type { Arrangement, SavedView } from '@forecourt/contract/deal-views';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useFirstScreenReady } from '../../../platform/first-screen.ts';
import { dealViewsQuery } from '../../deal-views/deal-views.queries.ts';
import type { DealOptions } from '../deal-fields.ts';
import type { DealSort } from '../store/sort.ts';
import {
  arrangementOf,
  initialColumns,
  isSameArrangement,
  screenOf,
  type ScreenArrangement,
} from './arrangement.ts';
import { noFilters } from './filters.ts';
import type { UsedArrangement } from './use-arrangement.ts';

type SavedViewsOptions = {
  userId: string;
  arrangement: UsedArrangement;
  columnIds: readonly string[];
  options: DealOptions | undefined;
  /** Sorts the rows by a view. */
  onSort: (sort: DealSort | null) => void;
};

const none: readonly SavedView[] = [];

/** The built-in view: every row, newest first, the columns in their default order. */
const allDeals: ScreenArrangement = { filters: noFilters, sort: null, columns: initialColumns };

/** The saved views, the active one, and whether the screen differs from it. */
export function useSavedViews({ userId, arrangement, columnIds, options, onSort }: SavedViewsOptions) {
  const { data } = useQuery({ ...dealViewsQuery, enabled: useFirstScreenReady() });
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
    // A screen without own changes is updated to the current version of its view, also after a change by its owner.
    if (isFirst && view && differs && !arrangement.wasChanged) return use(view);
    // A view applied before the statuses were loaded could not be sorted by them.
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
    /** Returns the current arrangement as a view. */
    current,
    use,
    /** Sets which view the current arrangement belongs to; null: none. */
    adopt: arrangement.setView,
  };
}

export type UsedView = ReturnType<typeof useSavedViews>;
