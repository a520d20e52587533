import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { type RoutePolicy, isAdmin } from '../../platform/http/policy.ts';

/** Statuses are readable for users of Data Entry, and of the configuration. */
const canRead = (viewer: Viewer): boolean =>
  isAdmin(viewer) ||
  viewer.permissions.pages.dataEntry ||
  viewer.permissions.statusConfiguration.viewStatuses;

export const statusReader: RoutePolicy = {
  name: 'page dataEntry or view of statuses',
  allows: (viewer) => (canRead(viewer) ? true : 'INSUFFICIENT_PERMISSIONS'),
};

export const canSee = (viewer: Viewer, statusId: string): boolean =>
  isAdmin(viewer) ||
  (canRead(viewer) && !viewer.permissions.dataEntry.columnVisibility.restrictedStatuses.includes(statusId));

/**
 * Only administrators and users with a grant may change a status. Only administrators add and delete statuses and
 * change the order, the default, and which count as closed or for commission (docs/product/items-and-statuses.md,
 * Statuses).
 */
export const abilities = (viewer: Viewer, statusId: string): { edit: Ability; delete: Ability } => ({
  edit: isAdmin(viewer) || viewer.permissions.editableStatuses.includes(statusId) ? true : 'NO_STATUS_EDIT',
  delete: isAdmin(viewer) ? true : 'NO_STATUS_DELETE',
});

type Rules = { isDefault: boolean; isClosed: boolean; countsForCommission: boolean | null };

/** Returns the first changed field that the viewer may not change; undefined if there is none. */
export const forbiddenField = (viewer: Viewer, before: Rules, after: Rules): keyof Rules | undefined =>
  isAdmin(viewer)
    ? undefined
    : (['isDefault', 'isClosed', 'countsForCommission'] as const).find(
        (field) => before[field] !== after[field],
      );
