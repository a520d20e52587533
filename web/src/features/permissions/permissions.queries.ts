import { call } from '../../platform/api.ts';
import { permissionsKey } from '../../platform/directory.ts';
import { paths } from '../../platform/paths.ts';
import { readQuery, useCall } from '../../platform/read-query.ts';
import { beginViewing } from '../../platform/view-as.ts';

/** A 409 has the current record. */
export const useSavePermissions = () => useCall(permissionsKey, 'PUT /permissions/user/:id');

/** Reloads this tab as that user, on their dashboard. */
export async function viewAs(userId: string): Promise<void> {
  const { viewAs: id, user } = await call('POST /permissions/user/:id/view-as', { params: { id: userId } });
  beginViewing({ id, userId, name: user.name }, paths.dashboard);
}

/** Rows of all months that match a search. */
export const foundRowsQuery = (search: string) => ({
  ...readQuery([...permissionsKey, 'rows', search], 'GET /deals', { query: { search, limit: '20' } }),
  enabled: search !== '',
});

/** A hidden row, of which only the name is displayed. */
export const hiddenRowQuery = (id: string) => ({
  ...readQuery([...permissionsKey, 'row', id], 'GET /deals/:id', { params: { id } }),
  staleTime: Infinity,
});
