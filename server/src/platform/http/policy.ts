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
  /** Open to a person who must change the password first. */
  beforePasswordChange?: true;
};

const can = (name: string, allowed: (record: PermissionRecord) => boolean): RoutePolicy => ({
  name,
  allows: (viewer) =>
    viewer.role === 'admin' || allowed(viewer.permissions) ? true : 'INSUFFICIENT_PERMISSIONS',
});

export const anyone: RoutePolicy = { name: 'anyone' };
export const signedIn: RoutePolicy = { name: 'signed in', allows: () => true };
export const signedInEvenBeforePasswordChange: RoutePolicy = { ...signedIn, beforePasswordChange: true };
export const dataEntryPage = can('page dataEntry', (record) => record.pages.dataEntry);
export const templateManager = can(
  'page emailTemplates and feature manageTemplates',
  (record) => record.pages.emailTemplates && record.features.manageTemplates,
);

/** Throws the refusal of a record's policy; its reason code is the answer's `details`. */
export function requireAbility(ability: Ability): void {
  if (ability !== true) throw new AppError('INSUFFICIENT_PERMISSIONS', { details: ability });
}
