import type { UserPermissions } from '@forecourt/contract/permissions';
import { useQuery } from '@tanstack/react-query';
import { directoryQuery, permissionsQuery } from '../../platform/directory.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/sharing.ts';

/** Returns how a level differs from what a user with this record may do anyway; undefined where it does not. */
export type WarningOf<L extends string> = (
  record: UserPermissions,
  name: string,
  level: L,
) => string | undefined;

/** Returns warnings where a user's own rights and a share differ; only administrators know both. */
export function useLevelWarning<L extends string>(
  warningOf: WarningOf<L>,
): (userId: string, level: L) => string | undefined {
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
    role === 'admin' || pages.dataEntry ? undefined : texts.cannotSeeRows(name),
  );
  return (userId) => warning(userId, '');
}
