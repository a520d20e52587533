import { conditionsOf, type ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { createFilterMatcher, type FilterFacts } from '@forecourt/contract/deal-filter-match';
import { useEffect } from 'react';
import { useStore } from '../../../platform/external-store.ts';
import { zonedTime } from '../../../platform/time-zone.ts';
import type { DealOptions } from '../deal-fields.ts';
import { freshDeal, useTimeZone } from '../deals.queries.ts';
import type { Deals } from '../use-deals.ts';

export type FilterMatcherOptions = {
  userId: string;
  filter: ColumnFilter | null;
  options: DealOptions | undefined;
  deals: Pick<Deals, 'draftSync' | 'table' | 'loading' | 'matcher'>;
};

/** At most this number of rows with unsaved changes are loaded one by one. */
const MAX_ADDED = 100;

/**
 * Evaluates the filter in the browser: for rows that somebody else changed, which appear if they meet it, and for the
 * rows of a month that is loaded. Must be used below `useDeals`, whose effects run later and need the new matcher.
 */
export function useFilterMatcher({ userId, filter, options, deals }: FilterMatcherOptions): void {
  const { draftSync, table, loading, matcher } = deals;
  const timeZone = useTimeZone();
  const isLoaded = useStore(loading.state).state === 'ready';

  useEffect(() => {
    matcher.set(null);
    if (filter === null || options === undefined) return;
    const ids = new Map(options.statuses.map(({ name, _id }) => [name, _id]));
    const closed = new Set(options.statuses.flatMap(({ _id, isClosed }) => (isClosed ? [_id] : [])));
    const dayOf = (instant: string): string => zonedTime(new Date(instant), timeZone).slice(0, 10);
    const facts: FilterFacts = {
      today: dayOf(new Date().toISOString()),
      get now() {
        return new Date().toISOString();
      },
      dayOf,
      viewerId: userId,
      statusIdOf: (name = '') => ids.get(name),
      isClosedStatus: (id = '') => closed.has(id),
      isUnsaved: (id) => draftSync.draftOf(table.keyOf(id)) !== undefined,
    };
    matcher.set({ filter, meets: createFilterMatcher(filter, facts) });
  }, [userId, filter, options, timeZone, draftSync, table, matcher]);

  // The server has no unsaved changes: their rows are added to those that it returned.
  useEffect(() => {
    if (filter === null || !isLoaded || !conditionsOf(filter).some(({ field }) => field === 'isUnsaved'))
      return undefined;
    let isCurrent = true;
    const addUnsaved = async (): Promise<void> => {
      if (matcher.get() === null) return;
      const ids = draftSync
        .drafts()
        .flatMap(({ dealId }) => dealId ?? [])
        .slice(0, MAX_ADDED);
      const found = await Promise.all(ids.map((id) => freshDeal(id).catch(() => null)));
      if (isCurrent) table.refresh(found.filter((deal) => deal !== null));
    };
    const stop = matcher.subscribe(() => void addUnsaved());
    void addUnsaved();
    return () => {
      isCurrent = false;
      stop();
    };
  }, [filter, isLoaded, draftSync, table, matcher]);
}
