import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { isHeld, isHeldToEdit, isOwner, type Held } from '../../platform/sharing/held.ts';
import type { Sight } from '../../platform/sharing/shares.queries.ts';

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';
const rights = (viewer: Viewer) => viewer.permissions.emailTemplateConfiguration;
const allow = (allowed: boolean, reason: string): Ability => (allowed ? true : reason);

/** Who sees every template: administrators and whoever has viewTemplates or editTemplates. */
const canViewAll = (viewer: Viewer): boolean =>
  isAdmin(viewer) || rights(viewer).viewTemplates || rights(viewer).editTemplates;

/** Others see their own and those that are shared with them. */
export const sightOf = (viewer: Viewer): Sight => ({ viewerId: viewer.userId, all: canViewAll(viewer) });

/** Sending chooses from all of them. */
export const everything = (viewer: Viewer): Sight => ({ ...sightOf(viewer), all: true });

export const canView = (viewer: Viewer, template: Held): boolean =>
  canViewAll(viewer) || isHeld(viewer, template);

/** The screen of templates: page permission emailTemplates and feature manageTemplates (spec.md section 2). */
export const canManage = (viewer: Viewer): boolean =>
  isAdmin(viewer) || (viewer.permissions.pages.emailTemplates && viewer.permissions.features.manageTemplates);

/**
 * Changing is for those who may manage templates, with editTemplates, ownership or, save for deleting, a write
 * share. Sharing and handing over are for the owner and administrators (product.md section 7).
 */
export function abilities(viewer: Viewer, template: Held) {
  const manages = (held: boolean): boolean =>
    isAdmin(viewer) || (canManage(viewer) && (rights(viewer).editTemplates || held));
  const disposes = isAdmin(viewer) || isOwner(viewer, template);
  return {
    edit: allow(manages(isHeldToEdit(viewer, template)), 'NO_TEMPLATE_EDIT'),
    delete: allow(manages(isOwner(viewer, template)), 'NO_TEMPLATE_DELETE'),
    share: allow(disposes, 'NOT_TEMPLATE_OWNER'),
    transfer: allow(disposes, 'NOT_TEMPLATE_OWNER'),
  };
}
