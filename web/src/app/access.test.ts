import type { SessionUser } from '@forecourt/contract/auth';
import type { PermissionChanges } from '@forecourt/contract/permissions';
import { describe, expect, test } from 'vitest';
import { may, type May } from '../platform/may.ts';
import { permissions, person } from '../platform/person.fixture.ts';
import { afterFailedNavigation, decide as decideFor, isMissingScript, type Access } from './access.ts';

type Somebody = { authenticated: boolean; user: SessionUser | null; may: May };

const decide = (access: Access, target: string, { may, ...session }: Somebody) =>
  decideFor(access, target, session, may);

const signedOut: Somebody = { authenticated: false, user: null, may: may(undefined, null) };
const as = (user: SessionUser, changes: PermissionChanges = {}): Somebody => ({
  authenticated: true,
  user,
  may: may(user.role, permissions(changes)),
});
const admin = as(person({ role: 'admin' }));
const clerk = as(person());
const allow = { kind: 'allow' };
const refused = (message: string) => ({
  kind: 'redirect',
  to: '/unauthorized',
  search: { message, code: 'INSUFFICIENT_PERMISSIONS' },
});

describe('who may open a screen', () => {
  test('a public screen opens for everybody', () => {
    expect(decide('any', '/x', signedOut)).toEqual(allow);
    expect(decide('any', '/x', clerk)).toEqual(allow);
  });

  test('a guest-only screen sends the signed-in to the dashboard', () => {
    expect(decide('guest', '/login', signedOut)).toEqual(allow);
    expect(decide('guest', '/login', clerk)).toEqual({ kind: 'redirect', to: '/dashboard' });
  });

  test.each<Access>(['signedIn', 'admin', { page: 'dataEntry' }])(
    'a protected screen (%o) sends the signed-out to sign in and keeps the full target',
    (access) => {
      expect(decide(access, '/data-entry?month=2026-11', signedOut)).toEqual({
        kind: 'redirect',
        to: '/login',
        search: { redirect: '/data-entry?month=2026-11' },
      });
    },
  );

  test('an admin screen refuses everybody else in the words of the specification', () => {
    expect(decide('admin', '/settings/email', admin)).toEqual(allow);
    expect(decide('admin', '/settings/email', clerk)).toEqual(refused('Admin access required'));
  });

  test('a page permission opens its screen, a missing one does not', () => {
    const without = as(person(), { pages: { dataEntry: false } });
    expect(decide({ page: 'dataEntry' }, '/data-entry', clerk)).toEqual(allow);
    expect(decide({ page: 'dataEntry' }, '/data-entry', without)).toEqual(
      refused("You don't have permission to open this page"),
    );
    expect(decide({ page: 'dataEntry' }, '/data-entry', admin)).toEqual(allow);
  });

  test('page and feature are both needed where both are named', () => {
    const access: Access = { page: 'emailTemplates', feature: 'manageTemplates' };
    const manager = as(person(), { features: { manageTemplates: true } });
    const half = as(person(), { features: { manageTemplates: true }, pages: { emailTemplates: false } });
    expect(decide(access, '/email-templates', clerk).kind).toBe('redirect');
    expect(decide(access, '/email-templates', half).kind).toBe('redirect');
    expect(decide(access, '/email-templates', manager)).toEqual(allow);
  });

  test('who must change their password gets nowhere else first', () => {
    const forced = as(person({ forcePasswordChange: true }));
    expect(decide('signedIn', '/dashboard', forced)).toEqual({ kind: 'redirect', to: '/change-password' });
    expect(decide('signedIn', '/change-password', forced)).toEqual(allow);
  });

  test('who must set up two-step sign-in gets nowhere else first, but changes the password before', () => {
    const required = as(person({ mustSetUpTwoStep: true }));
    expect(decide('signedIn', '/dashboard', required)).toEqual({ kind: 'redirect', to: '/two-step' });
    expect(decide('signedIn', '/two-step', required)).toEqual(allow);
    const both = as(person({ mustSetUpTwoStep: true, forcePasswordChange: true }));
    expect(decide('signedIn', '/two-step', both)).toEqual({ kind: 'redirect', to: '/change-password' });
  });

  test('a token without a known person opens no more than any sign-in does', () => {
    const tokenOnly = { authenticated: true, user: null, may: may(undefined, null) };
    expect(decide('signedIn', '/dashboard', tokenOnly)).toEqual(allow);
    expect(decide('admin', '/settings/email', tokenOnly)).toEqual({ kind: 'unknown' });
    expect(decide({ page: 'dataEntry' }, '/data-entry', tokenOnly)).toEqual({ kind: 'unknown' });
  });

  test('somebody whose permissions could not be asked opens no page that needs one', () => {
    const unknown = { ...clerk, may: may('user', null) };
    expect(decide('signedIn', '/dashboard', unknown)).toEqual(allow);
    expect(decide({ page: 'dataEntry' }, '/data-entry', unknown)).toEqual({ kind: 'unknown' });
    expect(decide('admin', '/settings/email', unknown)).toEqual(refused('Admin access required'));
  });
});

describe('a navigation that failed', () => {
  test('leads to the dashboard, or to sign in, or loads the sign-in page anew', () => {
    expect(afterFailedNavigation('/data-entry', true)).toBe('/dashboard');
    expect(afterFailedNavigation('/data-entry', false)).toBe('/login');
    expect(afterFailedNavigation('/dashboard', true)).toBeNull();
    expect(afterFailedNavigation('/login', false)).toBeNull();
  });

  test('is told from a screen that broke, in the words of each browser', () => {
    expect(isMissingScript(new TypeError('Failed to fetch dynamically imported module: http://x/a.js'))).toBe(
      true,
    );
    expect(isMissingScript(new TypeError('error loading dynamically imported module: http://x/a.js'))).toBe(
      true,
    );
    expect(isMissingScript(new Error('Unable to preload CSS for /assets/a.css'))).toBe(true);
    expect(isMissingScript(new TypeError('Importing a module script failed.'))).toBe(true);
    expect(isMissingScript(new TypeError("Cannot read properties of undefined (reading 'x')"))).toBe(false);
  });
});
