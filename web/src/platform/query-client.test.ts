import { QueryObserver, type DataTag } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, errorWithoutResponse } from './api-error.ts';
import { queryClient, storeResponse } from './query-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

/** A screen that shows the result of `load`. */
function show(load: () => Promise<string>) {
  const loads = vi.fn<() => Promise<string>>(load);
  const observer = new QueryObserver(queryClient, { queryKey: ['shown'], queryFn: loads });
  return { loads, stop: observer.subscribe(() => undefined), now: () => observer.getCurrentResult() };
}

test('a failed first load is shown at once and recovers by itself', async () => {
  let isDown = true;
  const screen = show(() => (isDown ? Promise.reject(errorWithoutResponse(true)) : Promise.resolve('rows')));
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.now().error).toMatchObject({ code: 'TIMEOUT' });
  expect(screen.loads).toHaveBeenCalledOnce();
  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(screen.now().data).toBe('rows');
  expect(screen.loads).toHaveBeenCalledTimes(2);
  screen.stop();
});

test('a load that fails again is repeated after twice the wait', async () => {
  const screen = show(() => Promise.reject(errorWithoutResponse(false)));
  // After 0, 1, 3 and 7 s.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(screen.loads).toHaveBeenCalledTimes(4);
  screen.stop();
});

test('a first load that a change has made stale is repeated when its response arrives', async () => {
  const first = Promise.withResolvers<string>();
  const responses = [first.promise, Promise.resolve('after the change')];
  const screen = show(() => responses.shift()!);
  // The second one as after a burst of events.
  for (let count = 0; count < 2; count += 1) void queryClient.invalidateQueries({ queryKey: ['shown'] });
  first.resolve('before the change');
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.now().data).toBe('after the change');
  expect(screen.loads).toHaveBeenCalledTimes(2);
  screen.stop();
});

test('a load that succeeds cancels the scheduled one', async () => {
  const results = [Promise.reject(errorWithoutResponse(false)), Promise.resolve('rows')];
  results[0]!.catch(() => undefined);
  const screen = show(() => results.shift()!);
  await vi.advanceTimersByTimeAsync(500);
  await queryClient.refetchQueries({ queryKey: ['shown'] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(screen.now().data).toBe('rows');
  expect(screen.loads).toHaveBeenCalledTimes(2);
  screen.stop();
});

test('data remain while a refetch fails, and are replaced as soon as one succeeds', async () => {
  const answers = [
    Promise.resolve('old'),
    Promise.reject(errorWithoutResponse(false)),
    Promise.resolve('new'),
  ];
  answers[1]!.catch(() => undefined);
  const screen = show(() => answers.shift()!);
  await vi.advanceTimersByTimeAsync(0);
  await queryClient.invalidateQueries({ queryKey: ['shown'] });
  expect(screen.now()).toMatchObject({ data: 'old', error: { code: 'NETWORK' } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(screen.now()).toMatchObject({ data: 'new', error: null });
  screen.stop();
});

test('a refusal is not retried, nor a failure that no screen shows', async () => {
  const refused = show(() => Promise.reject(new ApiError(403, 'Access denied', 'INSUFFICIENT_PERMISSIONS')));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refused.loads).toHaveBeenCalledOnce();
  refused.stop();
  queryClient.clear();
  const left = show(() => Promise.reject(errorWithoutResponse(false)));
  await vi.advanceTimersByTimeAsync(0);
  left.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(left.loads).toHaveBeenCalledOnce();
});

test('the response of a change is not replaced by an older one in flight, which is requested again', async () => {
  const key = ['shown'] as unknown as DataTag<readonly string[], string, Error>;
  const { promise: older, resolve } = Promise.withResolvers<string>();
  const responses = [Promise.resolve('first'), older, Promise.resolve('third')];
  const screen = show(() => responses.shift()!);
  await vi.advanceTimersByTimeAsync(0);
  const nested = vi.fn<() => Promise<string>>(() => new Promise(() => undefined));
  const other = new QueryObserver(queryClient, { queryKey: [...key, 'nested'], queryFn: nested });
  const leave = other.subscribe(() => undefined);
  const seen: unknown[] = [];
  const stop = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey.length === 1 && query.state.data !== seen.at(-1)) seen.push(query.state.data);
  });
  void queryClient.invalidateQueries({ queryKey: key, exact: true });
  storeResponse(key, 'changed');
  resolve('older');
  await vi.advanceTimersByTimeAsync(0);
  storeResponse(key, 'last');
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(['first', 'changed', 'third', 'last']);
  expect(screen.loads).toHaveBeenCalledTimes(3);
  expect(nested).toHaveBeenCalledOnce();
  leave();
  stop();
  screen.stop();
});
