import type { ErrorCode } from '@forecourt/contract/errors';
import type { PermissionRecord } from '@forecourt/contract/permissions';
import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from './context.ts';
import { AppError } from './errors.ts';

/** Authorises a route for a viewer: `true`, or the error code. Features authorise single records. */
export type RoutePolicy = {
  /** Name in the route table. */
  name: string;
  /** Absent for a public route. */
  allows?: (viewer: Viewer) => true | ErrorCode;
};

const can = (name: string, allowed: (record: PermissionRecord) => boolean): RoutePolicy => ({
  name,
  allows: (viewer) => (isAdmin(viewer) || allowed(viewer.permissions) ? true : 'INSUFFICIENT_PERMISSIONS'),
});

export const isAdmin = ({ role }: Viewer): boolean => role === 'admin';

/** Returns an ability. The browser looks up the tooltip by the reason code. */
export const allow = (allowed: boolean, reason: string): Ability => (allowed ? true : reason);

/** Also adjusts closed months, and answers queries about their statements. */
export const mayCloseMonths = ({ role, permissions: { pages, features } }: Viewer): boolean =>
  role === 'admin' || (pages.dataEntry && features.closeMonths);

export const anyone: RoutePolicy = { name: 'anyone' };
export const signedIn: RoutePolicy = { name: 'signed in', allows: () => true };
export const administrator: RoutePolicy = {
  name: 'administrator',
  allows: (viewer) => (isAdmin(viewer) ? true : 'ADMIN_REQUIRED'),
};
export const dataEntryPage = can('page dataEntry', (record) => record.pages.dataEntry);
/** Required by every bulk route for deals (docs/product/data-entry.md, Bulk actions). */
export const bulkEditor = can(
  'page dataEntry and feature bulkEdit',
  (record) => record.pages.dataEntry && record.features.bulkEdit,
);
/** Checks count rows, so they require the Data Entry page. */
export const monthCloser: RoutePolicy = {
  name: 'page dataEntry and feature closeMonths',
  allows: (viewer) => (mayCloseMonths(viewer) ? true : 'INSUFFICIENT_PERMISSIONS'),
};
export const templateManager = can(
  'page emailTemplates and feature manageTemplates',
  (record) => record.pages.emailTemplates && record.features.manageTemplates,
);

/** Throws INSUFFICIENT_PERMISSIONS unless the ability is true; its reason code becomes `details`. */
export function requireAbility(ability: Ability): void {
  if (ability !== true) throw new AppError('INSUFFICIENT_PERMISSIONS', { details: ability });
}
