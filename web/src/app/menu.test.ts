import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionChanges } from '@forecourt/contract/permissions';
import { describe, expect, test } from 'vitest';
import { createPermissionSet, type PermissionSet } from '../platform/permission-set.ts';
import { permissions } from '../platform/person.fixture.ts';
import { activeEntry, menuOf } from './menu.ts';

const labels = (granted: PermissionSet, isDemo = false): string[] =>
  (['work', 'settings'] as const).flatMap((group) =>
    menuOf(granted, group, isDemo).map(({ label }) => label),
  );
const user = (changes: PermissionChanges = {}): PermissionSet =>
  createPermissionSet('user', permissions(changes));

describe('the menu', () => {
  test('the menu shows the work to every user and the settings to administrators only', () => {
    expect(labels(user())).toEqual([
      'Dashboard',
      'Data Entry',
      'Changes',
      'Do Not Contact',
      'Reports',
      'Changelog',
      'Email History',
    ]);
  });

  test('the menu has the mailbox in a demo, for every user', () => {
    expect(labels(user(), true)).toEqual([...labels(user()), 'Mailbox']);
    const admin = createPermissionSet('admin', null);
    expect(labels(admin)).toEqual(labels(admin, true).filter((label) => label !== 'Mailbox'));
  });

  test('the menu shows an administrator of a demo everything', () => {
    // Written with the pictures of README.md.
    const listed = readFileSync(join(import.meta.dirname, '../../../docs/images/menu.txt'), 'utf8');
    expect(listed).toContain('Audit Logs');
    expect(labels(createPermissionSet('admin', null), true)).toEqual(listed.trim().split('\n'));
  });

  test('the menu shows a settings entry with the view permission of its records alone', () => {
    const views = {
      dealershipConfiguration: { viewDealerships: true },
      itemConfiguration: { viewItems: true },
      statusConfiguration: { viewStatuses: true },
      emailTemplateConfiguration: { viewTemplates: true },
    };
    expect(labels(user(views))).toEqual([
      ...labels(user()),
      'Dealerships',
      'Item Configuration',
      'Status Configuration',
      'Email Templates',
    ]);
    const opens = {
      features: { manageTemplates: true, manageItems: true },
      pages: { statusConfiguration: true, dealerships: true },
    };
    expect(labels(user(opens))).toEqual(labels(user()));
  });

  test('the menu shows Month Close to those who may open it', () => {
    const features = { closeMonths: true };
    expect(labels(user({ features }))).toContain('Month Close');
    expect(labels(user({ features, pages: { dataEntry: false } }))).not.toContain('Month Close');
  });

  test('the menu shows only the work until permissions are known', () => {
    expect(labels(createPermissionSet('user', null))).toEqual(labels(user()));
    expect(labels(createPermissionSet(undefined, permissions()))).toEqual(labels(user()));
  });

  test('the menu marks the entry of an address', () => {
    expect(activeEntry('/email-templates/7/edit')?.label).toBe('Email Templates');
    expect(activeEntry('/email-templates/history')?.label).toBe('Email History');
    expect(activeEntry('/settings/permissions')?.label).toBe('Users');
    expect(activeEntry('/statements/7')?.label).toBe('Reports');
    expect(activeEntry('/email-templates-old')).toBeUndefined();
  });
});
