import type { Dealership } from '@forecourt/contract/dealerships';
import { useQuery } from '@tanstack/react-query';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import type { Levels, LevelWarning } from '../../ui/sharing/shares.ts';
import { permissionsQuery } from '../permissions/permissions.queries.ts';
import { directoryQuery } from '../users/users.queries.ts';

/** A level of sharing a dealership. */
export type DealershipLevel = Dealership['sharedWith'][number]['permissions'];

/** The levels of sharing a dealership with their labels (docs/product/sharing.md, Levels), lowest first. */
export const shareLevels: Levels<DealershipLevel> = [
  { value: 'read', label: sharing.dealershipLevels.read },
  { value: 'write', label: sharing.dealershipLevels.write },
  { value: 'admin', label: sharing.dealershipLevels.admin },
];

/** Returns warnings where a user's own right to edit dealerships and a share differ; only administrators know both. */
export function useShareWarning(): LevelWarning<DealershipLevel> {
  const { isAdmin } = usePermissions();
  const { data: records } = useQuery({ ...permissionsQuery, enabled: isAdmin });
  const { data: directory } = useQuery({ ...directoryQuery, enabled: isAdmin });
  return (userId, level) => {
    const record = records?.items.find((item) => item.userId === userId);
    if (!record) return undefined;
    const name = directory?.items.find(({ _id }) => _id === userId)?.name ?? '';
    const { viewDealerships, editDealerships } = record.dealershipConfiguration;
    const canEdit = record.role === 'admin' || editDealerships;
    if (level === 'read') return canEdit ? texts.editsAnyway(name) : undefined;
    if (canEdit) return undefined;
    return viewDealerships ? texts.editsOnlyHere(name) : texts.seesOnlyHere(name);
  };
}
