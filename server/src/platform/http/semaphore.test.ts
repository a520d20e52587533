import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

/** Calls that the test ends, in the order in which they began. */
function world(limits: Parameters<typeof createSemaphore>[0]) {
  const withPermit = createSemaphore(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, party = 'ann', signal?: AbortSignal): Promise<void> =>
    withPermit(
      party,
      () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      },
      signal,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { begun, begin, end };
}

const REFUSED = { code: 'TOO_MANY_REQUESTS', details: { retryAfterSeconds: 1 } };

test('a semaphore runs two, queues two and rejects the next until one is done', async () => {
  const { begun, begin, end } = world({ permits: 2, maxQueued: 2 });
  const all = ['1', '2', '3', '4'].map((name) => begin(name));
  expect(begun).toEqual(['1', '2']);
  await expect(begin('5')).rejects.toMatchObject(REFUSED);
  for (const name of ['1', '2', '3', '4']) await end(name);
  await Promise.all(all);
  expect(begun).toEqual(['1', '2', '3', '4']);
});

test('parties take turns: one with many calls delays another by one of them', async () => {
  const { begun, begin, end } = world({ permits: 1, maxQueued: 100 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void begin(name, 'ann');
  for (const name of ['b1', 'b2']) void begin(name, 'bob');
  void begin('c1', 'cyd');
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a party uses and queues as many as it may, and leaves the others to another', async () => {
  const { begun, begin, end } = world({ permits: 3, permitsEach: 2, maxQueued: 100, maxQueuedEach: 1 });
  for (const name of ['a1', 'a2', 'a3']) void begin(name, 'ann');
  await expect(begin('a4', 'ann')).rejects.toMatchObject(REFUSED);
  for (const name of ['b1', 'b2']) void begin(name, 'bob');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  // The permit that becomes free is of bob: ann has two already.
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

test('releases the permit after an error', async () => {
  const withPermit = createSemaphore({ permits: 1, maxQueued: 1 });
  await expect(withPermit('ann', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withPermit('ann', async () => 'next')).resolves.toBe('next');
});

test('a caller who disconnects leaves the queue, and one who runs keeps the permit', async () => {
  const { begun, begin, end } = world({ permits: 1, maxQueued: 2 });
  const [runs, waits] = [new AbortController(), new AbortController()];
  const first = begin('a1', 'ann', runs.signal);
  const second = begin('a2', 'ann', waits.signal);
  const third = begin('b1', 'bob');
  waits.abort();
  await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(begin('a3', 'ann', waits.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  runs.abort();
  expect(begun).toEqual(['a1']);
  // The place in the queue is free again.
  const fourth = begin('b2', 'bob');
  for (const name of ['a1', 'b1', 'b2']) await end(name);
  await Promise.all([first, third, fourth]);
  expect(begun).toEqual(['a1', 'b1', 'b2']);
});
