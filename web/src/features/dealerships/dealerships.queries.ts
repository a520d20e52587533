import type { DealershipInput } from '@forecourt/contract/dealerships';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

export const dealershipsKey = ['dealerships'] as const;

/** Every dealership that this person may see, with its contacts. */
export const dealershipsQuery = queryOptions({
  queryKey: dealershipsKey,
  queryFn: ({ signal }) => call('GET /dealerships', { signal }),
});

type SaveDealership = { id: string | undefined; input: DealershipInput; idempotencyKey: string };

/** Adds a dealership, or changes the one with this id. */
export function useSaveDealership() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, input, idempotencyKey }: SaveDealership) =>
      id === undefined
        ? call('POST /dealerships', { body: input, idempotencyKey })
        : call('PUT /dealerships/:id', { params: { id }, body: input, idempotencyKey }),
    onSuccess: () => client.invalidateQueries({ queryKey: dealershipsKey }),
  });
}

export function useDeleteDealership() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE /dealerships/:id', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: dealershipsKey }),
  });
}

/** Activates or deactivates some dealerships: all of them or none. */
export function useSetActive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { ids: string[]; active: boolean }) => call('POST /dealerships/bulk/active', { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: dealershipsKey }),
  });
}
