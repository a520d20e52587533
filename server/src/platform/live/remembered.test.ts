import { expect, test } from 'vitest';
import type { Db } from '../db/database.ts';
import type { Notices } from './notices.ts';
import { createRemembered } from './remembered.ts';

const db = { isTransaction: false } as Db;
const tx = { isTransaction: true } as Db;

/** Something that changes, and somebody who tells of it when asked to. */
function world() {
  const handlers = new Map<string, (value: string) => void>();
  let heard = true;
  let value = 1;
  let reads = 0;
  const notices: Pick<Notices, 'on' | 'send' | 'areHeard'> = {
    on: (topic, handler) => void handlers.set(topic, handler),
    send: () => Promise.resolve(),
    areHeard: () => heard,
  };
  const remembered = createRemembered(notices, 'settings', async () => {
    reads += 1;
    const read = value;
    await Promise.resolve();
    return read;
  });
  return {
    remembered,
    set: (to: number) => (value = to),
    tell: (topic: string) => handlers.get(topic)!(''),
    hear: (does: boolean) => (heard = does),
    reads: () => reads,
  };
}

test.each(['settings', 'restored', 'resumed'])('is read once until %s is told', async (topic) => {
  const { remembered, set, tell, reads } = world();
  expect([await remembered.get(db, 'a'), await remembered.get(db, 'a')]).toEqual([1, 1]);
  expect(reads()).toBe(1);
  set(2);
  expect(await remembered.get(db, 'a')).toBe(1);
  tell(topic);
  expect(await remembered.get(db, 'a')).toBe(2);
});

test('what was read while something changed is not kept', async () => {
  const { remembered, set, tell } = world();
  const reading = remembered.get(db, 'a');
  set(2);
  tell('settings');
  expect(await reading).toBe(1);
  expect(await remembered.get(db, 'a')).toBe(2);
});

test('while nobody can be heard, and within a transaction, everything is read', async () => {
  const { remembered, set, hear } = world();
  await remembered.get(db, 'a');
  set(2);
  expect(await remembered.get(tx, 'a')).toBe(2);
  expect(await remembered.get(db, 'a')).toBe(1);
  hear(false);
  expect(await remembered.get(db, 'a')).toBe(2);
});

test('whoever changes it reads it anew as soon as that is committed', async () => {
  const { remembered, set } = world();
  await remembered.get(db, 'a');
  const tasks: (() => void)[] = [];
  await remembered.changed({ db: tx, afterCommit: (task) => void tasks.push(task) });
  set(2);
  expect(await remembered.get(db, 'a')).toBe(1);
  for (const task of tasks) task();
  expect(await remembered.get(db, 'a')).toBe(2);
});
