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
