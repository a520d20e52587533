import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitUntil } from './wait-until.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { limitMs: 3000, everyMs: 100 };
const never = () => new AbortController().signal;

test('resolves at once when the condition is true', async () => {
  await expect(waitUntil(() => true, { ...limits, signal: never() })).resolves.toBe(true);
});

test('polls every 100 ms', async () => {
  let isSo = false;
  const waiting = waitUntil(() => isSo, { ...limits, signal: never() });
  await vi.advanceTimersByTimeAsync(1050);
  isSo = true;
  await vi.advanceTimersByTimeAsync(50);
  await expect(waiting).resolves.toBe(true);
});

test('gives up after 3 s', async () => {
  const waiting = waitUntil(() => false, { ...limits, signal: never() });
  const ended = vi.fn<(isSo: boolean) => void>();
  void waiting.then(ended);
  await vi.advanceTimersByTimeAsync(2999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledWith(false);
});

test('stops when aborted', async () => {
  const leaving = new AbortController();
  const waiting = waitUntil(() => false, { ...limits, signal: leaving.signal });
  const ended = waiting.catch((reason: unknown) => reason);
  leaving.abort('left');
  await vi.advanceTimersByTimeAsync(100);
  expect(await ended).toBe('left');
});
