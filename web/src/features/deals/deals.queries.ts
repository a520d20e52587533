import type { ResponseBody, RequestPart } from '@forecourt/contract/api';
import type { Deal, DealPatch } from '@forecourt/contract/deals';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SelectOption } from '../../grid/grid.ts';
import { call } from '../../platform/api.ts';
import { directoryQuery } from '../../platform/directory.ts';
import { useFirstScreenReady } from '../../platform/first-screen.ts';
import type { NewChangeSet } from '../../platform/ids.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { queryClient } from '../../platform/query-client.ts';
import { freshQuery, readQuery } from '../../platform/read-query.ts';
import { type DealView, filterText, isOverMonths } from './deal-view.ts';

const dealsKey = ['deals'] as const;

const filterOf = (view: DealView) => {
  const filter = filterText(view.filter);
  return {
    ...(isOverMonths(view) ? {} : { month: view.month }),
    ...(view.search === '' ? {} : { search: view.search }),
    ...(filter !== undefined && { filter }),
  };
};

/** Order of the server's rows. Empty: newest first. */
export type ServerOrder = Pick<RequestPart<'GET /deals', 'query'>, 'sort' | 'order' | 'firstStatus'>;

/** A page of a view with its total and the cursor of the next page; null for the last page. */
export type RowPage = {
  readonly deals: readonly Deal[];
  readonly total: number;
  /** Whether there are more than `total` rows. */
  readonly isCapped: boolean;
  readonly nextCursor: string | null;
};

/** A page of rows after a cursor; null for the start. */
export type RowRange = { readonly cursor: string | null; readonly limit: number };

/** Number of rows that fill the screen. */
export const FIRST_PAGE = 100;

/** Converts arrays of values to rows; the response has the field names once. */
function pageOf({
  columns = [],
  rows = [],
  total,
  totalIsCapped,
  nextCursor,
}: ResponseBody<'GET /deals'>): RowPage {
  // Each row is a copy of an object with all fields. If they were added one by one, V8 would use a hash table, which
  // takes three times the memory and time of each later read.
  const empty: Record<string, unknown> = Object.fromEntries(columns.map((name) => [name, null]));
  const deals = rows.map((values) => {
    const deal = { ...empty };
    // Runs for thousands of rows while a user types; `entries()` takes three times as long.
    for (let at = 0; at < columns.length; at += 1) deal[columns[at]!] = values[at];
    return deal as Deal;
  });
  return { deals, total, isCapped: totalIsCapped, nextCursor };
}

/** Loads rows of a view. Pages after the first one are background requests. */
export const rowsOf = async (
  view: DealView,
  order: ServerOrder,
  { cursor, limit }: RowRange,
  signal?: AbortSignal,
): Promise<RowPage> =>
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

/** Stale time in milliseconds that only shares a request in flight. The rows are in the grid's store. */
const SHARED_MS = 2000;

export const firstRowsKey = [...dealsKey, 'first'] as const;

/** The rows that fill the screen. */
export const firstRowsQuery = (view: DealView) =>
  queryOptions({
    queryKey: [...firstRowsKey, filterOf(view)],
    queryFn: () => rowsOf(view, {}, { cursor: null, limit: FIRST_PAGE }),
    staleTime: SHARED_MS,
    gcTime: 10_000,
  });

/** Returns the first rows if they have just been loaded. */
export function presentFirstRows(view: DealView): RowPage | undefined {
  const { queryKey } = firstRowsQuery(view);
  const query = queryClient.getQueryCache().find<RowPage>({ queryKey });
  return query?.isStaleByTime(SHARED_MS) ? undefined : query?.state.data;
}

export const summaryKey = [...dealsKey, 'summary'] as const;

/**
 * Count and sums of the rows in view. A user who sees only the current month sends no month: the page may not know yet
 * that a new one has begun.
 */
export function summaryQuery(view: DealView, canChooseMonth: boolean) {
  const { month, ...rest } = { month: undefined, ...filterOf(view) };
  const query = { ...rest, ...(canChooseMonth && month !== undefined && { month }) };
  return readQuery([...summaryKey, query], 'GET /deals/summary', { query });
}

export const freshDeal = (id: string): Promise<Deal> =>
  call('GET /deals/:id', { params: { id }, background: true });

/** Creates rows independently. Their keys make a repetition safe. */
export const createDeals = (
  rows: RequestPart<'POST /deals/bulk/create', 'body'>['rows'],
  changeSet: NewChangeSet,
) => call('POST /deals/bulk/create', { body: { rows }, changeSet });

export const changeDeal = (
  id: string,
  body: DealPatch,
  idempotencyKey: string,
  changeSet?: NewChangeSet,
): Promise<Deal> => call('PATCH /deals/:id', { params: { id }, body, idempotencyKey, ...named(changeSet) });

/** Without a name, `call` creates a change set. */
const named = (changeSet: NewChangeSet | undefined) => changeSet && { changeSet };

export const deleteDeal = (id: string, changeSet?: NewChangeSet) =>
  call('DELETE /deals/:id', { params: { id }, ...named(changeSet) });

export const shareDeal = (
  id: string,
  body: RequestPart<'PUT /deals/:id/sharing', 'body'>,
  changeSet?: NewChangeSet,
): Promise<Deal> => call('PUT /deals/:id/sharing', { params: { id }, body, ...named(changeSet) });

export const shareDeals = (body: RequestPart<'POST /deals/bulk/share', 'body'>, changeSet?: NewChangeSet) =>
  call('POST /deals/bulk/share', { body, ...named(changeSet) });

export const transferDeals = (
  body: RequestPart<'POST /deals/bulk/owner', 'body'>,
  changeSet?: NewChangeSet,
) => call('POST /deals/bulk/owner', { body, ...named(changeSet) });

export const deleteDeals = (ids: string[], changeSet?: NewChangeSet) =>
  call('POST /deals/bulk/delete', { body: { ids }, ...named(changeSet) });

export const deletedKey = [...dealsKey, 'deleted'] as const;

export const deletedQuery = (search: string, page: number) =>
  freshQuery([...deletedKey, search, page], 'GET /deals/deleted', {
    query: { ...(search !== '' && { search }), page: String(page) },
  });

export const restoreDeals = (ids: string[], changeSet?: NewChangeSet) =>
  call('POST /deals/bulk/restore', { body: { ids }, ...named(changeSet) });

export const setDealsStatus = (
  body: RequestPart<'POST /deals/bulk/status', 'body'>,
  idempotencyKey: string,
  changeSet?: NewChangeSet,
) => call('POST /deals/bulk/status', { body, idempotencyKey, ...named(changeSet) });

export const setDealsMonth = (
  body: RequestPart<'POST /deals/bulk/month', 'body'>,
  idempotencyKey: string,
  changeSet?: NewChangeSet,
) => call('POST /deals/bulk/month', { body, idempotencyKey, ...named(changeSet) });

export const historyKey = [...dealsKey, 'history'] as const;

export const historyQuery = (id: string) =>
  freshQuery([...historyKey, id], 'GET /deals/:id/history', { params: { id } });

/** Returns the possible new owners by name, with the email if names are equal; none without the permission. */
export function usePeople(): readonly SelectOption[] {
  const permissions = usePermissions();
  const isFirstScreenReady = useFirstScreenReady();
  const enabled = isFirstScreenReady && permissions.can('dataEntry', 'canChangeOwnership');
  const { data } = useQuery({ ...directoryQuery, enabled });
  return useMemo(() => {
    const people = data?.items ?? [];
    const alike = Map.groupBy(people, ({ name }) => name);
    return people.map(({ _id, name, email }) => ({
      value: _id,
      label: alike.get(name)?.length === 1 ? name : `${name} (${email})`,
    }));
  }, [data]);
}
