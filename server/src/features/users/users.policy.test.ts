import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { describe, expect, test } from 'vitest';
import type { Viewer } from '../../platform/http/context.ts';
import { hasRemainingAdmin, canManageSignIn, isStillAdmin, canShare } from './users.policy.ts';

const viewer = (pages: object, features: object, role: 'admin' | 'user' = 'user') =>
  ({
    role,
    permissions: {
      ...defaultRecord,
      pages: { ...defaultRecord.pages, dataEntry: false, ...pages },
      features: { ...defaultRecord.features, ...features },
    },
  }) as Viewer;

describe('the directory', () => {
  test.each([
    ['an administrator', viewer({}, {}, 'admin'), true],
    ['with Data Entry', viewer({ dataEntry: true }, {}), true],
    ['with templates', viewer({ emailTemplates: true }, { manageTemplates: true }), true],
    ['with items', viewer({ itemConfiguration: true }, { manageItems: true }), true],
    ['with the templates page only', viewer({ emailTemplates: true }, {}), 'INSUFFICIENT_PERMISSIONS'],
    [
      'with manageItems but without the items page',
      viewer({ itemConfiguration: false }, { manageItems: true }),
      'INSUFFICIENT_PERMISSIONS',
    ],
    [
      'without the templates page',
      viewer({ emailTemplates: false }, { manageTemplates: true }),
      'INSUFFICIENT_PERMISSIONS',
    ],
    ['without any of them', viewer({}, {}), 'INSUFFICIENT_PERMISSIONS'],
  ])('the directory of users can be read: %s', (_who, person, allowed) => {
    expect(canShare.allows?.(person)).toBe(allowed);
  });
});

test('administrators give access to others only', () => {
  expect(canManageSignIn({ userId: 'a' }, { id: 'b' })).toBe(true);
  expect(canManageSignIn({ userId: 'a' }, { id: 'a' })).toBe('OWN_ACCOUNT');
});

describe('the last administrator', () => {
  const ada = { id: 'ada', role: 'admin', is_active: true };
  const left = { id: 'left', role: 'admin', is_active: false };
  const kim = { id: 'kim', role: 'user', is_active: true };

  test.each([
    ['alone', [ada], false],
    ['beside an inactive one', [ada, left], false],
    ['beside people of role user', [ada, kim], false],
    ['beside another one', [ada, { ...ada, id: 'bea' }], true],
  ])('a change leaves an administrator or not, %s', (_case, people, remains) => {
    expect(hasRemainingAdmin(people, 'ada')).toBe(remains);
  });

  test('a user demoted or deactivated meanwhile is no administrator', () => {
    expect(isStillAdmin({ userId: 'ada' }, [ada, kim])).toBe(true);
    expect(isStillAdmin({ userId: 'left' }, [ada, left])).toBe(false);
    expect(isStillAdmin({ userId: 'kim' }, [ada, kim])).toBe(false);
  });
});
