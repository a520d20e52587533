import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Bucket } from '../../platform/files/s3-bucket.ts';
import { S3_MESSAGES, S3Failure } from '../../platform/files/s3-failure.ts';
import { CopyFailure, joinRemote, type CopySession } from './copy-destination.ts';
import { openFile } from './folder.ts';

export class S3CopyFailure extends CopyFailure {
  readonly code = 'S3_REFUSED';
  readonly step: S3Failure['step'];

  constructor({ step, message }: S3Failure) {
    super(message);
    this.step = step;
  }
}

/** Converts failures of S3 to those of copies; returns others unchanged. */
const toCopyFailure = (error: unknown): unknown =>
  error instanceof S3Failure ? new S3CopyFailure(error) : error;

async function converted<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw toCopyFailure(error);
  }
}

/** Keys have no leading slash. */
const keyOf = (path: string): string => path.replace(/^\/+/, '');

/** Copies in a bucket, which has no folders: a folder is the beginning of a key. */
export const createS3CopySession = (bucket: Bucket): CopySession => ({
  async requireFolder() {},
  list: (folder) => converted(() => bucket.list(keyOf(folder))),

  send: (folder, name, file) =>
    converted(async () => {
      const key = keyOf(joinRemote(folder, name));
      await using local = await openFile(file.path);
      const { size } = await local.stat();
      const found = await bucket.head(key);
      if (found?.size === size && found.sha256 === file.sha256) return;
      if (found) throw new S3Failure('write', S3_MESSAGES.taken);
      const content = local.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
      await bucket.put(key, content, { size, sha256: file.sha256 });
    }),

  fetch: (paths, file, onProgress = () => {}, signal) =>
    converted(async () => {
      const key = await findObject(bucket, paths.map(keyOf), file.size);
      await using local = await open(file.path, 'wx+', 0o600);
      const hash = createHash('sha256');
      let received = 0;
      for await (const piece of readObject(bucket, key)) {
        signal?.throwIfAborted();
        received += piece.length;
        if (received > file.size) break;
        hash.update(piece);
        await local.writeFile(piece);
        onProgress(received);
      }
      await local.sync();
      if (received !== file.size || hash.digest('hex') !== file.sha256)
        throw new S3Failure('read', S3_MESSAGES.notTheCopy(key));
    }),

  close: () => bucket.close(),
});

async function findObject(bucket: Bucket, keys: readonly string[], size: number): Promise<string> {
  for (const key of keys) {
    const found = await bucket.head(key);
    if (found && found.size !== size) throw new S3Failure('read', S3_MESSAGES.notTheCopy(key));
    if (found) return key;
  }
  throw new S3Failure('read', S3_MESSAGES.missing(keys));
}

async function* readObject(bucket: Bucket, key: string): AsyncGenerator<Buffer> {
  const content = await bucket.get(key);
  try {
    yield* content;
  } catch {
    throw new S3Failure('connection', S3_MESSAGES.lost);
  }
}

/**
 * Lists the bucket, writes a small object below a folder, reads it back and removes it. Keys that may not remove
 * objects pass too: copies are never removed. Throws S3CopyFailure.
 */
export const checkBucket = (bucket: Bucket, folder: string): Promise<void> =>
  converted(async () => {
    await bucket.list(keyOf(joinRemote(folder, 'files')));
    const key = keyOf(joinRemote(folder, '.forecourt-test'));
    // The same for all tests, because keys that may not remove it leave it there.
    const text = Buffer.from('Forecourt was here.\n');
    const sha256 = createHash('sha256').update(text).digest('hex');
    await bucket.put(key, Readable.from([text], { objectMode: false }), { size: text.length, sha256 });
    const read = Buffer.concat(await (await bucket.get(key)).toArray());
    if (!read.equals(text)) throw new S3Failure('read', S3_MESSAGES.read);
    await bucket.remove(key).catch(() => {});
  });
