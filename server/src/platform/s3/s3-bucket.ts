import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { kindOf } from '../outbound/addresses.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { COPY_SIZES, copyObject, MAX_PARTS } from './copy-object.ts';
import { isLocalError, S3_MESSAGES, S3Failure, toConnectionFailure, toS3Failure } from './s3-failure.ts';

const CONNECT_MS = 10_000;
/** A connection without a byte for this long is given up. */
const IDLE_MS = 60_000;

/** Bytes of a part of a large object. Two parts are in memory. */
const PART_BYTES = 8 * 1024 * 1024;

/** Less than the time after which PostgreSQL ends a transaction that waits. */
const REMOVE_MS = 10_000;

/** Pages of a list, each with up to 1000 objects. */
const MAX_PAGES = 1000;

/** A bucket with its keys. Must never be logged. */
export type S3Account = {
  /** Scheme, host and port; empty: Amazon S3 in the region. */
  endpoint: string;
  region: string;
  bucket: string;
  /** The bucket is in the path of each request, not in the name of the host. */
  pathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

export const endpointOf = ({ endpoint, region }: Pick<S3Account, 'endpoint' | 'region'>): URL =>
  new URL(endpoint || `https://s3.${region}.amazonaws.com`);

/**
 * Returns a function that resolves the endpoint to an address. Throws S3Failure if the address is not permitted, or not
 * encrypted although it is public.
 */
function createResolver(url: URL, outbound: Outbound) {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return async (host: string): Promise<string> => {
    const { address } = await outbound.destination(host, port).catch((error: unknown) => {
      throw toS3Failure('bucket', error);
    });
    if (url.protocol !== 'https:' && kindOf(address) === 'public')
      throw new S3Failure('connection', S3_MESSAGES.unencrypted);
    return address;
  };
}

/**
 * Opens a bucket: content by key, streamed in both directions. The client is loaded at the first use, because it takes
 * a quarter of a second and 38 MB. Every method throws S3Failure.
 * @param signal ends all requests
 * @param copySizes those of the protocol, except in tests
 */
export async function openBucket(
  account: S3Account,
  outbound: Outbound,
  signal?: AbortSignal,
  copySizes = COPY_SIZES,
) {
  const url = endpointOf(account);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isInPath = account.pathStyle || isIP(host) !== 0;
  const resolve = createResolver(url, outbound);
  // Node resolves no address literal, so it is checked here.
  await resolve(isInPath ? host : `${account.bucket}.${host}`);
  const s3 = await import('@aws-sdk/client-s3');
  // Called for each new connection, with the option `all`.
  const lookup = callbackify(async (name: string, _options: object) => {
    const address = await resolve(name);
    return [{ address, family: isIPv6(address) ? 6 : 4 }];
  }) as unknown as LookupFunction;
  const agent = { keepAlive: true, maxSockets: 50, autoSelectFamily: true, lookup };
  const httpAgent = new http.Agent(agent);
  const httpsAgent = new https.Agent(agent);
  const client: S3Client = new s3.S3Client({
    endpoint: url.origin,
    region: account.region,
    forcePathStyle: isInPath,
    credentials: { accessKeyId: account.accessKeyId, secretAccessKey: account.secretAccessKey },
    // Stores other than Amazon's do not know the checksums that are optional. Each body is signed with its SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent, httpsAgent, connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  });
  const Bucket = account.bucket;
  const options = signal ? { abortSignal: signal } : {};

  const send = async <T>(step: 'bucket' | 'write' | 'read', request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw isLocalError(error) ? error : toS3Failure(step, error);
    }
  };
  /** The options of a request that ends after some time with all its repetitions, because a transaction waits for it. */
  const limitedTo = (ms: number) => ({
    abortSignal: AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]),
  });

  /**
   * Returns size, SHA-256 in lower-case hex as it was written, and the time of the write in milliseconds since 1970;
   * undefined if there is no such object.
   */
  const head = (
    Key: string,
  ): Promise<{ size: number; sha256: string | undefined; modifiedAt: number } | undefined> =>
    send('read', async () => {
      try {
        const found = await client.send(new s3.HeadObjectCommand({ Bucket, Key }), options);
        return {
          size: found.ContentLength ?? 0,
          sha256: found.Metadata?.['sha256'],
          modifiedAt: found.LastModified?.getTime() ?? Infinity,
        };
      } catch (error) {
        const status = (error as S3ServiceException).$metadata?.httpStatusCode;
        if (status === 404) return undefined;
        // The response has no body, so that it does not say why; that of a list does.
        if (status === 400 || status === 403)
          await send('bucket', () =>
            client.send(new s3.ListObjectsV2Command({ Bucket, MaxKeys: 1 }), options),
          );
        throw error;
      }
    });

  /** Opens an object for reading from a byte on. A connection that is lost ends the stream with an S3Failure. */
  const get = (Key: string, start = 0, maxBytes = Infinity): Promise<Readable> =>
    send('read', async () => {
      const isWhole = start === 0 && maxBytes === Infinity;
      const range = { Range: `bytes=${start}-${maxBytes === Infinity ? '' : start + maxBytes - 1}` };
      const { Body } = await client.send(
        new s3.GetObjectCommand({ Bucket, Key, ...(!isWhole && range) }),
        options,
      );
      return Readable.from(bodyOf(Body as Readable), { objectMode: false });
    });

  return {
    head,
    get,

    /** Opens an object, or its first bytes, for reading; returns undefined if there is none. */
    find: (Key: string, maxBytes?: number): Promise<Readable | undefined> =>
      get(Key, 0, maxBytes).catch((error: S3Failure) => {
        if ((error.cause as S3ServiceException | undefined)?.name === 'NoSuchKey') return undefined;
        throw error;
      }),

    /** Returns the sizes of the objects directly below a prefix, by their keys without it. */
    list: (folder: string): Promise<Map<string, number>> =>
      send('bucket', async () => {
        const Prefix = folder === '' ? '' : `${folder}/`;
        const sizes = new Map<string, number>();
        const pages = s3.paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter: '/' }, options);
        let count = 0;
        let token: string | undefined;
        for await (const { Contents = [], NextContinuationToken: next } of pages) {
          for (const { Key, Size } of Contents) sizes.set(Key!.slice(Prefix.length), Size ?? 0);
          if ((count += 1) >= MAX_PAGES || (next !== undefined && next === token))
            throw new S3Failure('bucket', S3_MESSAGES.endless);
          token = next;
        }
        return sizes;
      }),

    /**
     * Writes an object, which appears when it is complete: in one request, or in parts. The store compares each body
     * with its signed SHA-256, and the whole content is compared with `sha256` before it appears.
     */
    put: (
      Key: string,
      content: Readable,
      { size, sha256 }: { size: number; sha256: string },
    ): Promise<void> =>
      send('write', async () => {
        const ended = new AbortController();
        try {
          const { Upload } = await import('@aws-sdk/lib-storage');
          signal?.addEventListener('abort', () => ended.abort(), { once: true, signal: ended.signal });
          signal?.throwIfAborted();
          await new Upload({
            client,
            params: {
              Bucket,
              Key,
              Body: Readable.from(compare(content, sha256), { objectMode: false }),
              Metadata: { sha256 },
            },
            partSize: Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS)),
            queueSize: 2,
            abortController: ended,
          }).done();
        } finally {
          content.destroy();
          ended.abort();
        }
      }),

    /**
     * Copies an object in the store. `content`: that of the object. The copy appears when it is complete, and keeps the
     * SHA-256.
     */
    copy: (key: string, Key: string, content: { size: number; sha256: string }): Promise<void> =>
      send('write', () => copyObject(s3, client, { Bucket, key, ...content }, Key, copySizes, limitedTo)),

    remove: (Key: string): Promise<void> =>
      send(
        'write',
        async () =>
          void (await client.send(new s3.DeleteObjectCommand({ Bucket, Key }), limitedTo(REMOVE_MS))),
      ),

    close(): void {
      client.destroy();
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

async function* bodyOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw toConnectionFailure(error, S3_MESSAGES.lost);
  }
}

/** Yields content, and throws S3Failure at its end if it has another SHA-256. */
async function* compare(content: Readable, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of content) {
    hash.update(piece as Buffer);
    yield piece as Buffer;
  }
  if (hash.digest('hex') !== sha256) throw new S3Failure('write', S3_MESSAGES.changed);
}
