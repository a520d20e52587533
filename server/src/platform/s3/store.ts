import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { parseFilesUrl } from '../files-url.ts';
import { newId } from '../ids.ts';
import { createOutbound } from '../outbound/outbound.ts';
import { StartError } from '../start-error.ts';
import { openBucket, type Bucket } from './s3-bucket.ts';
import { S3Failure } from './s3-failure.ts';

/** A bucket of FILES_URL: what this installation stores is below a prefix. */
export type Store = {
  bucket: Bucket;
  /** Returns the key of an object by its name in this installation. */
  keyOf: (name: string) => string;
};

/** Puts a local file into a bucket. Throws S3Failure if its content has another SHA-256. */
export const putFile = (
  bucket: Bucket,
  key: string,
  path: string,
  { digest, size }: { digest: Buffer; size: number },
): Promise<void> =>
  bucket.put(key, createReadStream(path, { highWaterMark: 256 * 1024 }), {
    size,
    sha256: digest.toString('hex'),
  });

/** Stores a short text, which appears whole or not at all. */
export async function putText({ bucket, keyOf }: Store, name: string, text: string): Promise<void> {
  const content = Buffer.from(text);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const pieces = Readable.from([content], { objectMode: false });
  await bucket.put(keyOf(name), pieces, { size: content.length, sha256 });
}

export const bucketError = ({ message }: S3Failure): StartError =>
  new StartError(`FILES_URL cannot be used. ${message}`);

/** Opens the bucket of FILES_URL and writes, lists and removes an object. Throws a `StartError` if that fails. */
export async function openStore(config: Config): Promise<Store & { close(): void }> {
  const { bucket: name, prefix } = parseFilesUrl(config.FILES_URL!)!;
  // The operator chose the endpoint: it may be in the office.
  const outbound = createOutbound({ ...config, STRICT_OUTBOUND: false });
  try {
    const bucket = await openBucket(
      {
        endpoint: config.FILES_ENDPOINT,
        region: config.FILES_REGION,
        bucket: name,
        pathStyle: config.FILES_PATH_STYLE,
        accessKeyId: config.FILES_ACCESS_KEY_ID!,
        secretAccessKey: config.FILES_SECRET_ACCESS_KEY!,
      },
      outbound,
    );
    const keyOf = (object: string): string => (prefix === '' ? object : `${prefix}/${object}`);
    const store = { bucket, keyOf, close: () => bucket.close() };
    const probe = `.probe-${newId()}`;
    await bucket.list(keyOf('files'));
    await putText(store, probe, 'Forecourt was here.\n');
    await bucket.remove(keyOf(probe));
    return store;
  } catch (error) {
    throw error instanceof S3Failure ? bucketError(error) : error;
  }
}
