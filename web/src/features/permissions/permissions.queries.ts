import { call } from '../../platform/api.ts';
import { permissionsKey } from '../../platform/directory.ts';
import { paths } from '../../platform/paths.ts';
import { readQuery, useCall } from '../../platform/read-query.ts';
import { beginViewing } from '../../platform/view-as.ts';

/** Saves a user's record; a 409 contains the current one. */
export const useSavePermissions = () => useCall(permissionsKey, 'PUT /permissions/user/:id');

/** Reloads this tab as that user, on their dashboard. */
export async function viewAs(userId: string): Promise<void> {
  const { viewAs: id, user } = await call('POST /permissions/user/:id/view-as', { params: { id: userId } });
  beginViewing({ id, userId, name: user.name }, paths.dashboard);
}

/** Rows that match a search over all months, to hide them. */
export const foundRowsQuery = (search: string) => ({
  ...readQuery([...permissionsKey, 'rows', search], 'GET /deals', { query: { search, limit: '20' } }),
  enabled: search !== '',
});

/** One hidden row, for its name. */
export const hiddenRowQuery = (id: string) => ({
  ...readQuery([...permissionsKey, 'row', id], 'GET /deals/:id', { params: { id } }),
  staleTime: Infinity,
});
