import type { ApiError } from '../platform/api-error.ts';
import { setConsequences } from '../platform/api.ts';
import { firstScreenStands } from '../platform/coming-later.ts';
import { paths } from '../platform/paths.ts';
import {
  currentMay,
  currentPermissions,
  refreshPermissions,
  subscribePermissions,
  type OwnPermissions,
} from '../platform/permissions.ts';
import { currentSession, refreshUser, subscribeSession, type Session } from '../platform/session.ts';
import { takeViewingNotice } from '../platform/view-as.ts';
import { screens } from '../routes.tsx';
import { texts } from '../texts/app.ts';
import { toastWarning } from '../ui/toasts.ts';
import { decide } from './access.ts';
import { matchesPath, redirectTarget } from './redirect-target.ts';
import { refusedTarget, router } from './router.tsx';

/** Who this is is asked again when the window regains focus, at most this often. */
const USER_LASTS_MS = 60_000;

const all = [...screens.bare, ...screens.inShell];
const targets = all.filter(({ access }) => access !== 'guest').map(({ path }) => path);

/** The screen at an address, if there is one. */
export const screenAt = (path: string) => all.find((screen) => matchesPath(screen.path, path));

/** Takes the browser to where a change of the session leads. */
function follow(before: Session, now: Session): void {
  if (!now.initialised || before === now) return;
  const { pathname, href, search } = router.state.location;
  if (before.authenticated && !now.authenticated) {
    // Who was thrown out comes back to where they were; who left by themselves starts afresh.
    const search = now.notice === null ? {} : { redirect: href };
    void router.navigate({ to: paths.login, search, replace: true });
  } else if (now.authenticated && (!before.authenticated || signsInAgain(before, now))) {
    const to = now.user?.forcePasswordChange
      ? paths.changePassword
      : redirectTarget((search as Record<string, string>)['redirect'], targets);
    void router.navigate({ href: to, replace: true });
  } else if (before.user !== now.user) {
    judgeAgain(pathname);
  }
}

/** After a failed guard somebody may sign in without having been signed out. */
const signsInAgain = (before: Session, now: Session): boolean =>
  before.token !== now.token && router.state.location.pathname === paths.login;

/** What this person may open may have changed: the guard of the present screen decides again. */
function judgeAgain(pathname: string): void {
  void router.invalidate({ filter: (match) => match.pathname === pathname });
}

/** A right that is gone closes the present screen, one that came opens the screen that was refused. */
function followPermissions(before: OwnPermissions, now: OwnPermissions): void {
  const wasKnown = before.record !== null || before.failure !== null;
  if (!wasKnown || now.record === null || before.record === now.record) return;
  const { pathname } = router.state.location;
  const refused = refusedTarget();
  if (pathname !== paths.unauthorized || refused === null) return judgeAgain(pathname);
  const screen = screenAt(new URL(refused, window.location.origin).pathname);
  if (!screen || decide(screen.access, refused, currentSession(), currentMay()).kind !== 'allow') return;
  void router.navigate({ href: refused, replace: true });
}

/** Keeps address, title and focus in step with session and screen. Called once, at the start. */
export function startNavigation(): void {
  let before = currentSession();
  subscribeSession(() => {
    const now = currentSession();
    const was = before;
    before = now;
    follow(was, now);
  });

  const leadTo = (path: string) => (error: ApiError) => {
    if (router.state.location.pathname === path) return;
    toastWarning(error.message);
    void router.navigate({ to: path });
    void refreshUser();
  };
  setConsequences({ passwordChange: leadTo(paths.changePassword), twoStepSetup: leadTo(paths.twoStep) });

  let permissions = currentPermissions();
  subscribePermissions(() => {
    const were = permissions;
    permissions = currentPermissions();
    followPermissions(were, permissions);
  });

  let asked = Date.now();
  window.addEventListener('focus', () => {
    void refreshPermissions();
    if (Date.now() - asked < USER_LASTS_MS) return;
    asked = Date.now();
    void refreshUser();
  });

  const notice = takeViewingNotice();
  if (notice !== null) toastWarning(notice);

  router.subscribe('onResolved', ({ toLocation, pathChanged }) => {
    const title = screenAt(toLocation.pathname)?.title ?? texts.notFoundTitle;
    document.title = `${title} · ${texts.product}`;
    const main = document.querySelector('main');
    if (pathChanged && main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
    // Data Entry stands when its rows do.
    if (toLocation.pathname !== paths.dataEntry) firstScreenStands();
  });
}
