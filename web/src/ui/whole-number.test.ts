import { expect, test } from 'vitest';
import { wholeNumberOf } from './whole-number.ts';

test.each([
  ['1', 1],
  ['22', 22],
  [' 100 ', 100],
  ['0', 0],
  [5, 5],
])('%j is the whole number %d', (typed, number) => {
  expect(wholeNumberOf(typed)).toBe(number);
});
test.each(['', ' ', '-1', '-22', '2.5', '2.0', '1,000', '2e1', '0x16', 'many', -5, 2.5, Number.NaN])(
  '%j is refused as a whole number',
  (typed) => {
    expect(wholeNumberOf(typed)).toBeNaN();
  },
);
