import type { OutgoingHttpHeaders } from 'node:http';
import type { LiveEnd, LiveEvent } from '@forecourt/contract/events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Viewer } from '../http/context.ts';
import { AppError } from '../http/errors.ts';
import type { LiveEvents } from './events.ts';
import type { Notices } from './notices.ts';

/** Keeps proxies from closing a quiet line, and finds out within this time that a session has run out. */
const HEARTBEAT_MS = 15_000;

/** A browser needs one. Each instance lets a session have so many; the next one ends the oldest. */
const STREAMS_OF_A_SESSION = 20;

/** So much may wait for a browser that is slow to read. */
const UNREAD_BYTES = 1024 * 1024;

type Deps = {
  events: LiveEvents;
  notices: Notices;
  authenticate: (request: FastifyRequest) => Promise<Viewer>;
};

type Stream = { userId: string; sessionId: string; check(): void; end(error?: unknown): void };

/**
 * `GET /events`: server-sent events read with `fetch` and the Authorization header (product.md section 3). A
 * live connection is no use of the session: it is asked about as background. The stream ends with the session:
 * it is asked about before each delivery, and at once when any instance revokes something of that person.
 */
export function registerEventsRoute(app: FastifyInstance, { events, notices, authenticate }: Deps): void {
  const streams = new Set<Stream>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  notices.on('revoked', (userId) => {
    for (const stream of streams) if (stream.userId === userId) stream.check();
  });
  notices.on('resumed', () => {
    for (const stream of streams) stream.check();
  });

  app.get('/api/events', { schema: { hide: true } }, async (request, reply) => {
    const viewer = async (): Promise<Viewer> => {
      const current = await authenticate(request);
      if (current.forcePasswordChange)
        throw new AppError('PASSWORD_CHANGE_REQUIRED', { requiresPasswordChange: true });
      return current;
    };
    const { userId, sessionId } = await viewer();
    const own = [...streams].filter((other) => other.sessionId === sessionId);
    if (own.length >= STREAMS_OF_A_SESSION) own[0]?.end();

    void reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.hijack();
    const answer = reply.raw;
    answer.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    answer.write(': connected\n\n');
    const stream: Stream = {
      userId,
      sessionId,
      check: () => {
        viewer().catch((error: unknown) => {
          // The database may be away for a moment. Nothing is delivered before it has answered.
          if (error instanceof AppError) stream.end(error);
        });
      },
      end: (error) => {
        if (!streams.delete(stream)) return;
        clearInterval(heartbeat);
        stopListening();
        if (error instanceof AppError) {
          const data: LiveEnd = { code: error.code };
          answer.write(`event: end\ndata: ${JSON.stringify(data)}\n\n`);
        } else if (error instanceof Error) {
          request.log.warn({ reason: error.message }, 'live connection ended');
        }
        answer.end();
      },
    };
    streams.add(stream);
    const stopListening = events.listen({
      viewer,
      deliver: (batch: LiveEvent[]) => {
        if (!streams.has(stream)) return;
        // Who does not read is let go before the memory is: on coming back they load anew.
        if (answer.writableLength > UNREAD_BYTES) return stream.end();
        for (const event of batch)
          answer.write(`id: ${event.id}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`);
      },
      end: (error) => stream.end(error),
    });
    const heartbeat = setInterval(() => {
      answer.write(': still here\n\n');
      stream.check();
    }, HEARTBEAT_MS);
    answer.on('close', () => stream.end());
    // It may have closed while the session was read.
    if (answer.closed) stream.end();
  });
}
