import type { ApiError } from '../platform/api-error.ts';
import { setRefusalHandlers } from '../platform/api.ts';
import { markFirstScreenReady } from '../platform/first-screen.ts';
import { paths } from '../platform/paths.ts';
import type { Access } from '../platform/permission-set.ts';
import {
  currentPermissions,
  currentPermissionState,
  refreshPermissions,
  subscribePermissionState,
  type OwnPermissions,
} from '../platform/permissions.ts';
import { currentSession, refreshUser, subscribeSession, type Session } from '../platform/session.ts';
import { takeViewingNotice } from '../platform/view-as.ts';
import { screens } from '../routes.tsx';
import { texts } from '../texts/app.ts';
import { toastWarning } from '../ui/toasts.ts';
import { focusScreen } from '../ui/use-focus-back.ts';
import { decide } from './access.ts';
import { matchesPath, redirectTarget } from './redirect-target.ts';
import { refusedTarget, router } from './router.tsx';

/** Minimum time between two reloads of the user when the window gets the focus again. */
const USER_RELOAD_MS = 60_000;

const all = [...screens.bare, ...screens.inShell];
const targets = all.filter(({ access }) => access !== 'guest').map(({ path }) => path);

export const screenAt = (path: string) => all.find((screen) => matchesPath(screen.path, path));

function follow(before: Session, now: Session): void {
  if (!now.initialised || before === now) return;
  const { pathname, href, search } = router.state.location;
  if (before.authenticated && !now.authenticated) {
    // A session that was ended continues on this screen; after signing out, the next one starts at the dashboard.
    const search = now.notice === null ? {} : { redirect: href };
    void router.navigate({ to: paths.login, search, replace: true });
  } else if (now.authenticated && (!before.authenticated || isNewSignIn(before, now))) {
    const to = now.user?.forcePasswordChange
      ? paths.changePassword
      : redirectTarget((search as Record<string, string>)['redirect'], targets);
    void router.navigate({ href: to, replace: true });
  } else if (before.user !== now.user) {
    recheckAccess(pathname, before.user !== null);
  }
}

/** After a failed guard, a user may sign in without having been signed out. */
const isNewSignIn = (before: Session, now: Session): boolean =>
  before.token !== now.token && router.state.location.pathname === paths.login;

/**
 * Runs the guard of the current screen again, because access may have changed.
 * @param wasKnown whether the permissions were loaded before: only then can access be lost
 */
function recheckAccess(pathname: string, wasKnown: boolean): void {
  const { lost, access } = screenAt(pathname) ?? {};
  if (wasKnown && lost && access && isRefused(access, pathname)) {
    toastWarning(lost);
    return void router.navigate({ to: paths.dashboard, replace: true });
  }
  void router.invalidate({ filter: (match) => match.pathname === pathname });
}

function isRefused(access: Access, target: string): boolean {
  const decision = decide(access, target, currentSession(), currentPermissions());
  return decision.kind === 'redirect' && decision.to === paths.unauthorized;
}

/** Closes the current screen if its permission was lost, and opens a refused screen if its permission was granted. */
function followPermissions(before: OwnPermissions, now: OwnPermissions): void {
  const wasKnown = before.record !== null || before.failure !== null;
  if (!wasKnown || now.record === null || before.record === now.record) return;
  const { pathname } = router.state.location;
  const refused = refusedTarget();
  if (pathname !== paths.unauthorized || refused === null)
    return recheckAccess(pathname, before.record !== null);
  const screen = screenAt(new URL(refused, window.location.origin).pathname);
  if (!screen || decide(screen.access, refused, currentSession(), currentPermissions()).kind !== 'allow')
    return;
  void router.navigate({ href: refused, replace: true });
}

/** Synchronises URL, title and focus with session and screen. Called once, at the start. */
export function startNavigation(): void {
  let before = currentSession();
  subscribeSession(() => {
    const now = currentSession();
    const previous = before;
    before = now;
    follow(previous, now);
  });

  const redirectTo = (path: string) => (error: ApiError) => {
    if (router.state.location.pathname === path) return;
    toastWarning(error.message);
    void router.navigate({ to: path });
    void refreshUser();
  };
  setRefusalHandlers({
    passwordChange: redirectTo(paths.changePassword),
    twoStepSetup: redirectTo(paths.twoStep),
    monthClosed: (...refusal) =>
      import('./adjustment-question.ts').then(
        ({ answerTo }) => answerTo(...refusal),
        () => null,
      ),
  });

  let permissions = currentPermissionState();
  subscribePermissionState(() => {
    const previous = permissions;
    permissions = currentPermissionState();
    followPermissions(previous, permissions);
  });

  let lastReload = Date.now();
  window.addEventListener('focus', () => {
    void refreshPermissions();
    if (Date.now() - lastReload < USER_RELOAD_MS) return;
    lastReload = Date.now();
    void refreshUser();
  });

  const notice = takeViewingNotice();
  if (notice !== null) toastWarning(notice);

  router.subscribe('onResolved', ({ toLocation, pathChanged }) => {
    const title = screenAt(toLocation.pathname)?.title ?? texts.notFoundTitle;
    document.title = `${title} · ${texts.product}`;
    if (pathChanged) focusScreen();
    // Data Entry reports itself when its rows are rendered.
    if (toLocation.pathname !== paths.dataEntry) markFirstScreenReady();
  });
}
