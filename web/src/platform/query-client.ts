import { QueryCache, QueryClient, type DataTag, type Query, type QueryKey } from '@tanstack/react-query';
import { canPass } from './api-error.ts';
import { createRetry, later } from './retry-later.ts';

type AnyQuery = Query<unknown, unknown>;
const retries = new WeakMap<AnyQuery, ReturnType<typeof createRetry>>();

/** Refetches a failed query while a screen shows it. */
function refetch(query: AnyQuery): void {
  // The failure is ignored here, because `onError` handles it.
  if (query.isActive()) query.fetch().catch(() => undefined);
}

function retryOf(query: AnyQuery): ReturnType<typeof createRetry> {
  const retry = retries.get(query) ?? createRetry(later, () => refetch(query));
  retries.set(query, retry);
  return retry;
}

/**
 * The cache of server responses. Live events invalidate stale data, so `staleTime` is only a fallback. `networkMode` is
 * `always`, because a browser without internet may still reach a server in the same office. `call` retries within its
 * timeout, so queries do not; a failed query is fetched again after a delay, so that a screen recovers without a click
 * (docs/product/screens.md, Failed calls).
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (canPass(error)) retryOf(query).afterFailure();
    },
    onSuccess: (_, query) => retries.get(query)?.stop(),
  }),
  defaultOptions: {
    queries: { staleTime: 30_000, retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** An invalidation does not repeat the first load of a query, whose response may be older than the change. */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'invalidate') return;
  const { state, queryKey } = event.query;
  if (state.data !== undefined || state.fetchStatus === 'idle') return;
  const invalidate = (): Promise<void> => queryClient.invalidateQueries({ queryKey, exact: true });
  // Joins the load in flight. A failed load is repeated anyway.
  event.query.fetch().then(invalidate, () => undefined);
});

/**
 * Stores the response of a change as the data of a query. A request of that query in flight may have read the data
 * before the change, so it is cancelled and repeated.
 */
export function storeResponse<T>(queryKey: DataTag<QueryKey, T, Error>, data: T): void {
  const filter = { queryKey, exact: true };
  const isFetching = queryClient.isFetching(filter) > 0;
  queryClient.setQueryData<T>(queryKey as QueryKey, data);
  if (isFetching) void queryClient.invalidateQueries(filter);
}
