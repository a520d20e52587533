import type { ErrorCode } from '@forecourt/contract/errors';
import type { PermissionRecord } from '@forecourt/contract/permissions';
import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from './context.ts';
import { AppError } from './errors.ts';

/** May this viewer make this call at all? `true`, or the code of the refusal. Records are judged by features. */
export type RoutePolicy = {
  /** How the table of routes reads it aloud. */
  name: string;
  /** Absent: anybody, signed in or not. */
  allows?: (viewer: Viewer) => true | ErrorCode;
  /** Open to a person who must change the password, or set up two-step sign-in, first. */
  beforeEntry?: true;
};

const can = (name: string, allowed: (record: PermissionRecord) => boolean): RoutePolicy => ({
  name,
  allows: (viewer) =>
    viewer.role === 'admin' || allowed(viewer.permissions) ? true : 'INSUFFICIENT_PERMISSIONS',
});

export const anyone: RoutePolicy = { name: 'anyone' };
export const signedIn: RoutePolicy = { name: 'signed in', allows: () => true };
export const signedInEvenBeforeEntry: RoutePolicy = { ...signedIn, beforeEntry: true };
export const administrator: RoutePolicy = {
  name: 'administrator',
  allows: (viewer) => (viewer.role === 'admin' ? true : 'ADMIN_REQUIRED'),
};
export const dataEntryPage = can('page dataEntry', (record) => record.pages.dataEntry);
/** Every call for many deals at once (product.md section 4). */
export const bulkEditor = can(
  'page dataEntry and feature bulkEdit',
  (record) => record.pages.dataEntry && record.features.bulkEdit,
);
export const templateManager = can(
  'page emailTemplates and feature manageTemplates',
  (record) => record.pages.emailTemplates && record.features.manageTemplates,
);

/** Throws the refusal of a record's policy; its reason code is the answer's `details`. */
export function requireAbility(ability: Ability): void {
  if (ability !== true) throw new AppError('INSUFFICIENT_PERMISSIONS', { details: ability });
}

/** Throws what a person has to do before anything else opens: a new password, the authenticator app. */
export function requireEntry(viewer: Viewer): void {
  if (viewer.forcePasswordChange) {
    throw new AppError('PASSWORD_CHANGE_REQUIRED', { requiresPasswordChange: true });
  }
  if (viewer.mustSetUpTwoStep) throw new AppError('TWO_STEP_SETUP_REQUIRED');
}
