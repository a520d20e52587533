import type { SessionUser } from '@forecourt/contract/auth';
import type { PermissionChanges } from '@forecourt/contract/permissions';
import { describe, expect, test } from 'vitest';
import { type Access, createPermissionSet, type PermissionSet } from '../platform/permission-set.ts';
import { permissions, person } from '../platform/person.fixture.ts';
import { afterFailedNavigation, decide as decideFor } from './access.ts';

type Visitor = { authenticated: boolean; user: SessionUser | null; granted: PermissionSet };

const decide = (access: Access, target: string, { granted, ...session }: Visitor) =>
  decideFor(access, target, session, granted);

const signedOut: Visitor = {
  authenticated: false,
  user: null,
  granted: createPermissionSet(undefined, null),
};
const as = (user: SessionUser, changes: PermissionChanges = {}): Visitor => ({
  authenticated: true,
  user,
  granted: createPermissionSet(user.role, permissions(changes)),
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
  test('a public screen opens for every visitor', () => {
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

  test('an admin screen refuses other users with its message', () => {
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

  test('a required password change precedes every other screen', () => {
    const forced = as(person({ forcePasswordChange: true }));
    expect(decide('signedIn', '/dashboard', forced)).toEqual({ kind: 'redirect', to: '/change-password' });
    expect(decide('signedIn', '/change-password', forced)).toEqual(allow);
  });

  test('a required two-step setup precedes every screen but the password change', () => {
    const required = as(person({ mustSetUpTwoStep: true }));
    expect(decide('signedIn', '/dashboard', required)).toEqual({ kind: 'redirect', to: '/two-step' });
    expect(decide('signedIn', '/two-step', required)).toEqual(allow);
    const both = as(person({ mustSetUpTwoStep: true, forcePasswordChange: true }));
    expect(decide('signedIn', '/two-step', both)).toEqual({ kind: 'redirect', to: '/change-password' });
  });

  test('a token without a known user opens the screens of every signed-in user only', () => {
    const tokenOnly = { authenticated: true, user: null, granted: createPermissionSet(undefined, null) };
    expect(decide('signedIn', '/dashboard', tokenOnly)).toEqual(allow);
    expect(decide('admin', '/settings/email', tokenOnly)).toEqual({ kind: 'unknown' });
    expect(decide({ page: 'dataEntry' }, '/data-entry', tokenOnly)).toEqual({ kind: 'unknown' });
  });

  test('a user without loaded permissions opens no page that requires one', () => {
    const unknown = { ...clerk, granted: createPermissionSet('user', null) };
    expect(decide('signedIn', '/dashboard', unknown)).toEqual(allow);
    expect(decide({ page: 'dataEntry' }, '/data-entry', unknown)).toEqual({ kind: 'unknown' });
    expect(decide('admin', '/settings/email', unknown)).toEqual(refused('Admin access required'));
  });
});

describe('a navigation that failed', () => {
  test('a navigation that failed redirects to the dashboard, or to sign in, or reloads the sign-in page', () => {
    expect(afterFailedNavigation('/data-entry', true)).toBe('/dashboard');
    expect(afterFailedNavigation('/data-entry', false)).toBe('/login');
    expect(afterFailedNavigation('/dashboard', true)).toBeNull();
    expect(afterFailedNavigation('/login', false)).toBeNull();
  });
});
