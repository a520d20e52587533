import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { type RoutePolicy, isAdmin } from '../../platform/http/policy.ts';

/** Statuses are readable for users of rows, and of the configuration. */
const canRead = (viewer: Viewer): boolean =>
  isAdmin(viewer) ||
  viewer.permissions.pages.dataEntry ||
  viewer.permissions.statusConfiguration.viewStatuses;

export const statusReader: RoutePolicy = {
  name: 'page dataEntry or view of statuses',
  allows: (viewer) => (canRead(viewer) ? true : 'INSUFFICIENT_PERMISSIONS'),
};

/** A restricted status is hidden from the user, wherever statuses are read. */
export const canSee = (viewer: Viewer, statusId: string): boolean =>
  isAdmin(viewer) ||
  (canRead(viewer) && !viewer.permissions.dataEntry.columnVisibility.restrictedStatuses.includes(statusId));

/**
 * Statuses belong to the company: changed by administrators and by users who were granted this one. Adding, deleting,
 * the order, the default, what counts as closed and what counts for commission are for administrators
 * (docs/product/items-and-statuses.md, Statuses).
 */
export const abilities = (viewer: Viewer, statusId: string): { edit: Ability; delete: Ability } => ({
  edit: isAdmin(viewer) || viewer.permissions.editableStatuses.includes(statusId) ? true : 'NO_STATUS_EDIT',
  delete: isAdmin(viewer) ? true : 'NO_STATUS_DELETE',
});

type Rules = { isDefault: boolean; isClosed: boolean; countsForCommission: boolean | null };

/** Returns the first changed field that this viewer may not change; undefined when all are allowed. */
export const forbiddenField = (viewer: Viewer, before: Rules, after: Rules): keyof Rules | undefined =>
  isAdmin(viewer)
    ? undefined
    : (['isDefault', 'isClosed', 'countsForCommission'] as const).find(
        (field) => before[field] !== after[field],
      );
