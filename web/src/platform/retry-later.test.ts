import { beforeEach, expect, test } from 'vitest';
import { createRetry, createThrottle } from './retry-later.ts';

let timers: { run: () => void; ms: number }[];
let runs: number;
let retry: ReturnType<typeof createRetry>;
beforeEach(() => {
  timers = [];
  runs = 0;
  retry = createRetry(
    (run, ms) => {
      const timer = { run, ms };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    () => (runs += 1),
  );
});

/** Fails and ends the wait that follows. Returns that wait in milliseconds. */
function failAndWait(): number | undefined {
  retry.afterFailure();
  const timer = timers.pop();
  timer?.run();
  return timer?.ms;
}

test('a retry doubles the wait from 1 s to 30 s', () => {
  expect(Array.from({ length: 7 }, failAndWait)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(runs).toBe(7);
});

test('a retry has one wait at a time, however many calls fail', () => {
  for (let count = 0; count < 5; count += 1) retry.afterFailure();
  expect(timers.map(({ ms }) => ms)).toEqual([1000]);
});

test('a retry begins with the shortest wait again after a success', () => {
  failAndWait();
  failAndWait();
  retry.afterSuccess();
  expect(failAndWait()).toBe(1000);
});

test('a stop cancels the wait and forgets the failures', () => {
  failAndWait();
  retry.afterFailure();
  retry.stop();
  expect(timers).toEqual([]);
  retry.stop();
  expect(failAndWait()).toBe(1000);
});

test('a throttled function runs once for all calls until then, and again for later ones', () => {
  const throttled = createThrottle(
    (run, ms) => timers.push({ run, ms }),
    () => (runs += 1),
    400,
  );
  throttled();
  throttled();
  expect([runs, timers.map(({ ms }) => ms)]).toEqual([0, [400]]);
  timers.pop()?.run();
  expect(runs).toBe(1);
  throttled();
  timers.pop()?.run();
  expect(runs).toBe(2);
});
