import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';
import { isHeldToEdit, isOwner, type Held } from '../../platform/sharing/held.ts';
import type { Sight } from '../../platform/sharing/shares.queries.ts';

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';
const rights = (viewer: Viewer) => viewer.permissions.itemConfiguration;
const allow = (allowed: boolean, reason: string): Ability => (allowed ? true : reason);

/** Administrators and whoever has viewItems or editItems see every item; others their own and those shared with them. */
export const sightOf = (viewer: Viewer): Sight => ({
  viewerId: viewer.userId,
  all: isAdmin(viewer) || rights(viewer).viewItems || rights(viewer).editItems,
});

/** The screen of items: page itemConfiguration and feature manageItems (spec.md section 2). */
const canManage = (viewer: Viewer): boolean =>
  isAdmin(viewer) || (viewer.permissions.pages.itemConfiguration && viewer.permissions.features.manageItems);

export const itemManager: RoutePolicy = {
  name: 'page itemConfiguration and feature manageItems',
  allows: (viewer) => (canManage(viewer) ? true : 'INSUFFICIENT_PERMISSIONS'),
};

/** The order is that of all items: it is for those who may change all of them. */
export const canReorder = (viewer: Viewer): Ability =>
  allow(isAdmin(viewer) || (canManage(viewer) && rights(viewer).editItems), 'NO_ITEM_EDIT');

/**
 * Changing is for those who may manage items, with editItems, ownership or, save for deleting, a write share.
 * Sharing and handing over are for the owner and administrators (product.md section 7).
 */
export function abilities(viewer: Viewer, item: Held) {
  const manages = (held: boolean): boolean =>
    isAdmin(viewer) || (canManage(viewer) && (rights(viewer).editItems || held));
  const disposes = isAdmin(viewer) || isOwner(viewer, item);
  return {
    edit: allow(manages(isHeldToEdit(viewer, item)), 'NO_ITEM_EDIT'),
    delete: allow(manages(isOwner(viewer, item)), 'NO_ITEM_DELETE'),
    share: allow(disposes, 'NOT_ITEM_OWNER'),
    transfer: allow(disposes, 'NOT_ITEM_OWNER'),
  };
}
