import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '../../platform/paths.ts';
import type { DealFilters } from './deal-filters.ts';
import { viewOf, type DealView } from './deals.queries.ts';

/**
 * What is in view. Month and search are kept in the address: a link or a reload brings the same rows back.
 * @param searchesAll whether a search looks in all months
 */
export function useDealView(
  currentMonth: string,
  mayChooseMonth: boolean,
  searchesAll: boolean,
  filters: DealFilters,
) {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const asked = viewOf(search, currentMonth, filters);
  const view: DealView = {
    ...asked,
    ...(!mayChooseMonth && { month: currentMonth }),
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

/** The month `by` months later: `2026-12` and 1 is `2027-01`. */
export function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}
