import type { SessionUser } from '@forecourt/contract/auth';
import type { FeatureKey, May, PageKey } from '../platform/may.ts';
import { paths } from '../platform/paths.ts';
import type { Session } from '../platform/session.ts';

/** Who may open a screen (spec section 2). An object names a page permission and perhaps a feature beside it. */
export type Access = 'any' | 'guest' | 'signedIn' | 'admin' | { page: PageKey; feature?: FeatureKey };

export type Decision =
  | { kind: 'allow' }
  | { kind: 'redirect'; to: string; search?: Record<string, string> }
  /** Who this is or what they may do could not be asked yet. */
  | { kind: 'unknown' };

const allow: Decision = { kind: 'allow' };

const unauthorized = (message: string): Decision => ({
  kind: 'redirect',
  to: paths.unauthorized,
  search: { message, code: 'INSUFFICIENT_PERMISSIONS' },
});

/**
 * The route guard rules of spec section 2, once the session is initialised.
 * @param target the full path that was asked for, query included; kept for after the sign-in
 */
export function decide(
  access: Access,
  target: string,
  session: Pick<Session, 'authenticated' | 'user'>,
  may: May,
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
  if (access === 'admin') return may.admin ? allow : unauthorized('Admin access required');
  if (!may.known) return { kind: 'unknown' };
  const permitted = may.page(access.page) && (access.feature === undefined || may.feature(access.feature));
  return permitted ? allow : unauthorized("You don't have permission to open this page");
}

/** Where somebody has to go before anything else opens: a new password, then the authenticator app. */
function entryPath({ forcePasswordChange, mustSetUpTwoStep }: SessionUser): string | null {
  if (forcePasswordChange) return paths.changePassword;
  return mustSetUpTwoStep ? paths.twoStep : null;
}

/** Where a failed navigation leads (spec section 2); null: nothing is left but to load the sign-in page anew. */
export function afterFailedNavigation(at: string, authenticated: boolean): string | null {
  const to = authenticated ? paths.dashboard : paths.login;
  return at === to ? null : to;
}

/**
 * Whether a screen could not be opened because its script or its styles did not come. Each browser has its own
 * words for it, and Vite has some for styles.
 */
export const isMissingScript = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message);
