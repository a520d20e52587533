import { expect, test } from 'vitest';
import { nextSort, sortRows } from './sort-rows.ts';

const names = (given: (string | null)[], descending = false) => sortRows(given, (name) => name, descending);

test('text is sorted ignoring case, with digits as numbers', () => {
  expect(names(['b', 'Å', 'a10', 'A2'])).toEqual(['Å', 'A2', 'a10', 'b']);
  expect(names(['a', 'c', 'b'], true)).toEqual(['c', 'b', 'a']);
});

test('rows without a value are last in both directions', () => {
  expect(names([null, 'a', 'b'])).toEqual(['a', 'b', null]);
  expect(names([null, 'a', 'b'], true)).toEqual(['b', 'a', null]);
});

test('a header cycles through ascending, descending and the original order', () => {
  const first = nextSort(null, 'name');
  expect(first).toEqual({ columnId: 'name', descending: false });
  expect(nextSort(first, 'name')).toEqual({ columnId: 'name', descending: true });
  expect(nextSort(nextSort(first, 'name'), 'name')).toBeNull();
  expect(nextSort(first, 'address')).toEqual({ columnId: 'address', descending: false });
});
