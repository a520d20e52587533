import { expect, test, vi } from 'vitest';
import { createStore, tellOneByOne } from './external-store.ts';

test('those who are told one by one each get a task of their own, and who has left by then is not told', async () => {
  const store = createStore(false, tellOneByOne);
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
