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
} from '@tanstack/react-router';
import { errorWithoutAnswer } from '../platform/api-error.ts';
import { paths } from '../platform/paths.ts';
import { currentMay, currentPermissions, ensurePermissions } from '../platform/permissions.ts';
import { currentSession, initialise, refreshUser } from '../platform/session.ts';
import { screens } from '../routes.tsx';
import { decide, type Access, type Decision } from './access.ts';
import { ErrorScreen } from './ErrorScreen.tsx';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { PendingScreen } from './PendingScreen.tsx';
import { ViewAsBanner } from './ViewAsBanner.tsx';

/** The guard itself has failed: then the sign-in screen stays open also to somebody who is signed in. */
let hasFailed = false;

/** Where somebody was refused last. That screen opens by itself once the right for it is there. */
let refusedAt: string | null = null;
export const refusedTarget = (): string | null => refusedAt;

/** What must be true before a screen opens; `decide` has the rules. */
async function guard(access: Access, location: ParsedLocation): Promise<void> {
  const decision = await judge(access, location.href);
  if (decision.kind === 'unknown') throw currentPermissions().failure ?? errorWithoutAnswer(false);
  if (decision.kind === 'redirect') {
    if (decision.to === paths.unauthorized) refusedAt = location.href;
    throw redirect({ to: decision.to, search: decision.search ?? {}, replace: true });
  }
}

async function judge(access: Access, target: string): Promise<Decision> {
  try {
    const { initialised } = currentSession();
    await initialise();
    // Start-up has just asked who this is; later, somebody still unknown is asked about again.
    if (initialised && currentSession().user === null) await refreshUser();
    if (typeof access === 'object') await ensurePermissions();
    if (access === 'guest' && hasFailed) return { kind: 'allow' };
    hasFailed = false;
    return decide(access, target, currentSession(), currentMay());
  } catch {
    if (access === 'any' || access === 'guest') return { kind: 'allow' };
    hasFailed = true;
    return { kind: 'redirect', to: paths.login, search: { redirect: target, error: 'guard_error' } };
  }
}

const root = createRootRoute({
  component: () => (
    <>
      <ViewAsBanner />
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

/** Where the audit log has been looked for (spec section 2). */
const auditLogElsewhere = createRoute({
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
        return { default: screen };
      }),
    });

/** Query values are plain texts here; the router's own way would make numbers of some. */
const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));
const stringifySearch = (search: Record<string, string>): string => {
  const text = new URLSearchParams(search).toString();
  return text === '' ? '' : `?${text}`;
};

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    auditLogElsewhere,
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
  scrollRestoration: true,
});
