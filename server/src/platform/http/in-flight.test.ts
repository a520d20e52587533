import { expect, test } from 'vitest';
import { createInFlight } from './in-flight.ts';

test('the server is busy from the start of a request to its end, also after an error', async () => {
  const inFlight = createInFlight();
  const [one, other] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const first = inFlight.track(() => one.promise);
  const second = inFlight.track(() => other.promise);
  expect(inFlight.isBusy()).toBe(true);
  one.resolve(1);
  expect(await first).toBe(1);
  expect(inFlight.isBusy()).toBe(true);
  other.reject(new Error('no'));
  await expect(second).rejects.toThrow('no');
  expect(inFlight.isBusy()).toBe(false);
});
