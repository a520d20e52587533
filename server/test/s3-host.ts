import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** What the store refuses: requests of a method, or only those of one object, with the code and status of S3. */
export type Refusal = { method: string; key?: string; status: number; code: string };

export type S3Host = Awaited<ReturnType<typeof openS3Host>>;

export const S3_BUCKET = 'copies';

/**
 * Starts an S3 store on 127.0.0.1 which verifies signatures. As Amazon's and other stores do, and S3rver does not, it
 * compares each body with its signed SHA-256, refuses to copy a large object in one request, and ends multipart uploads.
 * @param copyBytes the largest object that one request copies
 */
export async function openS3Host({ copyBytes = 5 * 1024 ** 3 } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const configureBuckets = [{ name: S3_BUCKET }];
  const common = { directory, silent: true, vhostBuckets: false, configureBuckets };
  const store = new S3rver(common);
  await store.configureBuckets();
  // S3rver signs `/copies/` without the last slash, so that it refuses right signatures of requests to the bucket.
  const bucketStore = new S3rver({ ...common, allowMismatchedSignatures: true });
  const [handleObject, handleBucket] = [store.callback(), bucketStore.callback()];
  const uploads = store.store.getResourcePath(S3_BUCKET, undefined, 'uploads');
  const requests: { method: string; path: string }[] = [];
  let refusal: Refusal | undefined;

  const refuse = (response: ServerResponse, status: number, code: string): void => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>secret words of the store</Message></Error>`,
    );
  };

  const server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, path: url.split('?')[0]! });
      const body = Buffer.concat(await request.toArray());
      if (refusal?.method === method && url.includes(refusal.key ?? ''))
        return refuse(response, refusal.status, refusal.code);
      const digest = createHash('sha256').update(body).digest('hex');
      const signed = String(headers['x-amz-content-sha256']);
      if (/^[0-9a-f]{64}$/.test(signed) && signed !== digest)
        return refuse(response, 400, 'XAmzContentSHA256Mismatch');
      const source = headers['x-amz-copy-source'];
      const uploadId = new URL(url, 'http://localhost').searchParams.get('uploadId');
      if (method === 'DELETE' && uploadId !== null) {
        await rm(join(uploads, uploadId), { recursive: true });
        return void response.writeHead(204).end();
      }
      if (source !== undefined && uploadId === null) {
        const key = decodeURIComponent(String(source)).slice(S3_BUCKET.length + 1);
        if ((await store.store.getMetadata(S3_BUCKET, key))['content-length'] > copyBytes)
          return refuse(response, 400, 'InvalidRequest');
      }
      // A message that is not complete would close the connection at its end.
      const read = Object.assign(new IncomingMessage(request.socket), {
        method,
        url,
        headers,
        complete: true,
      });
      read.push(body);
      read.push(null);
      const isOfBucket = /^\/[^/?]*\/?(\?|$)/.test(url);
      await (isOfBucket ? handleBucket : handleObject)(read, response);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    port,
    endpoint: `http://127.0.0.1:${port}`,
    bucket: S3_BUCKET,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    /** The requests so far, oldest first. */
    requests,
    refuse(next: Refusal | undefined): void {
      refusal = next;
    },
    /** Returns the keys of all objects. */
    async keys(): Promise<string[]> {
      const { objects } = await store.store.listObjects(S3_BUCKET, { maxKeys: 1000 });
      return objects.map(({ key }) => key).toSorted();
    },
    /** Returns the ids of multipart uploads that were neither completed nor ended. */
    uploads: (): Promise<string[]> => readdir(uploads).catch(() => []),
    async read(key: string): Promise<Buffer> {
      const { content } = await store.store.getObject(S3_BUCKET, key);
      return Buffer.concat(await content.toArray());
    },
    remove: (key: string): Promise<void> => store.store.deleteObject(S3_BUCKET, key),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const { logger } of [store, bucketStore]) {
        logger.exceptions.unhandle();
        logger.close();
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
