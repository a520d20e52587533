import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import type { Levels, LevelWarning } from '../../ui/sharing/shares.ts';
import { permissionsQuery } from '../permissions/permissions.queries.ts';
import { directoryQuery } from '../users/users.queries.ts';
import type { DealershipLevel } from './dealership-values.ts';

/** The levels of a dealership with their words (spec section 2, Share dialog), least first. */
export const shareLevels: Levels<DealershipLevel> = [
  { value: 'read', label: sharing.dealershipLevels.read },
  { value: 'write', label: sharing.dealershipLevels.write },
  { value: 'admin', label: sharing.dealershipLevels.admin },
];

/** Says where a person's own right to edit dealerships and a share differ; for administrators, who know both. */
export function useShareWarning(): LevelWarning<DealershipLevel> {
  const { admin } = useMay();
  const { data: records } = useQuery({ ...permissionsQuery, enabled: admin });
  const { data: directory } = useQuery({ ...directoryQuery, enabled: admin });
  return (userId, level) => {
    const record = records?.items.find((item) => item.userId === userId);
    if (!record) return undefined;
    const name = directory?.items.find(({ _id }) => _id === userId)?.name ?? '';
    const { viewDealerships, editDealerships } = record.dealershipConfiguration;
    const mayEdit = record.role === 'admin' || editDealerships;
    if (level === 'read') return mayEdit ? texts.editsAnyway(name) : undefined;
    if (mayEdit) return undefined;
    return viewDealerships ? texts.editsOnlyHere(name) : texts.seesOnlyHere(name);
  };
}
