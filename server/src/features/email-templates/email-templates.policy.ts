import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';

type Owned = { owner_id: string };

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';
const rights = (viewer: Viewer) => viewer.permissions.emailTemplateConfiguration;
const allow = (allowed: boolean, reason: string): Ability => (allowed ? true : reason);

/** Who sees every template: administrators and whoever has viewTemplates or editTemplates. Others see their own. */
export const canViewAll = (viewer: Viewer): boolean =>
  isAdmin(viewer) || rights(viewer).viewTemplates || rights(viewer).editTemplates;

export const canView = (viewer: Viewer, template: Owned): boolean =>
  canViewAll(viewer) || template.owner_id === viewer.userId;

/** The screen of templates: page permission emailTemplates and feature manageTemplates (spec.md section 2). */
export const canManage = (viewer: Viewer): boolean =>
  isAdmin(viewer) || (viewer.permissions.pages.emailTemplates && viewer.permissions.features.manageTemplates);

const mayChange = (viewer: Viewer, template: Owned) =>
  isAdmin(viewer) ||
  (canManage(viewer) && (rights(viewer).editTemplates || template.owner_id === viewer.userId));

export const abilities = (viewer: Viewer, template: Owned) => ({
  edit: allow(mayChange(viewer, template), 'NO_TEMPLATE_EDIT'),
  delete: allow(mayChange(viewer, template), 'NO_TEMPLATE_DELETE'),
});
