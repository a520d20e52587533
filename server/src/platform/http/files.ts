import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Download } from './downloads.ts';
import { AppError, invalidField } from './errors.ts';
import { refuseBytes } from './refusals.ts';

/** Formats a limit, such as `10 MB`. */
export const formatMegabytes = (bytes: number): string => `${bytes / 1024 ** 2} MB`;

/** Timeouts of the body of a request, and of an upload. */
const BODY_MS = 30_000;
const FILE_MS = 2 * 3_600_000;

/** An upload as a stream. `isTooLarge` is set when the stream has ended. */
export type Upload = {
  /** The name sent by the browser: an untrusted text. */
  filename: string;
  stream: Readable;
  isTooLarge: () => boolean;
};

/** Ends a request whose body does not arrive in time. Node's own timeout cannot be set per route. */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return done();
  const limit = request.routeOptions.config.takesFile ? FILE_MS : BODY_MS;
  const timer = setTimeout(() => {
    // An injected request in tests is never complete, but its stream has ended.
    if (request.raw.complete || request.raw.readableEnded) return;
    refuseBytes(
      Object.assign(new Error('The body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      request.raw.socket,
    );
  }, limit).unref();
  reply.raw.once('close', () => clearTimeout(timer));
  done();
}

/** Error code for a malformed multipart body; the parser's error has none. */
const MALFORMED_MULTIPART = 'FST_MP_MALFORMED';
const asMalformed = (error: Error & { statusCode?: number }): Error =>
  error.statusCode ? error : Object.assign(error, { code: MALFORMED_MULTIPART, statusCode: 400 });

/** Returns the single file of a multipart body as a stream. Throws UNSUPPORTED_TYPE or INVALID_REQUEST. */
export async function readUpload(request: FastifyRequest, field: string, limit: number): Promise<Upload> {
  if (!request.isMultipart()) throw new AppError('UNSUPPORTED_TYPE', { message: 'Bodies must be multipart' });
  const limits = { fileSize: limit, files: 1, fields: 0, parts: 1, headerPairs: 20 };
  const part = await request.file({ limits, throwFileSizeLimit: false }).catch((error: Error) => {
    throw asMalformed(error);
  });
  // Attached before the stream is read, because a truncated body has already failed.
  part?.file.on('error', asMalformed);
  if (part?.file.errored) asMalformed(part.file.errored);
  if (!part || part.fieldname !== field) {
    part?.file.resume();
    throw invalidField(field, 'A file is required');
  }
  // A binary part without a name is also a file, although the parser's types exclude it.
  const filename = (part.filename as string | undefined) ?? '';
  return { filename, stream: part.file, isTooLarge: () => part.file.truncated };
}

/** A file in memory; `content` is undefined above the limit. */
export type SmallFile = { filename: string; content: Buffer | undefined };

/** Maximum small files of one user that an instance reads concurrently, since each is in memory. */
const MAX_CONCURRENT = 5;

/** Returns a reader of small files that limits concurrent reads per user. Throws TOO_MANY_REQUESTS. */
export function createSmallFileReader() {
  const readingFor = new Map<string, number>();

  return async (userId: string, { filename, stream, isTooLarge }: Upload): Promise<SmallFile> => {
    const reading = readingFor.get(userId) ?? 0;
    if (reading >= MAX_CONCURRENT) {
      stream.resume();
      throw new AppError('TOO_MANY_REQUESTS', {
        message: `At most ${MAX_CONCURRENT} files can be added at the same time. Please add this one again.`,
        retryAfterSeconds: 1,
      });
    }
    readingFor.set(userId, reading + 1);
    try {
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      return { filename, content: isTooLarge() ? undefined : Buffer.concat(pieces) };
    } finally {
      const left = readingFor.get(userId)! - 1;
      if (left === 0) readingFor.delete(userId);
      else readingFor.set(userId, left);
    }
  };
}

/** Encodes a name for a header by RFC 5987. encodeURIComponent leaves some characters that would end the value. */
const extValue = (name: string): string =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.codePointAt(0)!.toString(16).toUpperCase()}`,
  );

/** Streams a file as an attachment. Headers prevent caching, content sniffing, and scripts in an opened page. */
export async function sendFile(reply: FastifyReply, file: Download): Promise<FastifyReply> {
  const stream = await file.open();
  return reply
    .headers({
      'content-type': file.type,
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename="${file.name.replaceAll(/[^\w .-]/g, '_')}"; filename*=UTF-8''${extValue(file.name)}`,
      ...(file.size !== undefined && { 'content-length': String(file.size) }),
    })
    .send(stream);
}
