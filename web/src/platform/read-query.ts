import type { RequestPart, ResponseBody, RouteKey } from '@forecourt/contract/api';
import {
  useMutation,
  useQueryClient,
  type DataTag,
  type QueryFunction,
  type QueryKey,
} from '@tanstack/react-query';
import { call, type CallOptions } from './api.ts';
import { storeResponse } from './query-client.ts';

type ReadQuery<T> = { queryKey: DataTag<QueryKey, T, Error>; queryFn: QueryFunction<T> };

/** The query of one GET route, with the input of `call`: `readQuery(itemsKey, 'GET /item-configurations')`. */
export const readQuery = <K extends RouteKey>(
  queryKey: QueryKey,
  ...[route, input]: Parameters<typeof call<K>>
): ReadQuery<ResponseBody<K>> => ({
  queryKey: queryKey as DataTag<QueryKey, ResponseBody<K>, Error>,
  queryFn: ({ signal }) => callWith(route, { ...input, signal }),
});

/** Like `readQuery`, but loaded again each time it is mounted. */
export const freshQuery = <K extends RouteKey>(...args: Parameters<typeof readQuery<K>>) => ({
  ...readQuery<K>(...args),
  staleTime: 0,
});

/** Calls a route whose key is generic. */
const callWith = <K extends RouteKey>(route: K, input: object) =>
  call<K>(...([route, input] as unknown as Parameters<typeof call<K>>));

/** A mutation that reloads the queries with this key prefix. */
export function useChange<V, R>(queryKey: QueryKey, mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey }) });
}

/** Like `useChange`, for a single call: `useCall(itemsKey, 'PUT /item-configurations/:id/sharing')`. */
export const useCall = <K extends RouteKey>(queryKey: QueryKey, route: K) =>
  useChange(queryKey, (input: CallOptions<K>) => callWith(route, input));

type Saved<A extends RouteKey, C extends RouteKey> = {
  id: string | undefined;
  input: RequestPart<A, 'body'> | RequestPart<C, 'body'>;
  idempotencyKey: string;
};

/** Like `useCall`, for a record that one route adds and another changes. */
export const useSave = <A extends RouteKey, C extends RouteKey>(queryKey: QueryKey, add: A, change: C) =>
  useChange(queryKey, ({ id, input: body, idempotencyKey }: Saved<A, C>): Promise<unknown> =>
    id === undefined
      ? callWith(add, { body, idempotencyKey })
      : callWith(change, { params: { id }, body, idempotencyKey }),
  );

/** Like `useChange`, but reloads the queries also after a failure. */
export function useAttempt<V, R>(queryKey: QueryKey, mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey }) });
}

type ReorderRoute = Extract<RouteKey, `POST ${string}/reorder`>;

/** Saves the order of the records of a list by their ids. Reloads the list after a failure. */
export function useReorder<K extends ReorderRoute>({ queryKey }: ReadQuery<ResponseBody<K>>, route: K) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[]) => callWith(route, { body: { ids } }),
    onSuccess: (list) => storeResponse(queryKey, list),
    onError: () => client.invalidateQueries({ queryKey }),
  });
}
