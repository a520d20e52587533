import type { Dealership } from '@forecourt/contract/dealerships';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import type { Levels } from '../../ui/sharing/shares.ts';
import { useLevelWarning } from '../permissions/permissions.queries.ts';

/** A level of sharing a dealership. */
export type DealershipLevel = Dealership['sharedWith'][number]['permissions'];

/** The levels of sharing a dealership with their labels (docs/product/sharing.md, Levels), lowest first. */
export const shareLevels: Levels<DealershipLevel> = [
  { value: 'read', label: sharing.dealershipLevels.read },
  { value: 'write', label: sharing.dealershipLevels.write },
  { value: 'admin', label: sharing.dealershipLevels.admin },
];

/** Returns warnings where a user's own right to edit dealerships and a share differ. */
export const useShareWarning = () =>
  useLevelWarning<DealershipLevel>(({ role, dealershipConfiguration }, name, level) => {
    const { viewDealerships, editDealerships } = dealershipConfiguration;
    const canEdit = role === 'admin' || editDealerships;
    if (level === 'read') return canEdit ? texts.editsAnyway(name) : undefined;
    if (canEdit) return undefined;
    return viewDealerships ? texts.editsOnlyHere(name) : texts.seesOnlyHere(name);
  });
