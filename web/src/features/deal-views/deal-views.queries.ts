import type { RequestPart } from '@forecourt/contract/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { readQuery } from '../../platform/read-query.ts';

export const dealViewsKey = ['deal-views'] as const;

/** The saved views available to the user: their own and the shared ones. */
export const dealViewsQuery = readQuery(dealViewsKey, 'GET /deal-views');

/** Returns a mutation after which the list is reloaded before anything else is done with it. */
function useChange<V, R>(mutationFn: (given: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: dealViewsKey }) });
}

export type ViewInput = RequestPart<'PUT /deal-views/:id', 'body'>;

/** Creates a view, or updates the one with this id. */
export const useSaveView = () =>
  useChange(({ id, input }: { id: string | undefined; input: ViewInput }) =>
    id === undefined
      ? call('POST /deal-views', { body: input })
      : call('PUT /deal-views/:id', { params: { id }, body: input }),
  );

export const useDeleteView = () =>
  useChange((id: string) => call('DELETE /deal-views/:id', { params: { id } }));
