import type { Sent } from '@forecourt/contract/api';
import type { DealershipInput } from '@forecourt/contract/dealerships';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

export const dealershipsKey = ['dealerships'] as const;

/** Every dealership that this person may see, with its contacts. */
export const dealershipsQuery = queryOptions({
  queryKey: dealershipsKey,
  queryFn: ({ signal }) => call('GET /dealerships', { signal }),
});

/** A change, after which the list is loaded again. */
function useChange<V, R>(mutationFn: (given: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey: dealershipsKey }) });
}

type SaveDealership = { id: string | undefined; input: DealershipInput; idempotencyKey: string };

/** Adds a dealership, or changes the one with this id. */
export const useSaveDealership = () =>
  useChange(({ id, input, idempotencyKey }: SaveDealership) =>
    id === undefined
      ? call('POST /dealerships', { body: input, idempotencyKey })
      : call('PUT /dealerships/:id', { params: { id }, body: input, idempotencyKey }),
  );

export const useDeleteDealership = () =>
  useChange((id: string) => call('DELETE /dealerships/:id', { params: { id } }));

type Share = { id: string } & Sent<'PUT /dealerships/:id/sharing', 'body'>;

/** Replaces who one dealership is shared with. */
export const useShareDealership = () =>
  useChange(({ id, ...body }: Share) => call('PUT /dealerships/:id/sharing', { params: { id }, body }));

/** Shares some dealerships with more people: all of them or none. */
export const useShareDealerships = () =>
  useChange((body: Sent<'POST /dealerships/bulk-share', 'body'>) =>
    call('POST /dealerships/bulk-share', { body }),
  );

/** Gives some dealerships to another owner: all of them or none. */
export const useTransferDealerships = () =>
  useChange((body: Sent<'POST /dealerships/transfer-ownership', 'body'>) =>
    call('POST /dealerships/transfer-ownership', { body }),
  );

/** Activates or deactivates some dealerships: all of them or none. */
export const useSetActive = () =>
  useChange((body: { ids: string[]; active: boolean }) => call('POST /dealerships/bulk/active', { body }));
