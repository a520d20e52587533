import { describe, expect, test } from 'vitest';
import { may } from '../platform/permissions.ts';
import { person } from '../platform/person.fixture.ts';
import { activeEntry, menuOf } from './menu.ts';

const labels = (user: Parameters<typeof may>[0]): string[] =>
  (['work', 'settings'] as const).flatMap((group) => menuOf(may(user), group).map(({ label }) => label));

describe('the menu', () => {
  test('shows everybody the work and nobody else the settings', () => {
    expect(labels(person())).toEqual(['Dashboard', 'Data Entry', 'Email History']);
  });

  test('shows an administrator everything', () => {
    expect(labels(person({ role: 'admin' }))).toEqual([
      'Dashboard',
      'Data Entry',
      'Email History',
      'Dealerships',
      'Email Settings',
      'Email Templates',
    ]);
  });

  test('shows a settings entry with the view flag of its records', () => {
    expect(labels(person({ dealershipConfiguration: { viewDealerships: true } }))).toContain('Dealerships');
    expect(labels(person({ emailTemplateConfiguration: { viewTemplates: true } }))).toContain(
      'Email Templates',
    );
    expect(labels(person({ pages: { dealerships: true } }))).not.toContain('Dealerships');
  });

  test('marks the entry under which an address lies', () => {
    expect(activeEntry('/email-templates/7/edit')?.label).toBe('Email Templates');
    expect(activeEntry('/email-templates/history')?.label).toBe('Email History');
    expect(activeEntry('/email-templates-old')).toBeUndefined();
  });
});
