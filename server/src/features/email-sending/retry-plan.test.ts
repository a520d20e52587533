import { expect, test } from 'vitest';
import { nextDelay } from './retry-plan.ts';

test('delays increase from a minute to an hour', () => {
  expect([1, 2, 3, 4, 5, 20].map((attempts) => nextDelay(attempts, 0))).toEqual([
    60, 300, 900, 3600, 3600, 3600,
  ]);
});

test('a message is given up when it would be older than a day', () => {
  expect(nextDelay(20, 23 * 3600)).toBe(3600);
  expect(nextDelay(20, 23 * 3600 + 1)).toBeNull();
});
