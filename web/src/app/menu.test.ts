import { permissionDefaults } from '@forecourt/contract/permission-defaults';
import type { PermissionChanges } from '@forecourt/contract/permissions';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPermissionSet, type PermissionSet } from '../platform/permission-set.ts';
import { permissions, person } from '../platform/person.fixture.ts';
import { screens } from '../routes.tsx';
import { decide } from './access.ts';
import { activeEntry, menuOf } from './menu.ts';
import { matchesPath } from './redirect-target.ts';

const labels = (granted: PermissionSet, isDemo = false): string[] =>
  (['work', 'settings'] as const).flatMap((group) =>
    menuOf(granted, group, isDemo).map(({ label }) => label),
  );
const user = (changes: PermissionChanges = {}): PermissionSet =>
  createPermissionSet('user', permissions(changes));

/** Any record: each flag on or off. */
const records = fc.record(
  Object.fromEntries(
    Object.entries(permissionDefaults).map(([group, flags]) => [
      group,
      fc.record(Object.fromEntries(Object.keys(flags).map((flag) => [flag, fc.boolean()]))),
    ]),
  ),
) as unknown as fc.Arbitrary<PermissionChanges>;

describe('the menu', () => {
  test('shows the work to every user and the settings to administrators only', () => {
    expect(labels(user())).toEqual(['Dashboard', 'Data Entry', 'Reports', 'Changelog', 'Email History']);
  });

  test('has the mailbox in a demo, for every user', () => {
    expect(labels(user(), true)).toEqual([...labels(user()), 'Mailbox']);
    expect(labels(createPermissionSet('admin', null), true)).toContain('Mailbox');
  });

  test('shows an administrator everything', () => {
    expect(labels(createPermissionSet('admin', null))).toEqual([
      'Dashboard',
      'Data Entry',
      'Reports',
      'Changelog',
      'Email History',
      'Exports',
      'Users',
      'General',
      'Dealerships',
      'Item Configuration',
      'Status Configuration',
      'Custom Fields',
      'Email Settings',
      'Email Templates',
      'Backups',
      'Background Work',
      'Audit Logs',
    ]);
  });

  test('shows a settings entry with the view flag of its records, if its screen opens', () => {
    expect(labels(user({ dealershipConfiguration: { viewDealerships: true } }))).toContain('Dealerships');
    const views = {
      emailTemplateConfiguration: { viewTemplates: true },
      itemConfiguration: { viewItems: true },
      statusConfiguration: { viewStatuses: true },
    };
    expect(labels(user(views))).toEqual(labels(user()));
    const opens = {
      features: { manageTemplates: true, manageItems: true },
      pages: { statusConfiguration: true },
    };
    expect(labels(user(opens))).toEqual(labels(user()));
    expect(labels(user({ ...views, ...opens }))).toEqual([
      ...labels(user()),
      'Item Configuration',
      'Status Configuration',
      'Email Templates',
    ]);
    expect(labels(user({ pages: { dealerships: true } }))).not.toContain('Dealerships');
  });

  test('has no settings entry whose screen does not open, for any permissions', () => {
    const session = { authenticated: true, user: person() };
    fc.assert(
      fc.property(records, (record) => {
        const granted = user(record);
        for (const { to } of menuOf(granted, 'settings', false)) {
          const { access } = screens.inShell.find(({ path }) => matchesPath(path, to))!;
          expect(decide(access, to, session, granted).kind, to).toBe('allow');
        }
      }),
    );
  });

  test('shows only the work until permissions are known', () => {
    expect(labels(createPermissionSet('user', null))).toEqual(labels(user()));
    expect(labels(createPermissionSet(undefined, permissions()))).toEqual(labels(user()));
  });

  test('marks the entry of an address', () => {
    expect(activeEntry('/email-templates/7/edit')?.label).toBe('Email Templates');
    expect(activeEntry('/email-templates/history')?.label).toBe('Email History');
    expect(activeEntry('/settings/permissions')?.label).toBe('Users');
    expect(activeEntry('/email-templates-old')).toBeUndefined();
  });
});
