import type { SessionUser } from '@forecourt/contract/auth';
import { paths } from '../platform/paths.ts';
import type { Access, PermissionSet } from '../platform/permission-set.ts';
import type { Session } from '../platform/session.ts';
import { texts } from '../texts/app.ts';

export type Decision =
  | { kind: 'allow' }
  | { kind: 'redirect'; to: string; search?: Record<string, string> }
  /** The user or the permissions are not loaded. */
  | { kind: 'unknown' };

const allow: Decision = { kind: 'allow' };

const unauthorized = (message: string): Decision => ({
  kind: 'redirect',
  to: paths.unauthorized,
  search: { message, code: 'INSUFFICIENT_PERMISSIONS' },
});

/**
 * Decides who may open a screen, after the session was initialised (docs/product/screens.md, Who opens a screen).
 * @param target the requested path with its query, restored after the sign-in
 */
export function decide(
  access: Access,
  target: string,
  session: Pick<Session, 'authenticated' | 'user'>,
  permissions: PermissionSet,
): Decision {
  if (access === 'any') return allow;
  if (access === 'guest') {
    return session.authenticated ? { kind: 'redirect', to: paths.dashboard } : allow;
  }
  if (!session.authenticated) {
    return { kind: 'redirect', to: paths.login, search: { redirect: target } };
  }
  const { user } = session;
  const first = user === null ? null : entryPath(user);
  if (first !== null && target.split('?')[0] !== first) return { kind: 'redirect', to: first };
  if (access === 'signedIn') return allow;
  if (user === null) return { kind: 'unknown' };
  if (access === 'admin') return permissions.isAdmin ? allow : unauthorized(texts.refusals.admin);
  if (!permissions.isLoaded) return { kind: 'unknown' };
  const { page, feature } = access;
  const canOpen = permissions.page(page) && (feature === undefined || permissions.feature(feature));
  return canOpen ? allow : unauthorized(texts.refusals.page);
}

/** Returns the screen that a user must complete first: a new password, then the two-step set-up. */
function entryPath({ forcePasswordChange, mustSetUpTwoStep }: SessionUser): string | null {
  if (forcePasswordChange) return paths.changePassword;
  return mustSetUpTwoStep ? paths.twoStep : null;
}

/**
 * Returns the redirect after a failed navigation (docs/product/screens.md, Who opens a screen); null if only the
 * sign-in page remains, which then reloads.
 */
export function afterFailedNavigation(at: string, authenticated: boolean): string | null {
  const to = authenticated ? paths.dashboard : paths.login;
  return at === to ? null : to;
}
