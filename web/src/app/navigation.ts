import { setConsequences } from '../platform/api.ts';
import { paths } from '../platform/paths.ts';
import { currentSession, refreshUser, subscribeSession, type Session } from '../platform/session.ts';
import { screens } from '../routes.tsx';
import { texts } from '../texts/app.ts';
import { toastWarning } from '../ui/toasts.ts';
import { matchesPath, redirectTarget } from './redirect-target.ts';
import { router } from './router.tsx';

/** Permissions are asked for again when the window regains focus, at most this often (spec section 4). */
const PERMISSIONS_LAST_MS = 60_000;

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
  } else if (!before.authenticated && now.authenticated) {
    const to = now.user?.forcePasswordChange
      ? paths.changePassword
      : redirectTarget((search as Record<string, string>)['redirect'], targets);
    void router.navigate({ href: to, replace: true });
  } else if (before.user !== now.user) {
    // What this person may open may have changed: the guard of the present screen decides again.
    void router.invalidate({ filter: (match) => match.pathname === pathname });
  }
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

  setConsequences({
    passwordChange: (error) => {
      if (router.state.location.pathname === paths.changePassword) return;
      toastWarning(error.message);
      void router.navigate({ to: paths.changePassword });
      void refreshUser();
    },
  });

  let asked = Date.now();
  window.addEventListener('focus', () => {
    if (Date.now() - asked < PERMISSIONS_LAST_MS) return;
    asked = Date.now();
    void refreshUser();
  });

  router.subscribe('onResolved', ({ toLocation, pathChanged }) => {
    const title = screenAt(toLocation.pathname)?.title ?? texts.notFoundTitle;
    document.title = `${title} · ${texts.product}`;
    const main = document.querySelector('main');
    if (pathChanged && main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  });
}
