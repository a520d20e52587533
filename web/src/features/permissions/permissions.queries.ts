import type { PermissionBody, UserPermissions } from '@forecourt/contract/permissions';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { paths } from '../../platform/paths.ts';
import { beginViewing } from '../../platform/view-as.ts';

export const permissionsKey = ['permissions'] as const;

/** Everybody's records, for administrators. */
export const permissionsQuery = queryOptions({
  queryKey: [...permissionsKey, 'list'],
  queryFn: ({ signal }) => call('GET /permissions', { signal }),
});

type Save = { userId: string; body: PermissionBody; idempotencyKey: string };

/** Saves one person's record; a 409 carries the record as it is. */
export function useSavePermissions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, body, idempotencyKey }: Save): Promise<UserPermissions> =>
      call('PUT /permissions/user/:id', { params: { id: userId }, body, idempotencyKey }),
    onSuccess: () => client.invalidateQueries({ queryKey: permissionsKey }),
  });
}

/** Loads this tab anew as that person sees the product, on their dashboard. */
export async function viewAs(userId: string): Promise<void> {
  const { viewAs: id, user } = await call('POST /permissions/user/:id/view-as', { params: { id: userId } });
  beginViewing({ id, userId, name: user.name }, paths.dashboard);
}

/** Rows for hiding one of them: those that a search finds, all months. */
export const foundRowsQuery = (search: string) =>
  queryOptions({
    queryKey: [...permissionsKey, 'rows', search],
    queryFn: ({ signal }) => call('GET /deals', { query: { search, limit: '20' }, signal }),
    enabled: search !== '',
  });

/** One hidden row, for its name. */
export const hiddenRowQuery = (id: string) =>
  queryOptions({
    queryKey: [...permissionsKey, 'row', id],
    queryFn: ({ signal }) => call('GET /deals/:id', { params: { id }, signal }),
    staleTime: Infinity,
  });
