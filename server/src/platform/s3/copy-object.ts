import type * as S3 from '@aws-sdk/client-s3';
import { inParallel } from '../in-parallel.ts';

/** Parts of a large object, by the protocol. */
export const MAX_PARTS = 10_000;

/**
 * Bytes that a store copies in one request, by the protocol, and bytes of a part of a larger object: a slow store too
 * copies all parts that it copies at the same time before its silence ends a connection.
 */
export const COPY_SIZES = { request: 5 * 1024 ** 3, part: 128 * 1024 ** 2 };

/** Parts that the store copies at the same time. */
const CONCURRENCY = 8;

/** The store copies an object of up to `COPY_SIZES.request` within this time, and a larger one in a multiple of it. */
const COPY_MS = 120_000;
const ABORT_MS = 10_000;

type Limit = (ms: number) => { abortSignal: AbortSignal };

/**
 * Copies an object in its bucket: in one request, or in parts. The copy appears when it is complete. A failure removes
 * the parts. Throws errors of the client.
 * @param source its key and size, and its SHA-256 in lower-case hex
 * @param limitedTo returns the options of a request that ends after some milliseconds
 */
export async function copyObject(
  s3: typeof S3,
  client: S3.S3Client,
  source: { Bucket: string; key: string; size: number; sha256: string },
  Key: string,
  sizes: typeof COPY_SIZES,
  limitedTo: Limit,
): Promise<void> {
  const { Bucket, key, size, sha256 } = source;
  const CopySource = `${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const options = limitedTo(COPY_MS * Math.max(1, Math.ceil(size / sizes.request)));
  if (size <= sizes.request) {
    await client.send(new s3.CopyObjectCommand({ Bucket, Key, CopySource }), options);
    return;
  }
  const created = await client.send(
    new s3.CreateMultipartUploadCommand({ Bucket, Key, Metadata: { sha256 } }),
    options,
  );
  const upload = { Bucket, Key, UploadId: created.UploadId };
  const chunk = Math.max(sizes.part, Math.ceil(size / MAX_PARTS));
  const Parts: S3.CompletedPart[] = [];
  try {
    await inParallel(size, { chunk, concurrency: CONCURRENCY }, async (position, length) => {
      const index = position / chunk;
      const PartNumber = index + 1;
      const CopySourceRange = `bytes=${position}-${position + length - 1}`;
      const { CopyPartResult } = await client.send(
        new s3.UploadPartCopyCommand({ ...upload, PartNumber, CopySource, CopySourceRange }),
        options,
      );
      Parts[index] = { PartNumber, ETag: CopyPartResult?.ETag };
    });
    await client.send(
      new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }),
      options,
    );
  } catch (error) {
    // Parts that cannot be removed now are removed by the rule of the bucket for incomplete uploads.
    const abort = new s3.AbortMultipartUploadCommand(upload);
    await client.send(abort, { abortSignal: AbortSignal.timeout(ABORT_MS) }).catch(() => {});
    throw error;
  }
}
