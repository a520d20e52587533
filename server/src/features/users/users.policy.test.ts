import { defaultRecord } from '@forecourt/contract/permissions';
import { describe, expect, test } from 'vitest';
import type { Viewer } from '../../platform/http/context.ts';
import { adminRemains, canGiveEntry, isStillAdmin, mayShare } from './users.policy.ts';

const viewer = (pages: object, features: object, role: 'admin' | 'user' = 'user') =>
  ({
    role,
    permissions: {
      ...defaultRecord,
      pages: { ...defaultRecord.pages, dataEntry: false, ...pages },
      features: { ...defaultRecord.features, ...features },
    },
  }) as Viewer;

describe('who may look up colleagues', () => {
  test.each([
    ['an administrator', viewer({}, {}, 'admin'), true],
    ['who opens Data Entry', viewer({ dataEntry: true }, {}), true],
    ['who manages templates', viewer({ emailTemplates: true }, { manageTemplates: true }), true],
    ['who manages items', viewer({}, { manageItems: true }), true],
    ['who has the templates page alone', viewer({ emailTemplates: true }, {}), 'INSUFFICIENT_PERMISSIONS'],
    [
      'who has lost that page',
      viewer({ emailTemplates: false }, { manageTemplates: true }),
      'INSUFFICIENT_PERMISSIONS',
    ],
    ['who has nothing of it', viewer({}, {}), 'INSUFFICIENT_PERMISSIONS'],
  ])('%s', (_who, person, allowed) => {
    expect(mayShare.allows?.(person)).toBe(allowed);
  });
});

test('ways in are given to others, not to oneself', () => {
  expect(canGiveEntry({ userId: 'a' }, { id: 'b' })).toBe(true);
  expect(canGiveEntry({ userId: 'a' }, { id: 'a' })).toBe('OWN_ACCOUNT');
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
  ])('is not let go %s', (_case, people, remains) => {
    expect(adminRemains(people, 'ada')).toBe(remains);
  });

  test('whoever was demoted or deactivated meanwhile is none any more', () => {
    expect(isStillAdmin({ userId: 'ada' }, [ada])).toBe(true);
    expect(isStillAdmin({ userId: 'left' }, [ada, left])).toBe(false);
    expect(isStillAdmin({ userId: 'kim' }, [ada, kim])).toBe(false);
  });
});
