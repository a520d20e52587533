import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Download } from './downloads.ts';
import { AppError, invalidField } from './errors.ts';
import { refuseBytes } from './refusals.ts';

/** How long a body may take to arrive, and a file. */
const BODY_MS = 30_000;
const FILE_MS = 2 * 3_600_000;

/** A file on its way in: read it to its end, and look at `isTooLarge` then. */
export type Upload = {
  /** As the browser says: text to judge, never a path. */
  filename: string;
  stream: Readable;
  /** The limit cut it off. */
  isTooLarge: () => boolean;
};

/** Ends a request whose body has not arrived in time. Node's own limit knows no routes. */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return done();
  const limit = request.routeOptions.config.takesFile ? FILE_MS : BODY_MS;
  const timer = setTimeout(() => {
    if (request.raw.complete) return;
    refuseBytes(
      Object.assign(new Error('The body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      request.raw.socket,
    );
  }, limit).unref();
  reply.raw.once('close', () => clearTimeout(timer));
  done();
}

/** The one file of a multipart body, not read yet. UNSUPPORTED_TYPE and INVALID_REQUEST where there is none. */
export async function readUpload(request: FastifyRequest, field: string, limit: number): Promise<Upload> {
  if (!request.isMultipart()) throw new AppError('UNSUPPORTED_TYPE', { message: 'Bodies must be multipart' });
  const limits = { fileSize: limit, files: 1, fields: 0, parts: 1, headerPairs: 20 };
  const part = await request.file({ limits, throwFileSizeLimit: false });
  if (!part || part.fieldname !== field) {
    part?.file.resume();
    throw invalidField(field, 'A file is required');
  }
  return { filename: part.filename, stream: part.file, isTooLarge: () => part.file.truncated };
}

/** The whole of a small file; undefined where the limit cut it off. */
export async function readWhole({ stream, isTooLarge }: Upload): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return isTooLarge() ? undefined : Buffer.concat(pieces);
}

/** A name as RFC 5987 writes it in a header: encodeURIComponent leaves some characters that end a value there. */
const extValue = (name: string): string =>
  encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.codePointAt(0)!.toString(16).toUpperCase()}`,
  );

/**
 * Answers with a file as an attachment, streamed; a browser keeps nothing of it and guesses nothing about it, and
 * nothing in it runs were it opened as a page.
 */
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
