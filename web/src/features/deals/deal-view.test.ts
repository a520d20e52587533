import { expect, test } from 'vitest';
import { viewOf } from './deal-view.ts';

test.each([
  ['Ann’s 😀', 'Ann’s 😀'],
  ['Ann\tSmith', 'Ann\tSmith'],
  ['x'.repeat(120), 'x'.repeat(120)],
  ['x'.repeat(121), ''],
  ['a\u0000b', ''],
])('the search %j of an address is %j', (search, shown) => {
  expect(viewOf({ search }, '2026-11', null).search).toBe(shown);
});

test.each([
  ['2026-10', '2026-10'],
  ['2026-13', '2026-11'],
  ['0000-00', '2026-11'],
  ['9999-99', '2026-11'],
  ['October', '2026-11'],
])('the month %s of an address is %s', (month, shown) => {
  expect(viewOf({ month }, '2026-11', null).month).toBe(shown);
});
