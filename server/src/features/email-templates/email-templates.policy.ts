import type { Viewer } from '../../platform/http/context.ts';
import { type RoutePolicy, allow, isAdmin, templateManager } from '../../platform/http/policy.ts';
import { hasAccess, hasEditAccess, isOwner, type AccessFields } from '../../platform/sharing/access.ts';
import type { VisibilityScope } from '../../platform/sharing/shares.queries.ts';

const permissionsOf = (viewer: Viewer) => viewer.permissions.emailTemplateConfiguration;

/** Whether the viewer sees every template. Other users see owned and shared ones. */
const canViewAll = (viewer: Viewer): boolean =>
  isAdmin(viewer) || permissionsOf(viewer).viewTemplates || permissionsOf(viewer).editTemplates;

export const visibilityScopeOf = (viewer: Viewer): VisibilityScope => ({
  viewerId: viewer.userId,
  all: canViewAll(viewer),
});

/** The scope of sending, which may use any template. */
export const allTemplates = (viewer: Viewer): VisibilityScope => ({
  ...visibilityScopeOf(viewer),
  all: true,
});

export const canView = (viewer: Viewer, template: AccessFields): boolean =>
  canViewAll(viewer) || hasAccess.matches(viewer, template);

/**
 * Whether the viewer has the screen of templates: it requires the page emailTemplates and the feature manageTemplates
 * (docs/product/email.md, Templates).
 */
export const canManage = (viewer: Viewer): boolean => templateManager.allows?.(viewer) === true;

/** Images are uploaded before their template is saved, so any user who may add or edit templates may upload them. */
export const templateWriter: RoutePolicy = {
  name: 'editTemplates, or page emailTemplates and feature manageTemplates',
  allows: (viewer) =>
    canManage(viewer) || permissionsOf(viewer).editTemplates ? true : 'INSUFFICIENT_PERMISSIONS',
};

/**
 * Changes require editTemplates, ownership or a write share; deletion requires more than a write share. Adding
 * templates and the screens require the feature. Only the owner and administrators may share and transfer
 * (docs/product/email.md, Templates; docs/product/sharing.md, Who may share).
 */
export function abilities(viewer: Viewer, template: AccessFields) {
  const canChange = (hasOwnAccess: boolean): boolean =>
    isAdmin(viewer) || permissionsOf(viewer).editTemplates || hasOwnAccess;
  const canShare = isAdmin(viewer) || isOwner.matches(viewer, template);
  return {
    edit: allow(canChange(hasEditAccess.matches(viewer, template)), 'NO_TEMPLATE_EDIT'),
    delete: allow(canChange(isOwner.matches(viewer, template)), 'NO_TEMPLATE_DELETE'),
    share: allow(canShare, 'NOT_TEMPLATE_OWNER'),
    transfer: allow(canShare, 'NOT_TEMPLATE_OWNER'),
  };
}
