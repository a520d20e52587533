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

test('the draft writer counts drafts in memory only, and stores as many as there is space for', async () => {
  const { writer, stored } = setUp(1);
  const both = [
    { id: 'a', text: 'Ann' },
    { id: 'b', text: 'Bob' },
  ];
  await expect(writer.save(both)).rejects.toThrow('No room');
  expect([...stored]).toEqual([['a', 'Ann']]);
  expect(writer.unstored.get()).toBe(1);
});

test('the draft writer stores the remaining drafts once space was freed', async () => {
  const { writer, stored } = setUp(1);
  await writer.save([{ id: 'a', text: 'Ann' }]);
  await expect(writer.save([{ id: 'b', text: 'Bob' }])).rejects.toThrow('No room');
  await writer.delete(['a']);
  expect([...stored]).toEqual([['b', 'Bob']]);
  expect(writer.unstored.get()).toBe(0);
});

test('the draft writer retries after a wait, with the newest content', async () => {
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

test('the draft writer does not retry a draft of which a newer one was saved since', async () => {
  const { writer, stored, disk, timers, settle } = setUp(0);
  await expect(writer.save([{ id: 'a', text: 'An' }])).rejects.toThrow('No room');
  disk.room = 1;
  await writer.save([{ id: 'a', text: 'Ann' }]);
  expect(writer.unstored.get()).toBe(0);
  timers[0]!();
  await settle();
  expect([...stored]).toEqual([['a', 'Ann']]);
});

test('the draft writer keeps a newer draft that could not be stored while an older one was retried', async () => {
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

/** Creates a writer whose writes end on demand, as the last of them is stored. */
function setUpWrites() {
  const writes: { text: string; end: (isRefused?: boolean) => Promise<void> }[] = [];
  const stored: string[] = [];
  const { settle, later, timers } = setUp(0);
  const writer = createDraftWriter<string>({
    write([text]) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const end = (isRefused = false): Promise<void> => {
        if (isRefused) reject(new Error('No room'));
        else stored.push(text!);
        resolve();
        return settle();
      };
      writes.push({ text: text!, end });
      return promise;
    },
    remove: () => Promise.resolve(void stored.push('removed')),
    idOf: () => 'a',
    later,
  });
  return { writer, writes, stored, settle, timers };
}

test('the draft writer stores no older draft after a newer one, whichever write failed', async () => {
  const { writer, writes, stored, settle, timers } = setUpWrites();
  const outcome = Promise.allSettled([writer.save(['An'])]);
  await writes[0]!.end(true);
  await writes[1]!.end(true);
  await outcome;
  // The newer one is written while the older one is retried.
  const newer = writer.save(['Ann']);
  timers[0]!();
  await settle();
  for (const { end } of writes.slice(2)) await end();
  await newer;
  expect([stored.at(-1), writer.unstored.get()]).toEqual(['Ann', 0]);
  // The older of two writes fails after the newer one was begun.
  const both = [writer.save(['Anna']), writer.save(['Annas'])];
  const begun = writes.length;
  await writes[begun - 2]!.end(true);
  await writes[begun - 1]!.end();
  for (const { end } of writes.slice(begun)) await end();
  await Promise.all(both);
  expect([stored.at(-1), writer.unstored.get()]).toEqual(['Annas', 0]);
});

test('the draft writer does not store a draft that was deleted while its write failed', async () => {
  const { writer, writes, stored, settle } = setUpWrites();
  const saving = Promise.allSettled([writer.save(['Ann'])]);
  await writer.delete(['a']);
  await writes[0]!.end(true);
  await settle();
  for (const { end } of writes.slice(1)) await end();
  await saving;
  expect([stored, writer.unstored.get()]).toEqual([['removed'], 0]);
});

test('the draft writer retries the others after a draft that is too large', async () => {
  const stored: string[] = [];
  const { timers, later, settle } = setUp(0);
  let isFull = true;
  const writer = createDraftWriter<string>({
    async write(drafts) {
      if (isFull || drafts.includes('large')) throw new Error('No room');
      stored.push(...drafts);
    },
    remove: () => Promise.resolve(),
    idOf: (draft) => draft,
    later,
  });
  await expect(writer.save(['large', 'small'])).rejects.toThrow('No room');
  isFull = false;
  for (const retry of [0, 1]) {
    timers[retry]!();
    await settle();
  }
  expect([stored, writer.unstored.get()]).toEqual([['small'], 1]);
});

test('a save resolves if drafts that failed together could be stored one by one', async () => {
  const { writer, stored, disk } = setUp(2);
  disk.isBusy = true;
  await writer.save([
    { id: 'a', text: 'Ann' },
    { id: 'b', text: 'Bob' },
  ]);
  expect([stored.size, writer.unstored.get()]).toEqual([2, 0]);
});

test('the draft writer does not retry a draft that is saved or discarded', async () => {
  const { writer, timers, settle } = setUp(0);
  await expect(writer.save([{ id: 'a', text: 'Ann' }])).rejects.toThrow('No room');
  await writer.delete(['a']);
  expect(writer.unstored.get()).toBe(0);
  timers[0]!();
  await settle();
  expect(timers).toHaveLength(1);
});
