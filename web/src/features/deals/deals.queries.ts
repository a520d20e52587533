import type { Answer } from '@forecourt/contract/api';
import type { Deal, DealPatch, NewDeal } from '@forecourt/contract/deals';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { queryClient } from '../../platform/query-client.ts';
import { currentSession } from '../../platform/session.ts';

const dealsKey = ['deals'] as const;

/** Which rows are in view: those of a month, or those that a search finds in all months that may be searched. */
export type DealView = { readonly month: string; readonly search: string };

export type DealOptions = Answer<'GET /deals/options'>;

/** Rows of the first answer, and of each one after it. */
const FIRST_PAGE = '100';
const NEXT_PAGE = '500';

const filterOf = ({ month, search }: DealView) => (search === '' ? { month } : { search });

/** Statuses, dealerships and the company's month. */
export const dealOptionsQuery = queryOptions({
  queryKey: [...dealsKey, 'options'],
  queryFn: ({ signal }) => call('GET /deals/options', { signal }),
  staleTime: 5 * 60_000,
});

/** The rows that fill the screen. */
export const firstRowsQuery = (view: DealView) =>
  queryOptions({
    queryKey: [...dealsKey, 'first', filterOf(view)],
    queryFn: () => call('GET /deals', { query: { ...filterOf(view), limit: FIRST_PAGE } }),
    // Only to share a call that is under way: the rows themselves live in the grid's store.
    staleTime: 2000,
    gcTime: 10_000,
  });

export const nextRows = (view: DealView, cursor: string, signal: AbortSignal) =>
  call('GET /deals', {
    query: { ...filterOf(view), cursor, limit: NEXT_PAGE },
    signal,
    background: true,
  });

export const summaryKey = [...dealsKey, 'summary'] as const;

/** Count and sums of what is in view. */
export const summaryQuery = (view: DealView) =>
  queryOptions({
    queryKey: [...summaryKey, filterOf(view)],
    queryFn: ({ signal }) => call('GET /deals/summary', { query: filterOf(view), signal }),
  });

/** One row as it is now, asked for because somebody changed it. */
export const freshDeal = (id: string): Promise<Deal> =>
  call('GET /deals/:id', { params: { id }, background: true });

export const createDeal = (body: NewDeal, idempotencyKey: string): Promise<Deal> =>
  call('POST /deals', { body, idempotencyKey });

export const changeDeal = (id: string, body: DealPatch, idempotencyKey: string): Promise<Deal> =>
  call('PATCH /deals/:id', { params: { id }, body, idempotencyKey });

export const deleteDeal = (id: string) => call('DELETE /deals/:id', { params: { id } });

/** This month on the viewer's own clock: right for the company's but for some hours at its end. */
export const monthOfClock = (): string => {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
};

/** What the address says is in view. */
export const viewOf = (search: Readonly<Record<string, string | undefined>>, fallback: string): DealView => ({
  month: /^\d{4}-\d\d$/.test(search['month'] ?? '') ? search['month']! : fallback,
  search: search['search'] ?? '',
});

/** Asks for the first rows while the screen's script is still coming. */
export function prefetchDataEntry(): void {
  if (!currentSession().authenticated) return;
  const search = Object.fromEntries(new URLSearchParams(window.location.search));
  void queryClient.prefetchQuery(dealOptionsQuery);
  void queryClient.prefetchQuery(firstRowsQuery(viewOf(search, monthOfClock())));
}
