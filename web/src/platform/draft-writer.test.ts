import { expect, test } from 'vitest';
import { createDraftWriter } from './draft-writer.ts';

/** A browser with space for this many drafts. */
function setUp(room: number) {
  const stored = new Map<string, string>();
  /** `isBusy`: the next write fails. */
  const disk = { room, isBusy: false };
  const timers: (() => void)[] = [];
  const later = (run: () => void) => {
    timers.push(run);
    return () => undefined;
  };
  const writer = createDraftWriter<{ id: string; text: string }>({
    async write(drafts) {
      const after = new Map([...stored, ...drafts.map(({ id, text }) => [id, text] as const)]);
      const isRefused = disk.isBusy || after.size > disk.room;
      disk.isBusy = false;
      if (isRefused) throw new DOMException('No room', 'QuotaExceededError');
      for (const [id, text] of after) stored.set(id, text);
    },
    remove: (ids) => Promise.resolve(ids.forEach((id) => stored.delete(id))),
    idOf: ({ id }) => id,
    later,
  });
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return { writer, stored, disk, timers, later, settle };
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
  timers[0]!();
  await settle();
  expect(timers).toHaveLength(2);
  disk.room = 1;
  timers[1]!();
  await settle();
  expect([...stored]).toEqual([['a', 'Ann']]);
  expect(writer.unstored.get()).toBe(0);
});

test('does not retry a draft of which a newer one was saved since', async () => {
  const { writer, stored, disk, timers, settle } = setUp(0);
  await expect(writer.save([{ id: 'a', text: 'An' }])).rejects.toThrow('No room');
  disk.room = 1;
  await writer.save([{ id: 'a', text: 'Ann' }]);
  expect(writer.unstored.get()).toBe(0);
  timers[0]!();
  await settle();
  expect([...stored]).toEqual([['a', 'Ann']]);
});

test('keeps a newer draft that could not be stored while an older one was retried', async () => {
  const { timers, settle, later } = setUp(0);
  const writes: PromiseWithResolvers<void>[] = [];
  const writer = createDraftWriter<string>({
    write() {
      writes.push(Promise.withResolvers<void>());
      return writes.at(-1)!.promise;
    },
    remove: () => Promise.resolve(),
    idOf: () => 'a',
    later,
  });
  const refuse = async (at: number) => {
    writes[at]!.reject(new Error('No room'));
    await settle();
  };
  const outcome = Promise.allSettled([writer.save(['An'])]);
  await refuse(0);
  await refuse(1);
  expect(await outcome).toMatchObject([{ status: 'rejected' }]);
  timers[0]!();
  const saving = writer.save(['Ann']);
  await refuse(3);
  writes[2]!.resolve();
  await settle();
  expect(writer.unstored.get()).toBe(1);
  writes[4]!.resolve();
  await saving;
  expect(writer.unstored.get()).toBe(0);
});

test('resolves if drafts that failed together could be stored one by one', async () => {
  const { writer, stored, disk } = setUp(2);
  disk.isBusy = true;
  await writer.save([
    { id: 'a', text: 'Ann' },
    { id: 'b', text: 'Bob' },
  ]);
  expect([stored.size, writer.unstored.get()]).toEqual([2, 0]);
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
