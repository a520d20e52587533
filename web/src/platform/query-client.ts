import { QueryCache, QueryClient, type DataTag, type Query, type QueryKey } from '@tanstack/react-query';
import { canPass } from './api-error.ts';
import { createRetry, later } from './retry-later.ts';

type AnyQuery = Query<unknown, unknown>;
const retries = new WeakMap<AnyQuery, ReturnType<typeof createRetry>>();

/** Refetches a failed query while a screen shows it. */
function refetch(query: AnyQuery): void {
  // `onError` handles a failure.
  if (query.isActive()) query.fetch().catch(() => undefined);
}

function retryOf(query: AnyQuery): ReturnType<typeof createRetry> {
  const retry = retries.get(query) ?? createRetry(later, () => refetch(query));
  retries.set(query, retry);
  return retry;
}

/**
 * The cache of server responses. Live events invalidate stale data, so `staleTime` is only a fallback. `always`: a
 * browser without internet may still reach a server in the same office. `call` retries within its time limit, so
 * queries do not; a failed one is refetched after a wait, so that a screen recovers without a click
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

/** The first load of a query is not repeated by an invalidation: its response may be older than the change. */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'invalidate') return;
  const { state, queryKey } = event.query;
  if (state.data !== undefined || state.fetchStatus === 'idle') return;
  const invalidate = (): Promise<void> => queryClient.invalidateQueries({ queryKey, exact: true });
  // The load that is in flight. A failed one is repeated anyway.
  event.query.fetch().then(invalidate, () => undefined);
});

/**
 * Stores the response of a change as the data of a query. A request of that query which is in flight may have read the
 * data before the change: invalidation cancels and repeats it.
 */
export function storeResponse<T>(queryKey: DataTag<QueryKey, T, Error>, data: T): void {
  const filter = { queryKey, exact: true };
  const isFetching = queryClient.isFetching(filter) > 0;
  queryClient.setQueryData<T>(queryKey as QueryKey, data);
  if (isFetching) void queryClient.invalidateQueries(filter);
}
