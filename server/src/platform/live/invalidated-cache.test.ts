import { expect, test } from 'vitest';
import type { Db } from '../db/database.ts';
import type { EventBus } from './event-bus.ts';
import { createInvalidatedCache } from './invalidated-cache.ts';

const db = { isTransaction: false } as Db;
const tx = { isTransaction: true } as Db;

/** A value that changes, and a source of messages. */
function world() {
  const handlers = new Map<string, (value: string) => void>();
  let isListening = true;
  let value = 1;
  let reads = 0;
  const eventBus: Pick<EventBus, 'on' | 'send' | 'isListening'> = {
    on: (topic, handler) => void handlers.set(topic, handler),
    send: () => Promise.resolve(),
    isListening: () => isListening,
  };
  const cache = createInvalidatedCache(eventBus, 'settings', async () => {
    reads += 1;
    const read = value;
    await Promise.resolve();
    return read;
  });
  return {
    cache,
    set: (to: number) => (value = to),
    publish: (topic: string) => handlers.get(topic)!(''),
    setListening: (does: boolean) => (isListening = does),
    reads: () => reads,
  };
}

test.each(['settings', 'restored', 'resumed'])(
  'an invalidated cache reads once until %s is published',
  async (topic) => {
    const { cache, set, publish, reads } = world();
    expect([await cache.get(db, 'a'), await cache.get(db, 'a')]).toEqual([1, 1]);
    expect(reads()).toBe(1);
    set(2);
    expect(await cache.get(db, 'a')).toBe(1);
    publish(topic);
    expect(await cache.get(db, 'a')).toBe(2);
  },
);

test('an invalidated cache does not cache a value read during a change', async () => {
  const { cache, set, publish } = world();
  const reading = cache.get(db, 'a');
  set(2);
  publish('settings');
  expect(await reading).toBe(1);
  expect(await cache.get(db, 'a')).toBe(2);
});

test('always reads while messages cannot be received, and within a transaction', async () => {
  const { cache, set, setListening } = world();
  await cache.get(db, 'a');
  set(2);
  expect(await cache.get(tx, 'a')).toBe(2);
  expect(await cache.get(db, 'a')).toBe(1);
  setListening(false);
  expect(await cache.get(db, 'a')).toBe(2);
});

test('an invalidated cache reads a changed value as soon as the change is committed', async () => {
  const { cache, set } = world();
  await cache.get(db, 'a');
  const tasks: (() => void)[] = [];
  await cache.changed({ db: tx, afterCommit: (task) => void tasks.push(task) });
  set(2);
  expect(await cache.get(db, 'a')).toBe(1);
  for (const task of tasks) task();
  expect(await cache.get(db, 'a')).toBe(2);
});
