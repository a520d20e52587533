import type { SessionUser } from '@forecourt/contract/auth';
import { paths } from '../platform/paths.ts';
import type { FeatureKey, PageKey, PermissionSet } from '../platform/permission-set.ts';
import type { Session } from '../platform/session.ts';
import { texts } from '../texts/app.ts';

/**
 * Who may open a screen (docs/product/screens.md, Who opens a screen). An object requires a page permission and possibly
 * a feature permission.
 */
export type Access = 'any' | 'guest' | 'signedIn' | 'admin' | { page: PageKey; feature?: FeatureKey };

export type Decision =
  | { kind: 'allow' }
  | { kind: 'redirect'; to: string; search?: Record<string, string> }
  /** The user or the permissions could not be loaded yet. */
  | { kind: 'unknown' };

const allow: Decision = { kind: 'allow' };

const unauthorized = (message: string): Decision => ({
  kind: 'redirect',
  to: paths.unauthorized,
  search: { message, code: 'INSUFFICIENT_PERMISSIONS' },
});

/**
 * The guard rules (docs/product/screens.md, Who opens a screen), once the session is initialised.
 * @param target the full requested path, query included; restored after the sign-in
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

/** The screen that a user must pass first: a new password, then two-step setup. */
function entryPath({ forcePasswordChange, mustSetUpTwoStep }: SessionUser): string | null {
  if (forcePasswordChange) return paths.changePassword;
  return mustSetUpTwoStep ? paths.twoStep : null;
}

/**
 * Returns the redirect of a failed navigation (docs/product/screens.md, Who opens a screen); null: only reloading the
 * sign-in page is left.
 */
export function afterFailedNavigation(at: string, authenticated: boolean): string | null {
  const to = authenticated ? paths.dashboard : paths.login;
  return at === to ? null : to;
}
