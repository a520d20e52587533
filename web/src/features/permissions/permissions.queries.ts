import type { UserPermissions } from '@forecourt/contract/permissions';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { directoryQuery } from '../../platform/directory.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { readQuery, useCall } from '../../platform/read-query.ts';
import { beginViewing } from '../../platform/view-as.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import type { LevelWarning } from '../../ui/sharing/shares.ts';

export const permissionsKey = ['permissions'] as const;

export const permissionsQuery = readQuery([...permissionsKey, 'list'], 'GET /permissions');

/**
 * Returns warnings where a user's own rights and a share differ, for a share dialog; only administrators know both.
 * @param warningOf returns the warning of a level for a user with this record
 */
export function useLevelWarning<L extends string>(
  warningOf: (record: UserPermissions, name: string, level: L) => string | undefined,
): LevelWarning<L> {
  const { isAdmin } = usePermissions();
  const { data: records } = useQuery({ ...permissionsQuery, enabled: isAdmin });
  const { data: directory } = useQuery({ ...directoryQuery, enabled: isAdmin });
  return (userId, level) => {
    const record = records?.items.find((item) => item.userId === userId);
    const name = directory?.items.find(({ _id }) => _id === userId)?.name ?? '';
    return record && warningOf(record, name, level);
  };
}

/** Returns what the new owner of rows lacks to see them; only administrators know it. */
export function useOwnerWarning(): (userId: string) => string | undefined {
  const warning = useLevelWarning<string>(({ role, pages }, name) =>
    role === 'admin' || pages.dataEntry ? undefined : sharing.cannotSeeRows(name),
  );
  return (userId) => warning(userId, '');
}

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
