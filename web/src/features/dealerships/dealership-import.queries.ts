import type { ImportedDealership } from '@forecourt/contract/dealerships';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { dealershipsKey } from './dealerships.queries.ts';

type Import = { dealerships: ImportedDealership[]; idempotencyKey: string };

/** Adds dealerships with their contacts: all of them or none. */
export function useImportDealerships() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ dealerships, idempotencyKey }: Import) =>
      call('POST /dealerships/import', { body: { dealerships }, idempotencyKey }),
    onSuccess: () => client.invalidateQueries({ queryKey: dealershipsKey }),
  });
}
