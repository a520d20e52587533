import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { type RoutePolicy, allow, isAdmin } from '../../platform/http/policy.ts';
import { hasEditAccess, isOwner, type AccessFields } from '../../platform/sharing/access.ts';
import type { VisibilityScope } from '../../platform/sharing/shares.queries.ts';

const permissionsOf = (viewer: Viewer) => viewer.permissions.itemConfiguration;

/** Administrators and users with viewItems or editItems see every item; others see owned and shared ones. */
export const visibilityScopeOf = (viewer: Viewer): VisibilityScope => ({
  viewerId: viewer.userId,
  all: isAdmin(viewer) || permissionsOf(viewer).viewItems || permissionsOf(viewer).editItems,
});

/** The screen requires itemConfiguration and manageItems (docs/product/items-and-statuses.md, Items). */
const canManage = (viewer: Viewer): boolean =>
  isAdmin(viewer) || (viewer.permissions.pages.itemConfiguration && viewer.permissions.features.manageItems);

export const itemManager: RoutePolicy = {
  name: 'page itemConfiguration and feature manageItems',
  allows: (viewer) => (canManage(viewer) ? true : 'INSUFFICIENT_PERMISSIONS'),
};

/** The order concerns all items, so it requires editItems. */
export const canReorder = (viewer: Viewer): Ability =>
  allow(isAdmin(viewer) || (canManage(viewer) && permissionsOf(viewer).editItems), 'NO_ITEM_EDIT');

/**
 * Editing requires editItems, ownership or a write share; deleting requires editItems or ownership. Adding, reordering
 * and the screen require manageItems. Only the owner and administrators share and transfer
 * (docs/product/items-and-statuses.md, Items; docs/product/sharing.md, Who may share).
 */
export function abilities(viewer: Viewer, item: AccessFields) {
  const manages = (hasAccess: boolean): boolean =>
    isAdmin(viewer) || permissionsOf(viewer).editItems || hasAccess;
  const disposes = isAdmin(viewer) || isOwner.matches(viewer, item);
  return {
    edit: allow(manages(hasEditAccess.matches(viewer, item)), 'NO_ITEM_EDIT'),
    delete: allow(manages(isOwner.matches(viewer, item)), 'NO_ITEM_DELETE'),
    share: allow(disposes, 'NOT_ITEM_OWNER'),
    transfer: allow(disposes, 'NOT_ITEM_OWNER'),
  };
}
