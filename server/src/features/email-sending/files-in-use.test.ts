import { expect, test } from 'vitest';
import { createFilesInUse } from './files-in-use.ts';

/** Reads that say which file they were for. */
function reading() {
  const read: string[] = [];
  return {
    read,
    of: async (id: string) => {
      read.push(id);
      return Buffer.from(id);
    },
  };
}

test('messages that go out side by side share what is read, in the order of each', async () => {
  const withFiles = createFilesInUse();
  const { read, of } = reading();
  const through = Promise.withResolvers<void>();
  const seen: string[] = [];
  const send = (ids: string[]) =>
    withFiles(ids, of, async (contents) => {
      seen.push(contents.map(String).join(' '));
      await through.promise;
    });
  const sending = Promise.all([send(['a', 'b']), send(['b', 'a']), send(['b'])]);
  await expect.poll(() => seen).toEqual(['a b', 'b a', 'b']);
  expect(read).toEqual(['a', 'b']);
  through.resolve();
  await sending;
});

test('a file is forgotten once nobody sends it, also where sending or reading has failed', async () => {
  const withFiles = createFilesInUse();
  const { read, of } = reading();
  const fail = () => Promise.reject(new Error('refused'));
  await expect(withFiles(['a'], of, fail)).rejects.toThrow('refused');
  await expect(withFiles(['b'], fail, async () => 'sent')).rejects.toThrow('refused');
  expect(await withFiles(['a', 'b'], of, async (contents) => contents.map(String))).toEqual(['a', 'b']);
  expect(read).toEqual(['a', 'a', 'b']);
});
