import { expect, test } from 'vitest';
import { createAttachmentCache } from './attachment-cache.ts';

/** Reads that record which file they were for. */
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

test('concurrent messages share read files, in the order of each', async () => {
  const withFiles = createAttachmentCache();
  const { read, of } = reading();
  const released = Promise.withResolvers<void>();
  const seen: string[] = [];
  const send = (ids: string[]) =>
    withFiles(ids, of, async (contents) => {
      seen.push(contents.map(String).join(' '));
      await released.promise;
    });
  const sending = Promise.all([send(['a', 'b']), send(['b', 'a']), send(['b'])]);
  await expect.poll(() => seen).toEqual(['a b', 'b a', 'b']);
  expect(read).toEqual(['a', 'b']);
  released.resolve();
  await sending;
});

test('a file is dropped once no message uses it, also after an error', async () => {
  const withFiles = createAttachmentCache();
  const { read, of } = reading();
  const fail = () => Promise.reject(new Error('refused'));
  await expect(withFiles(['a'], of, fail)).rejects.toThrow('refused');
  await expect(withFiles(['b'], fail, async () => 'sent')).rejects.toThrow('refused');
  expect(await withFiles(['a', 'b'], of, async (contents) => contents.map(String))).toEqual(['a', 'b']);
  expect(read).toEqual(['a', 'a', 'b']);
});
