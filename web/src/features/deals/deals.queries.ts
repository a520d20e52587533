import type { Answer, Sent } from '@forecourt/contract/api';
import type { Deal, DealPatch } from '@forecourt/contract/deals';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { useFirstScreenStands } from '../../platform/coming-later.ts';
import { useMay } from '../../platform/permissions.ts';
import { queryClient } from '../../platform/query-client.ts';
import { zoneForClock } from '../../platform/time-zone.ts';
import { askedBy, type DealFilters } from './deal-filters.ts';

const dealsKey = ['deals'] as const;

/**
 * Which rows are in view: those of a month, or those that a search finds, in all months where they may be searched, as
 * far as they pass the filters.
 */
export type DealView = DealFilters & {
  readonly month: string;
  readonly search: string;
  /** A search looks in the month alone: all months may not be searched. */
  readonly inMonth?: boolean;
};

/** Whether rows of all months are in view. */
export const isOverMonths = ({ search, inMonth = false }: DealView): boolean => search !== '' && !inMonth;

const filterOf = (view: DealView) => ({
  ...(isOverMonths(view) ? {} : { month: view.month }),
  ...(view.search === '' ? {} : { search: view.search }),
  ...askedBy(view),
});

export const dealOptionsKey = [...dealsKey, 'options'] as const;

/** Statuses, dealerships and the company's month. */
export const dealOptionsQuery = queryOptions({
  queryKey: dealOptionsKey,
  queryFn: ({ signal }) => call('GET /deals/options', { signal }),
  staleTime: 5 * 60_000,
});

/**
 * The zone whose clock the business is on, as the grid takes it (product section 3). Until the first screen stands it is
 * taken to be the browser's, as it nearly always is.
 */
export function useTimeZone(): string {
  const { data: options } = useQuery({ ...dealOptionsQuery, enabled: useMay().page('dataEntry') });
  const stands = useFirstScreenStands();
  return options && stands ? zoneForClock(options.timeZone) : '';
}

/** How the server puts rows in order; newest first where nothing is said. */
export type ServerOrder = Pick<Sent<'GET /deals', 'query'>, 'sort' | 'order' | 'firstStatus'>;

/** Some rows of a view, how many it has, and where those behind them begin; null: there are none. */
export type DealPage = {
  readonly deals: readonly Deal[];
  readonly total: number;
  /** There are more than `total`. */
  readonly isCapped: boolean;
  readonly nextCursor: string | null;
};

/** Some rows, from a cursor on; null: from the first one. */
export type RowRange = { readonly cursor: string | null; readonly limit: number };

/** Rows that fill the screen. */
export const FIRST_PAGE = 100;

/** Rows travel as values below the names of their fields, which are said once. */
function pageOf({
  columns = [],
  rows = [],
  total,
  totalIsCapped,
  nextCursor,
}: Answer<'GET /deals'>): DealPage {
  const deals = rows.map((values) => {
    const deal: Record<string, unknown> = {};
    // Thousands at once while somebody types: by `entries()` they take three times as long.
    for (let at = 0; at < columns.length; at += 1) deal[columns[at]!] = values[at];
    return deal as Deal;
  });
  return { deals, total, isCapped: totalIsCapped, nextCursor };
}

/** Rows of a view. Those that nobody waits for yet come in the background. */
export const rowsOf = async (
  view: DealView,
  order: ServerOrder,
  { cursor, limit }: RowRange,
  signal?: AbortSignal,
): Promise<DealPage> =>
  pageOf(
    await call('GET /deals', {
      query: {
        ...filterOf(view),
        ...order,
        shape: 'rows',
        ...(cursor !== null && { cursor }),
        limit: String(limit),
      },
      background: limit > FIRST_PAGE,
      ...(signal && { signal }),
    }),
  );

/** Only to share a call that is under way, in milliseconds: the rows themselves live in the grid's store. */
const SHARED_MS = 2000;

/** The rows that fill the screen. */
export const firstRowsQuery = (view: DealView) =>
  queryOptions({
    queryKey: [...dealsKey, 'first', filterOf(view)],
    queryFn: () => rowsOf(view, {}, { cursor: null, limit: FIRST_PAGE }),
    staleTime: SHARED_MS,
    gcTime: 10_000,
  });

/** The rows that fill the screen, if they came a moment ago. */
export function presentFirstRows(view: DealView): DealPage | undefined {
  const { queryKey } = firstRowsQuery(view);
  const query = queryClient.getQueryCache().find<DealPage>({ queryKey });
  return query?.isStaleByTime(SHARED_MS) ? undefined : query?.state.data;
}

export const summaryKey = [...dealsKey, 'summary'] as const;

/**
 * Count and sums of what is in view. Who has the current month only names none: one that has ended comes to nothing for
 * them, and the page may not know yet that another has begun.
 */
export function summaryQuery(view: DealView, mayChooseMonth: boolean) {
  const { month, ...filter } = { month: undefined, ...filterOf(view) };
  const query = { ...filter, ...(mayChooseMonth && month !== undefined && { month }) };
  return queryOptions({
    queryKey: [...summaryKey, query],
    queryFn: ({ signal }) => call('GET /deals/summary', { query, signal }),
  });
}

/** One row as it is now, asked for because somebody changed it. */
export const freshDeal = (id: string): Promise<Deal> =>
  call('GET /deals/:id', { params: { id }, background: true });

/** Adds rows, each for itself. Their keys make it safe to repeat. */
export const createDeals = (rows: Sent<'POST /deals/bulk/create', 'body'>['rows']) =>
  call('POST /deals/bulk/create', { body: { rows } });

export const changeDeal = (id: string, body: DealPatch, idempotencyKey: string): Promise<Deal> =>
  call('PATCH /deals/:id', { params: { id }, body, idempotencyKey });

export const deleteDeal = (id: string) => call('DELETE /deals/:id', { params: { id } });

/** Replaces who a row is shared with. */
export const shareDeal = (id: string, body: Sent<'PUT /deals/:id/sharing', 'body'>): Promise<Deal> =>
  call('PUT /deals/:id/sharing', { params: { id }, body });

/** Shares rows with more people: all of them or none. */
export const shareDeals = (body: Sent<'POST /deals/bulk/share', 'body'>) =>
  call('POST /deals/bulk/share', { body });

/** Gives rows to another owner: all of them or none. */
export const transferDeals = (body: Sent<'POST /deals/bulk/owner', 'body'>) =>
  call('POST /deals/bulk/owner', { body });

/** Deletes rows: all of them or none. */
export const deleteDeals = (ids: string[]) => call('POST /deals/bulk/delete', { body: { ids } });

export const deletedKey = [...dealsKey, 'deleted'] as const;

/** Rows that were deleted in the last 30 days. */
export const deletedQuery = (search: string, page: number) =>
  queryOptions({
    queryKey: [...deletedKey, search, page],
    queryFn: ({ signal }) =>
      call('GET /deals/deleted', {
        query: { ...(search !== '' && { search }), page: String(page) },
        signal,
      }),
    staleTime: 0,
  });

/** Brings deleted rows back. */
export const restoreDeals = (ids: string[]) => call('POST /deals/bulk/restore', { body: { ids } });

export const setDealsStatus = (body: Sent<'POST /deals/bulk/status', 'body'>, idempotencyKey: string) =>
  call('POST /deals/bulk/status', { body, idempotencyKey });

export const setDealsMonth = (body: Sent<'POST /deals/bulk/month', 'body'>, idempotencyKey: string) =>
  call('POST /deals/bulk/month', { body, idempotencyKey });

export const historyKey = [...dealsKey, 'history'] as const;

/** What was done with a row, newest first. */
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: [...historyKey, id],
    queryFn: ({ signal }) => call('GET /deals/:id/history', { params: { id }, signal }),
    staleTime: 0,
  });

/** This month on the viewer's own clock: right for the company's but for some hours at its end. */
export const monthOfClock = (): string => {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
};

/** What the address says is in view. */
export const viewOf = (
  search: Readonly<Record<string, string | undefined>>,
  fallback: string,
  filters: DealFilters,
): DealView => ({
  ...filters,
  month: /^\d{4}-\d\d$/.test(search['month'] ?? '') ? search['month']! : fallback,
  search: search['search'] ?? '',
});
