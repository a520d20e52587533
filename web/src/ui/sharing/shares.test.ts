import { expect, test } from 'vitest';
import { candidatesOf, isSameSharing } from './shares.ts';

const person = (name: string) => ({ _id: name, name, email: `${name}@example.com` });
const share = (userId: string, permissions = 'read') => ({ userId, permissions, user: { name: userId } });
const labels = (people: { label: string }[]) => people.map(({ label }) => label);

test('candidates have name and email, and exclude the owner', () => {
  expect(labels(candidatesOf([person('ann'), person('bob')], [], 'ann'))).toEqual(['bob (bob@example.com)']);
});

test('users with a share are first, also inactive ones', () => {
  const people = [person('ann'), person('bob'), person('cid')];
  expect(labels(candidatesOf(people, [share('cid'), share('liz')], undefined))).toEqual([
    'cid (cid@example.com)',
    'liz (no longer active)',
    'ann (ann@example.com)',
    'bob (bob@example.com)',
  ]);
});

test('equal users and levels are the same sharing in any order', () => {
  const ann = share('ann');
  const bob = share('bob', 'write');
  expect(isSameSharing([ann, bob], [bob, ann])).toBe(true);
  expect(isSameSharing([ann, bob], [ann])).toBe(false);
  expect(isSameSharing([ann], [share('ann', 'write')])).toBe(false);
  expect(isSameSharing([ann], [bob])).toBe(false);
});
