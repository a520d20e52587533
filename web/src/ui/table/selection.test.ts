import { expect, test } from 'vitest';
import { toggled } from './selection.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
const after = (selected: string[], key: string, from?: string) => [
  ...toggled(new Set(selected), keys, key, from),
];

test('a click selects a row, and the next one deselects it', () => {
  expect(after(['a'], 'c')).toEqual(['a', 'c']);
  expect(after(['a', 'c'], 'c')).toEqual(['a']);
});

test('a Shift click applies to every row since the last click, in both directions', () => {
  expect(after(['b'], 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(after(['d'], 'b', 'd')).toEqual(['d', 'b', 'c']);
  expect(after(['a', 'b', 'c', 'd', 'e'], 'd', 'b')).toEqual(['a', 'e']);
});

test('Shift is ignored when the row clicked before is gone', () => {
  expect(after([], 'd', 'filtered away')).toEqual(['d']);
});
