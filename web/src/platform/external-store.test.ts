import { expect, test, vi } from 'vitest';
import { createStore, notifyOneByOne } from './external-store.ts';

test('notifyOneByOne runs each listener in its own task and skips those that have unsubscribed', async () => {
  const store = createStore(false, notifyOneByOne);
  const told: string[] = [];
  const follow = (name: string) => store.subscribe(() => told.push(`${name} ${store.get()}`));
  follow('first');
  const leave = follow('left');
  follow('last');
  store.set(true);
  expect(told).toEqual(['first true']);
  leave();
  await vi.waitFor(() => expect(told).toEqual(['first true', 'last true']));
});

test('an external store notifies all subscribers at once by default', () => {
  const store = createStore(1);
  const seen: number[] = [];
  for (const factor of [1, 10]) store.subscribe(() => seen.push(store.get() * factor));
  store.set(2);
  expect(seen).toEqual([2, 20]);
});
