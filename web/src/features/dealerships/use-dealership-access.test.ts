import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accessOf, waitUntil } from './use-dealership-access.ts';

const facts = { isLoaded: true, isLate: false, canViewAll: false, seen: undefined };

describe('the access to Dealership Settings', () => {
  test.each([
    ['waiting', { isLoaded: false }],
    ['late', { isLoaded: false, isLate: true }],
    ['canView', { canViewAll: true }],
    ['canView', { canViewAll: true, seen: 0 }],
    ['canView', { seen: 1 }],
    ['redirected', { seen: 0 }],
  ])('the access to Dealership Settings is %s with %j', (access, changes) => {
    expect(accessOf({ ...facts, ...changes })).toBe(access);
  });

  test('the access to Dealership Settings is not lost while the list is not loaded, or could not be', () => {
    expect(accessOf(facts)).toBe('canView');
  });
});

describe('a wait for a condition', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const limits = { limitMs: 3000, everyMs: 100 };
  const never = () => new AbortController().signal;

  test('a wait for a condition ends at once if it is true', async () => {
    await expect(waitUntil(() => true, { ...limits, signal: never() })).resolves.toBe(true);
  });

  test('a wait for a condition checks it every 100 ms', async () => {
    let isSo = false;
    const waiting = waitUntil(() => isSo, { ...limits, signal: never() });
    await vi.advanceTimersByTimeAsync(1050);
    isSo = true;
    await vi.advanceTimersByTimeAsync(50);
    await expect(waiting).resolves.toBe(true);
  });

  test('a wait for a condition gives up after 3 s', async () => {
    const waiting = waitUntil(() => false, { ...limits, signal: never() });
    const ended = vi.fn<(isSo: boolean) => void>();
    void waiting.then(ended);
    await vi.advanceTimersByTimeAsync(2999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith(false);
  });

  test('a wait for a condition stops when aborted', async () => {
    const leaving = new AbortController();
    const waiting = waitUntil(() => false, { ...limits, signal: leaving.signal });
    const ended = waiting.catch((reason: unknown) => reason);
    leaving.abort('left');
    await vi.advanceTimersByTimeAsync(100);
    expect(await ended).toBe('left');
  });
});
