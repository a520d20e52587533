import { expect, test } from 'vitest';
import { createDraftWriter } from './draft-writer.ts';

/** A browser with space for this many drafts. */
function setUp(room: number) {
  const stored = new Map<string, string>();
  const disk = { room };
  const timers: (() => void)[] = [];
  const writer = createDraftWriter<{ id: string; text: string }>({
    async write(drafts) {
      const after = new Map([...stored, ...drafts.map(({ id, text }) => [id, text] as const)]);
      if (after.size > disk.room) throw new DOMException('No room', 'QuotaExceededError');
      for (const [id, text] of after) stored.set(id, text);
    },
    remove: (ids) => Promise.resolve(ids.forEach((id) => stored.delete(id))),
    idOf: ({ id }) => id,
    later(run) {
      timers.push(run);
      return () => undefined;
    },
  });
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return { writer, stored, disk, timers, settle };
}

test('counts drafts in memory only, and stores as many as there is space for', async () => {
  const { writer, stored } = setUp(1);
  const both = [
    { id: 'a', text: 'Ann' },
    { id: 'b', text: 'Bob' },
  ];
  await expect(writer.save(both)).rejects.toThrow('No room');
  expect([...stored]).toEqual([['a', 'Ann']]);
  expect(writer.unstored.get()).toBe(1);
});

test('stores the remaining drafts once space was freed', async () => {
  const { writer, stored } = setUp(1);
  await writer.save([{ id: 'a', text: 'Ann' }]);
  await expect(writer.save([{ id: 'b', text: 'Bob' }])).rejects.toThrow('No room');
  await writer.delete(['a']);
  expect([...stored]).toEqual([['b', 'Bob']]);
  expect(writer.unstored.get()).toBe(0);
});

test('retries after a wait, with the newest content', async () => {
  const { writer, stored, disk, timers, settle } = setUp(0);
  await expect(writer.save([{ id: 'a', text: 'An' }])).rejects.toThrow('No room');
  await expect(writer.save([{ id: 'a', text: 'Ann' }])).rejects.toThrow('No room');
  expect(timers).toHaveLength(1);
  disk.room = 1;
  timers[0]!();
  await settle();
  expect([...stored]).toEqual([['a', 'Ann']]);
  expect(writer.unstored.get()).toBe(0);
});

test('does not retry a draft that is saved or discarded', async () => {
  const { writer, timers, settle } = setUp(0);
  await expect(writer.save([{ id: 'a', text: 'Ann' }])).rejects.toThrow('No room');
  await writer.delete(['a']);
  expect(writer.unstored.get()).toBe(0);
  timers[0]!();
  await settle();
  expect(timers).toHaveLength(1);
});
