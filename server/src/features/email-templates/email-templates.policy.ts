import type { Viewer } from '../../platform/http/context.ts';
import { type RoutePolicy, allow, isAdmin, templateManager } from '../../platform/http/policy.ts';
import { hasAccess, hasEditAccess, isOwner, type AccessFields } from '../../platform/sharing/access.ts';
import type { VisibilityScope } from '../../platform/sharing/shares.queries.ts';

const permissionsOf = (viewer: Viewer) => viewer.permissions.emailTemplateConfiguration;

/** Returns whether the viewer sees every template: administrators and users with viewTemplates or editTemplates. */
const canViewAll = (viewer: Viewer): boolean =>
  isAdmin(viewer) || permissionsOf(viewer).viewTemplates || permissionsOf(viewer).editTemplates;

/** Other users see owned and shared templates. */
export const visibilityScopeOf = (viewer: Viewer): VisibilityScope => ({
  viewerId: viewer.userId,
  all: canViewAll(viewer),
});

/** Sending may use any template. */
export const allTemplates = (viewer: Viewer): VisibilityScope => ({
  ...visibilityScopeOf(viewer),
  all: true,
});

export const canView = (viewer: Viewer, template: AccessFields): boolean =>
  canViewAll(viewer) || hasAccess.matches(viewer, template);

/**
 * Returns whether the viewer has the screen of templates: page permission emailTemplates and feature manageTemplates
 * (docs/product/email.md, Templates).
 */
export const canManage = (viewer: Viewer): boolean => templateManager.allows?.(viewer) === true;

/** Images are uploaded before they belong to a template, by users who may add or edit any. */
export const templateWriter: RoutePolicy = {
  name: 'editTemplates, or page emailTemplates and feature manageTemplates',
  allows: (viewer) =>
    canManage(viewer) || permissionsOf(viewer).editTemplates ? true : 'INSUFFICIENT_PERMISSIONS',
};

/**
 * Changing needs editTemplates, ownership or, save for deleting, a write share; adding and the screens need the feature.
 * Sharing and transferring are for the owner and administrators (docs/product/email.md, Templates;
 * docs/product/sharing.md, Who may share).
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
