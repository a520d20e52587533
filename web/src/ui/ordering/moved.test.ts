import { expect, test } from 'vitest';
import { inOrder, moved } from './moved.ts';

const ids = ['a', 'b', 'c', 'd'];

test.each([
  ['a', { beside: 'c', side: 'after' }, 'bcad'],
  ['a', { beside: 'c', side: 'before' }, 'bacd'],
  ['d', { beside: 'a', side: 'before' }, 'dabc'],
  ['b', { beside: 'd', side: 'after' }, 'acdb'],
  ['b', { beside: 'a', side: 'after' }, 'abcd'],
] as const)('a row that is moved %s results in the order %o', (id, place, after) => {
  expect(moved(ids, id, place).join('')).toBe(after);
});

test('rows added meanwhile are last', () => {
  const rows = ['a', 'new', 'b', 'c'].map((_id) => ({ _id }));
  expect(inOrder(rows, ['c', 'a', 'gone', 'b']).map(({ _id }) => _id)).toEqual(['c', 'a', 'b', 'new']);
});
