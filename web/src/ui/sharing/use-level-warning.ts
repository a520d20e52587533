import type { UserPermissions } from '@forecourt/contract/permissions';
import { useQuery } from '@tanstack/react-query';
import { directoryQuery, permissionsQuery } from '../../platform/directory.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/sharing.ts';

/** Returns how a level differs from the rights that a user has without it; undefined if it does not. */
export type WarningOf<L extends string> = (
  record: UserPermissions,
  name: string,
  level: L,
) => string | undefined;

/** Returns a function that warns if a user's own rights and a share differ. Only administrators know both. */
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

/** Returns a function that names which rights the new owner lacks to see the rows. Only administrators know them. */
export function useOwnerWarning(): (userId: string) => string | undefined {
  const warning = useLevelWarning<string>(({ role, pages }, name) =>
    role === 'admin' || pages.dataEntry ? undefined : texts.cannotSeeRows(name),
  );
  return (userId) => warning(userId, '');
}
