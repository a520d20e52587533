import type { Presence } from '@forecourt/contract/presence';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../platform/api-error.ts';
import { createPresenceSender } from './presence-sender.ts';

const [first, second, third] = ['d-1', 'd-2', 'd-3'].map((dealId): Presence => ({
  month: '2026-11',
  dealId,
  column: 'notes',
})) as [Presence, Presence, Presence];

let said: Presence[];
let failed: number;
let answer: () => Promise<unknown>;
let sender: ReturnType<typeof createPresenceSender>;
beforeEach(() => {
  vi.useFakeTimers();
  [said, failed, answer] = [[], 0, async () => {}];
  sender = createPresenceSender({
    send: (presence) => {
      said.push(presence);
      return answer();
    },
    now: () => performance.now(),
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onFailure: () => (failed += 1),
  });
  return () => vi.useRealTimers();
});

describe('moving', () => {
  test('is said at once, then at most once a second, the newest place only', async () => {
    sender.move(first);
    await vi.advanceTimersByTimeAsync(0);
    sender.move(second);
    sender.move(third);
    await vi.advanceTimersByTimeAsync(1000);
    expect(said).toEqual([first]);
    await vi.advanceTimersByTimeAsync(200);
    expect(said).toEqual([first, third]);
    expect(sender.month()).toBe('2026-11');
  });

  test('to where one is already says nothing', async () => {
    sender.move(first);
    await vi.advanceTimersByTimeAsync(2000);
    sender.move({ ...first });
    await vi.advanceTimersByTimeAsync(2000);
    expect(said).toHaveLength(1);
  });
});

test('where one stays is said again before the server forgets', async () => {
  sender.move(first);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(said.length).toBeGreaterThanOrEqual(3);
});

test('leaving is said at once, and then nothing', async () => {
  sender.move(first);
  await vi.advanceTimersByTimeAsync(0);
  sender.leave();
  sender.leave();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([first, { month: null }]);
  expect(sender.month()).toBeNull();
});

test('another tab of the session has the turn: it is tried again, and nothing has failed', async () => {
  answer = () => Promise.reject(new ApiError(429, 'Too many', 'TOO_MANY_REQUESTS', { message: 'Too many' }));
  sender.move(first);
  await vi.advanceTimersByTimeAsync(0);
  answer = async () => {};
  await vi.advanceTimersByTimeAsync(1100);
  expect(said).toHaveLength(2);
  expect(failed).toBe(0);
});

test('without a line it is told that others are not known any more', async () => {
  answer = () => Promise.reject(new TypeError('no line'));
  sender.move(first);
  await vi.advanceTimersByTimeAsync(0);
  expect(failed).toBe(1);
});
