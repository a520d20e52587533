import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes, type ErrorBody, type ErrorCode } from '@forecourt/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../ids.ts';

/** Pages opened by another site share no window with it, and pages may use no device or sensor. */
export const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), display-capture=()',
};

/** The headers of responses that are sent before any hook has run. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...isolation,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
};

const bodyOf = (code: ErrorCode, requestId: string): string =>
  JSON.stringify({ message: errorCodes[code].message, code, requestId } satisfies ErrorBody);

/** Handles a path that cannot be decoded by a 404 that does not repeat the path; browsers get the page of a 404. */
export function refuseUrl(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = newId();
  const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
  if (isPage && !request.url.startsWith('/api')) {
    reply.raw.writeHead(302, { ...HEADERS, 'x-request-id': requestId, location: '/not-found' }).end();
    return;
  }
  reply.raw.writeHead(404, { ...HEADERS, 'x-request-id': requestId }).end(bodyOf('NOT_FOUND', requestId));
}

/** Handles bytes that are not a valid request: headers that are too long or slow, or not HTTP. */
export function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const requestId = newId();
  const body = bodyOf('INVALID_REQUEST', requestId);
  const head = Object.entries({
    ...HEADERS,
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${head}\r\n${body}`);
}
