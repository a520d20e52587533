declare module '@20minutes/s3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Readable } from 'node:stream';

  type Options = {
    directory: string;
    silent: boolean;
    vhostBuckets: boolean;
    allowMismatchedSignatures?: boolean;
    configureBuckets: { name: string }[];
  };

  export default class S3rver {
    constructor(options: Options);
    configureBuckets(): Promise<unknown>;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    logger: { close(): void; exceptions: { unhandle(): void } };
    store: {
      listObjects(bucket: string, options: object): Promise<{ objects: { key: string }[] }>;
      getObject(bucket: string, key: string): Promise<{ content: Readable }>;
      deleteObject(bucket: string, key: string): Promise<void>;
      getMetadata(bucket: string, key: string): Promise<{ 'content-length': number }>;
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
    };
  }
}
