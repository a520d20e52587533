import type { Sent } from '@forecourt/contract/api';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

export const statusesKey = ['statuses'] as const;

/** Every status that this person may see, in the order of the status cycle. */
export const statusesQuery = queryOptions({
  queryKey: statusesKey,
  queryFn: ({ signal }) => call('GET /status-configurations', { signal }),
});

/** A change, after which the list is loaded again. */
function useChange<V, R>(mutationFn: (given: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: statusesKey }) });
}

type SaveStatus = {
  id: string | undefined;
  input: Sent<'PUT /status-configurations/:id', 'body'>;
  idempotencyKey: string;
};

/** Adds a status at the end of the cycle, or changes the one with this id. */
export const useSaveStatus = () =>
  useChange(({ id, input, idempotencyKey }: SaveStatus) =>
    id === undefined
      ? call('POST /status-configurations', { body: input, idempotencyKey })
      : call('PUT /status-configurations/:id', { params: { id }, body: input, idempotencyKey }),
  );

/** Deletes a status; deals that have it get the replacement. */
export const useDeleteStatus = () =>
  useChange(({ id, replacement }: { id: string; replacement: string }) =>
    call('DELETE /status-configurations/:id', {
      params: { id },
      query: replacement === '' ? {} : { replacement },
    }),
  );

/** Puts all statuses into this order. */
export function useReorderStatuses() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[]) => call('POST /status-configurations/reorder', { body: { ids } }),
    onSuccess: (statuses) => client.setQueryData(statusesQuery.queryKey, statuses),
    onError: () => client.invalidateQueries({ queryKey: statusesKey }),
  });
}
