import { Button, Loader } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  type AnyRoute,
  type ParsedLocation,
  Link,
} from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { errorWithoutResponse } from '../platform/api-error.ts';
import { paths } from '../platform/paths.ts';
import type { Access } from '../platform/permission-set.ts';
import { currentPermissions, currentPermissionState, ensurePermissions } from '../platform/permissions.ts';
import { currentSession, initialise, refreshUser } from '../platform/session.ts';
import { viewing } from '../platform/view-as.ts';
import { screens } from '../routes.tsx';
import { texts } from '../texts/app.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { decide, type Decision } from './access.ts';
import { ErrorScreen } from './ErrorScreen.tsx';
import styles from './Standalone.module.css';

/** After the guard itself has failed, the sign-in screen opens for signed-in users too. */
let hasFailed = false;

/** The URL that was refused last. Its screen opens automatically once the user gets the permission. */
let refusedAt: string | null = null;
export const refusedTarget = (): string | null => refusedAt;

/** Throws a redirect or an error unless the screen may open, by the rules of `decide`. */
async function guard(access: Access, location: ParsedLocation): Promise<void> {
  const decision = await evaluate(access, location.href);
  if (decision.kind === 'unknown') {
    throw currentSession().failure ?? currentPermissionState().failure ?? errorWithoutResponse(false);
  }
  if (decision.kind === 'redirect') {
    if (decision.to === paths.unauthorized) refusedAt = location.href;
    throw redirect({ to: decision.to, search: decision.search ?? {}, replace: true });
  }
}

async function evaluate(access: Access, target: string): Promise<Decision> {
  try {
    const { initialised } = currentSession();
    await initialise();
    // At start-up the user has just been loaded; later, a screen that depends on the user loads it again.
    const { user, failure } = currentSession();
    const needsUser = failure === null || (access !== 'signedIn' && access !== 'any');
    if (initialised && user === null && needsUser) await refreshUser();
    if (typeof access === 'object') await ensurePermissions();
    if (access === 'guest' && hasFailed) return { kind: 'allow' };
    hasFailed = false;
    return decide(access, target, currentSession(), currentPermissions());
  } catch {
    if (access === 'any' || access === 'guest') return { kind: 'allow' };
    hasFailed = true;
    return { kind: 'redirect', to: paths.login, search: { redirect: target, error: 'guard_error' } };
  }
}

const ViewAsBanner = lazyPart(() => import('./ViewAsBanner.tsx'));

const root = createRootRoute({
  component: () => (
    <>
      {viewing !== null && (
        <Suspense>
          <ViewAsBanner />
        </Suspense>
      )}
      <Outlet />
    </>
  ),
  notFoundComponent: NotFoundScreen,
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('./Shell.tsx'), 'Shell'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  beforeLoad: () => {
    throw redirect({ to: paths.dashboard, replace: true });
  },
});

/** The audit log had this URL in earlier releases (docs/product/screens.md, Who opens a screen). */
const formerAuditLog = createRoute({
  getParentRoute: () => root,
  path: '/security/audit-log',
  beforeLoad: () => {
    throw redirect({ to: paths.auditLogs, replace: true });
  },
});

const below =
  (parent: AnyRoute) =>
  ({ path, access, load, exists, isLean }: (typeof screens.bare)[number]) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      beforeLoad: async ({ location }) => {
        await guard(access, location);
        if (exists && !(await exists())) notFound({ throw: true });
      },
      component: lazyRouteComponent(async () => {
        const styles = isLean ? null : import('../ui/styles-more.ts');
        const [screen] = await Promise.all([load(), styles]);
        return screen;
      }),
    });

/** Query values stay texts; the router's default would parse some as numbers. */
const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));
const stringifySearch = (search: Record<string, string>): string => {
  const text = new URLSearchParams(search).toString();
  return text === '' ? '' : `?${text}`;
};

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    formerAuditLog,
    ...screens.bare.map(below(root)),
    shell.addChildren(screens.inShell.map(below(shell))),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  defaultPendingComponent: PendingScreen,
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  // The table of deals stays mounted below the page of a row and restores its own scroll position. The router's may be
  // outdated, because it is stored only on scroll events.
  scrollRestoration: ({ location }) => !location.pathname.startsWith(paths.dataEntry),
});

function NotFoundScreen(): ReactNode {
  return (
    <main className={`ui-center ${styles.center}`}>
      <div className="ui-stack ui-gap-0 ui-centered">
        <p className={styles.code}>404</p>
        <h1>{texts.notFoundTitle}</h1>
        <p className={`ui-muted ${styles.text}`}>{texts.notFound}</p>
        <Button component={Link} to={paths.dashboard}>
          {texts.toDashboard}
        </Button>
      </div>
    </main>
  );
}

function PendingScreen(): ReactNode {
  return (
    <output className={`ui-center ${styles.center}`} aria-label={texts.loading}>
      <Loader size={20} />
    </output>
  );
}
