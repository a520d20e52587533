import { expect, test } from 'vitest';
import { matchingPeople } from './matching-people.ts';

const kim = { userId: 'k', name: 'Kim Lee', email: 'kim@example.com' };
const bob = { userId: 'b', name: 'Bob Marsh', email: 'b.marsh@example.com' };

test('people are found by a part of their name or address, ignoring case', () => {
  expect(matchingPeople([kim, bob], ' LEE ')).toEqual([kim]);
  expect(matchingPeople([kim, bob], 'b.marsh@')).toEqual([bob]);
  expect(matchingPeople([kim, bob], '')).toEqual([kim, bob]);
  expect(matchingPeople([kim, bob], 'nobody')).toEqual([]);
});
