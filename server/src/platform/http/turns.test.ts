import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('two at once, two in line, and the next is sent away; whoever is done makes room', async () => {
  const inTurn = createTurns({ atOnce: 2, waiting: 2 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const begin = (number: number) =>
    inTurn(() => {
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

test('a failure makes room too', async () => {
  const inTurn = createTurns({ atOnce: 1, waiting: 1 });
  await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(inTurn(async () => 'next')).resolves.toBe('next');
});
