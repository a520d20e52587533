import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('runs two, queues two and rejects the next until one is done', async () => {
  const withPermit = createSemaphore({ permits: 2, maxQueued: 2 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const begin = (number: number) =>
    withPermit(() => {
      begun.push(number);
      return new Promise<number>((resolve) => ends.push(() => resolve(number)));
    });
  const all = [1, 2, 3, 4].map(begin);
  expect(begun).toEqual([1, 2]);
  await expect(begin(5)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  for (let done = 0; done < 4; done += 1) {
    ends[done]!();
    await all[done];
  }
  expect(begun).toEqual([1, 2, 3, 4]);
});

test('releases the permit after an error', async () => {
  const withPermit = createSemaphore({ permits: 1, maxQueued: 1 });
  await expect(withPermit(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withPermit(async () => 'next')).resolves.toBe('next');
});
