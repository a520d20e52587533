import type { PermissionChanges } from '@forecourt/contract/permissions';
import { describe, expect, test } from 'vitest';
import { may, type May } from '../platform/may.ts';
import { permissions } from '../platform/person.fixture.ts';
import { activeEntry, menuOf } from './menu.ts';

const labels = (may: May, isDemo = false): string[] =>
  (['work', 'settings'] as const).flatMap((group) => menuOf(may, group, isDemo).map(({ label }) => label));
const user = (changes: PermissionChanges = {}): May => may('user', permissions(changes));

describe('the menu', () => {
  test('shows everybody the work and nobody else the settings', () => {
    expect(labels(user())).toEqual(['Dashboard', 'Data Entry', 'Reports', 'Changelog', 'Email History']);
  });

  test('has the mailbox in a demo, for everybody', () => {
    expect(labels(user(), true)).toEqual([...labels(user()), 'Mailbox']);
    expect(labels(may('admin', null), true)).toContain('Mailbox');
  });

  test('shows an administrator everything', () => {
    expect(labels(may('admin', null))).toEqual([
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
      'Email Settings',
      'Email Templates',
      'Backups',
      'Audit Logs',
    ]);
  });

  test('shows a settings entry with the view flag of its records', () => {
    expect(labels(user({ dealershipConfiguration: { viewDealerships: true } }))).toContain('Dealerships');
    expect(labels(user({ emailTemplateConfiguration: { viewTemplates: true } }))).toContain(
      'Email Templates',
    );
    expect(labels(user({ itemConfiguration: { viewItems: true } }))).toContain('Item Configuration');
    expect(labels(user({ statusConfiguration: { viewStatuses: true } }))).toContain('Status Configuration');
    expect(labels(user({ pages: { dealerships: true } }))).not.toContain('Dealerships');
  });

  test('shows the work alone while nobody knows what a person may do', () => {
    expect(labels(may('user', null))).toEqual(labels(user()));
    expect(labels(may(undefined, permissions()))).toEqual(labels(user()));
  });

  test('marks the entry under which an address lies', () => {
    expect(activeEntry('/email-templates/7/edit')?.label).toBe('Email Templates');
    expect(activeEntry('/email-templates/history')?.label).toBe('Email History');
    expect(activeEntry('/settings/permissions')?.label).toBe('Users');
    expect(activeEntry('/email-templates-old')).toBeUndefined();
  });
});
