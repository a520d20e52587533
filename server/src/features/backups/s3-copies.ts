import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { openBucket, type Bucket } from '../../platform/s3/s3-bucket.ts';
import { S3_MESSAGES, S3Failure, toConnectionFailure } from '../../platform/s3/s3-failure.ts';
import { CopyFailure, joinRemote, type CopySession } from './copy-destination.ts';
import { openFile } from './folder.ts';

export class S3CopyFailure extends CopyFailure {
  readonly code = 'S3_REFUSED';
  readonly step: S3Failure['step'];

  constructor({ step, message }: Pick<S3Failure, 'step' | 'message'>) {
    super(message);
    this.step = step;
  }
}

/** Converts failures of S3 to those of copies. */
async function converted<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw error instanceof S3Failure ? new S3CopyFailure(error) : error;
  }
}

/** Keys have no leading slash. */
const keyOf = (path: string): string => path.replace(/^\/+/, '');

/** Opens a bucket for copies. The parameters are those of `openBucket`. */
export const openS3CopySession = (...account: Parameters<typeof openBucket>): Promise<CopySession> =>
  converted(async () => createS3CopySession(await openBucket(...account)));

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
      // An object that another program put there has no SHA-256 of ours.
      if (found?.size === size && (found.sha256 ?? (await digestOf(bucket, key, size))) === file.sha256)
        return;
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
      for await (const piece of readObject(bucket, key, file.size)) {
        signal?.throwIfAborted();
        received += piece.length;
        hash.update(piece);
        await local.writeFile(piece);
        onProgress(received);
      }
      await local.sync();
      if (received !== file.size || hash.digest('hex') !== file.sha256)
        throw new S3Failure('read', S3_MESSAGES.notTheCopy(key));
    }),

  [Symbol.dispose]: () => bucket.close(),
});

async function findObject(bucket: Bucket, keys: readonly string[], size: number): Promise<string> {
  let message: string = S3_MESSAGES.missing(keys);
  for (const key of keys) {
    const found = await bucket.head(key);
    if (found?.size === size) return key;
    if (found) message = S3_MESSAGES.notTheCopy(key);
  }
  throw new S3Failure('read', message);
}

/** Yields the content of an object. One that is larger than `size`, in bytes, ends in the piece that exceeds it. */
async function* readObject(bucket: Bucket, key: string, size: number): AsyncGenerator<Buffer> {
  const content = await bucket.get(key);
  let received = 0;
  try {
    for await (const piece of content as AsyncIterable<Buffer>) {
      yield piece;
      if ((received += piece.length) > size) return;
    }
  } catch (error) {
    throw toConnectionFailure(error, S3_MESSAGES.lost);
  }
}

/** Returns the SHA-256 of an object of `size` bytes, in lower-case hex. */
async function digestOf(bucket: Bucket, key: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readObject(bucket, key, size)) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Lists the bucket, writes a small object below a folder, reads it back and removes it. Keys that may not remove
 * objects pass too: copies are never removed. Throws S3Failure.
 */
export async function checkBucket(bucket: Bucket, folder: string): Promise<void> {
  await bucket.list(keyOf(joinRemote(folder, 'files')));
  const key = keyOf(joinRemote(folder, '.forecourt-test'));
  // The same for all tests, because keys that may not remove it leave it there.
  const text = Buffer.from('Forecourt was here.\n');
  const sha256 = createHash('sha256').update(text).digest('hex');
  await bucket.put(key, Readable.from([text], { objectMode: false }), { size: text.length, sha256 });
  if ((await digestOf(bucket, key, text.length)) !== sha256) throw new S3Failure('read', S3_MESSAGES.read);
  await bucket.remove(key).catch(() => {});
}
