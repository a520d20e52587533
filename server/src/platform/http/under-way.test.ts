import { expect, test } from 'vitest';
import { createUnderWay } from './under-way.ts';

test('somebody waits from the beginning of a call to its end, however it ends', async () => {
  const underWay = createUnderWay();
  const [one, other] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const first = underWay.during(() => one.promise);
  const second = underWay.during(() => other.promise);
  expect(underWay.isBusy()).toBe(true);
  one.resolve(1);
  expect(await first).toBe(1);
  expect(underWay.isBusy()).toBe(true);
  other.reject(new Error('no'));
  await expect(second).rejects.toThrow('no');
  expect(underWay.isBusy()).toBe(false);
});
