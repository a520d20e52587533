import { kindsWith } from '@forecourt/contract/record-kinds';
import type { Belongings } from '@forecourt/contract/users';
import { describe, expect, test } from 'vitest';
import { formatBelongings, reviewOf } from './TransferAll.tsx';

const values = { targetUserId: 'x', keepSharing: false, deactivate: false, reason: '' };
/** Returns these belongings, and none of the other kinds. */
const belongings = (owned: Partial<Belongings>): Belongings => ({
  ...(Object.fromEntries(kindsWith('owned').map((kind) => [kind.owned, 0])) as Belongings),
  deals: 0,
  dealViews: 0,
  ...owned,
});
const owned = belongings({ dealerships: 2, deals: 1200 });

describe('a user’s records as text', () => {
  test.each([
    [{}, ''],
    [{ dealerships: 1 }, '1 dealership'],
    [{ dealerships: 2, deals: 1200 }, '2 dealerships and 1,200 deals'],
    [
      { dealerships: 1, emailTemplates: 2, items: 1, deals: 3, dealViews: 2 },
      '1 dealership, 2 email templates, 1 item, 3 deals and 2 shared views',
    ],
  ])('the records of a user are counted in words: %j', (some, text) => {
    expect(formatBelongings(belongings(some))).toBe(text);
  });
});

describe('the review', () => {
  test('the review of a transfer lists records, access, account and reason', () => {
    const lea = { name: 'Lea', isActive: true };
    expect(reviewOf(lea, 'Hal', owned, { ...values, deactivate: true, reason: ' Left ' })).toEqual([
      '2 dealerships and 1,200 deals of Lea will belong to Hal.',
      'Lea loses the access that came with owning them.',
      'Lea is signed out everywhere and can no longer sign in.',
      'The audit log keeps the reason: Left',
    ]);
  });

  test('the review of a transfer omits an account that is already inactive', () => {
    const lea = { name: 'Lea', isActive: false };
    expect(reviewOf(lea, 'Hal', owned, { ...values, keepSharing: true })).toEqual([
      '2 dealerships and 1,200 deals of Lea will belong to Hal.',
      'Lea may still see and edit them.',
    ]);
  });
});
