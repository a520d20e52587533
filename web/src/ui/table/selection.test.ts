import { expect, test } from 'vitest';
import { toggled } from './selection.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
const after = (selected: string[], key: string, from?: string) => [
  ...toggled(new Set(selected), keys, key, from),
];

test('a press takes one row in, and the next one takes it out', () => {
  expect(after(['a'], 'c')).toEqual(['a', 'c']);
  expect(after(['a', 'c'], 'c')).toEqual(['a']);
});

test('a press with Shift does the same to every row since the last press, in both directions', () => {
  expect(after(['b'], 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(after(['d'], 'b', 'd')).toEqual(['d', 'b', 'c']);
  expect(after(['a', 'b', 'c', 'd', 'e'], 'd', 'b')).toEqual(['a', 'e']);
});

test('where the row pressed before is gone, Shift means nothing', () => {
  expect(after([], 'd', 'filtered away')).toEqual(['d']);
});
