import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';

/** Statuses are read by those who work with rows, and by those who may look at the configuration. */
const canRead = (viewer: Viewer): boolean =>
  isAdmin(viewer) ||
  viewer.permissions.pages.dataEntry ||
  viewer.permissions.statusConfiguration.viewStatuses;

export const statusReader: RoutePolicy = {
  name: 'page dataEntry or view of statuses',
  allows: (viewer) => (canRead(viewer) ? true : 'INSUFFICIENT_PERMISSIONS'),
};

/** What is kept from somebody is absent for them, wherever statuses are read. */
export const canSee = (viewer: Viewer, statusId: string): boolean =>
  isAdmin(viewer) ||
  (canRead(viewer) && !viewer.permissions.dataEntry.columnVisibility.restrictedStatuses.includes(statusId));

/**
 * Statuses are the company's: changed by administrators and by those to whom they have granted this one. Adding,
 * deleting, the order, the default and what counts as closed are for administrators (product.md section 5).
 */
export const abilities = (viewer: Viewer, statusId: string): { edit: Ability; delete: Ability } => ({
  edit: isAdmin(viewer) || viewer.permissions.editableStatuses.includes(statusId) ? true : 'NO_STATUS_EDIT',
  delete: isAdmin(viewer) ? true : 'NO_STATUS_DELETE',
});

type Rules = { isDefault: boolean; isClosed: boolean };

/** What of a change this viewer may not make; undefined when they may make it. */
export const forbiddenField = (viewer: Viewer, before: Rules, after: Rules): keyof Rules | undefined =>
  isAdmin(viewer)
    ? undefined
    : (['isDefault', 'isClosed'] as const).find((field) => before[field] !== after[field]);
