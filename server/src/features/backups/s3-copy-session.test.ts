import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import type { Bucket } from '../../platform/s3/s3-bucket.ts';
import { checkBucket, createS3CopySession } from './s3-copies.ts';

const folder = await mkdtemp(join(tmpdir(), 's3-session-'));
afterAll(() => rm(folder, { recursive: true }));

const CONTENT = Buffer.from('the content of a backup');
const sha256 = createHash('sha256').update(CONTENT).digest('hex');

/** A bucket with objects that another program wrote, so that they have no SHA-256. It takes none. */
const bucketOf = (objects: Record<string, Buffer>, changes: Partial<Bucket> = {}): Bucket => ({
  head: async (key) => objects[key] && { size: objects[key].length, sha256: undefined, modifiedAt: 0 },
  list: async () => new Map(),
  get: async (key) => Readable.from([objects[key]]),
  find: async (key) => objects[key] && Readable.from([objects[key]]),
  copy: () => Promise.reject(new Error('Not in these tests')),
  put: () => Promise.reject(new Error('Not in these tests')),
  remove: async () => {},
  close: () => {},
  ...changes,
});

test('an object without our SHA-256 counts as a copy by its content', async () => {
  const path = join(folder, 'backup');
  await writeFile(path, CONTENT);
  const send = (content: Buffer) =>
    createS3CopySession(bucketOf({ 'office/backup': content })).send('office', 'backup', { path, sha256 });
  await send(CONTENT);
  await expect(send(Buffer.alloc(CONTENT.length))).rejects.toThrow('Another object has this name');
});

test('a fetch from S3 passes over an object of another size', async () => {
  const path = join(folder, 'fetched');
  const session = createS3CopySession(bucketOf({ 'old/backup': Buffer.from('else'), 'new/backup': CONTENT }));
  const file = { path, size: CONTENT.length, sha256 };
  await session.fetch(['old/backup', 'new/backup'], file);
  expect(await readFile(path)).toEqual(CONTENT);
  await expect(session.fetch(['old/backup', 'none/backup'], file)).rejects.toThrow('is not the copy');
});

test('the S3 connection test reads no more of an object than it wrote, and tells a lost connection', async () => {
  let pieces = 0;
  const endless = Readable.from(
    (function* () {
      for (; pieces < 1000; pieces += 1) yield Buffer.alloc(1000);
    })(),
  );
  const put = async () => {};
  await expect(checkBucket(bucketOf({}, { put, get: async () => endless }), '')).rejects.toMatchObject({
    step: 'read',
  });
  expect(pieces).toBeLessThan(100);
  const lost = new Readable({ read: () => lost.destroy(new Error('aborted')) });
  await expect(checkBucket(bucketOf({}, { put, get: async () => lost }), '')).rejects.toMatchObject({
    step: 'connection',
    message: 'The connection to the store was lost.',
  });
});
