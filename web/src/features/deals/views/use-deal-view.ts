import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { paths } from '../../../platform/paths.ts';
import { monthOfClock, viewOf, type DealView } from '../deals.queries.ts';
import { filtersFrom, type DealFilters } from './filters.ts';

/**
 * The current view. Month and search are in the address: a link or a reload restores them.
 * @param searchesAll whether a search includes all months
 */
export function useDealView(
  currentMonth: string,
  canChooseMonth: boolean,
  searchesAll: boolean,
  filters: DealFilters,
) {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const requested = viewOf(search, currentMonth, filters);
  const view: DealView = {
    ...requested,
    ...(!canChooseMonth && { month: currentMonth }),
    ...(!searchesAll && { inMonth: true }),
  };

  const show = (change: Partial<DealView>): void => {
    const next = { ...view, ...change };
    void navigate({
      to: paths.dataEntry,
      search: {
        ...(next.month === currentMonth ? {} : { month: next.month }),
        ...(next.search === '' ? {} : { search: next.search }),
      },
      replace: true,
    });
  };
  return { view, show };
}

/** Returns the month `by` months later: `2026-12` and 1 is `2027-01`. */
export function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/**
 * Applies the filters of a link from a figure (`rowsLink`): they replace the screen's filters and are removed from
 * the address, where they would stay in effect.
 */
export function useLinkedFilters(setFilters: (filters: DealFilters) => void): void {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { status, dealershipId, owner, ...rest } = search;
  const applyFilters = useEffectEvent((filters: DealFilters) => {
    setFilters(filters);
    void navigate({ to: paths.dataEntry, search: rest as Record<string, string>, replace: true });
  });
  const hasFilters = status !== undefined || dealershipId !== undefined || owner !== undefined;
  useEffect(() => {
    if (hasFilters) applyFilters(filtersFrom({ status, dealershipId, owner }));
  }, [hasFilters, status, dealershipId, owner]);
}

/**
 * Returns the month that is shown by default. A new month would remove the rows while a user works in them: it is
 * shown when the page becomes visible again or is reloaded.
 * @param currentMonth the server's month; undefined until it is loaded
 */
export function useShownMonth(currentMonth: string | undefined): string {
  const [shown, setShown] = useState(currentMonth);
  if (shown === undefined && currentMonth !== undefined) setShown(currentMonth);
  useEffect(() => {
    const onVisibilityChange = (): void => {
      const isTyping = document.querySelector('[role="dialog"], .grid-editor') !== null;
      if (document.hidden && !isTyping) setShown(currentMonth);
    };
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => document.removeEventListener('visibilitychange', onVisibilityChange);
  }, [currentMonth]);
  return shown ?? currentMonth ?? monthOfClock();
}
