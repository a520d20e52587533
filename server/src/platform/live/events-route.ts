import type { OutgoingHttpHeaders } from 'node:http';
import type { LiveEnd, LiveEvent, LiveJob, LivePermissions } from '@forecourt/contract/events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Viewer } from '../http/context.ts';
import { AppError } from '../http/errors.ts';
import { requireEntry } from '../http/policy.ts';
import { RECENT_MS, type LiveEvents } from './events.ts';
import type { Notices } from './notices.ts';
import type { PresenceOfPeople } from './presence.ts';

/** Keeps proxies from closing a quiet line, and finds out within this time that a session has run out. */
const HEARTBEAT_MS = 15_000;

/** A browser needs one. Each instance lets a session have so many; the next one ends the oldest. */
const STREAMS_OF_A_SESSION = 20;

/** So much may wait for a browser that is slow to read. */
const UNREAD_BYTES = 1024 * 1024;

/** An event as it is written, once for all who are told. */
const written = new WeakMap<LiveEvent, string>();
function wordsOf(event: LiveEvent): string {
  let words = written.get(event);
  if (words === undefined) {
    words = `id: ${event.id}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`;
    written.set(event, words);
  }
  return words;
}

type Deps = {
  events: LiveEvents;
  notices: Notices;
  presence: Pick<PresenceOfPeople, 'listen'>;
  authenticate: (request: FastifyRequest) => Promise<Viewer>;
  /** What a viewer may do, as their own pages are told of it. */
  permissionsOf: (viewer: Viewer) => Promise<LivePermissions>;
};

type Stream = {
  userId: string;
  sessionId: string;
  check(): void;
  tellOfJob(jobId: string): void;
  tellOfNews(): void;
  end(error?: unknown): void;
};

/**
 * `GET /events`: server-sent events read with `fetch` and the Authorization header (product.md section 3). A
 * live connection is no use of the session: it is asked about as background. The stream ends with the session:
 * it is asked about before each delivery, and at once when any instance revokes something of that person. With
 * `?recent=1` it begins with what happened while the page was loading.
 */
export function registerEventsRoute(app: FastifyInstance, deps: Deps): void {
  const { events, notices, presence, authenticate, permissionsOf } = deps;
  const streams = new Set<Stream>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  notices.on('revoked', (userId) => {
    for (const stream of streams) if (stream.userId === userId) stream.check();
  });
  const checkAll = () => {
    for (const stream of streams) stream.check();
  };
  notices.on('resumed', checkAll);
  notices.on('restored', checkAll);
  /** By person, until when a page that connects may not have heard of the newest notification. */
  const newsUntil = new Map<string, number>();
  notices.on('notified', (userId) => {
    for (const [known, until] of newsUntil) if (until < performance.now()) newsUntil.delete(known);
    newsUntil.set(userId, performance.now() + RECENT_MS);
    for (const stream of streams) if (stream.userId === userId) stream.tellOfNews();
  });
  notices.on('job', (value) => {
    const [userId, jobId = ''] = value.split(':');
    for (const stream of streams) if (stream.userId === userId) stream.tellOfJob(jobId);
  });

  app.get('/api/events', { schema: { hide: true } }, async (request, reply) => {
    const viewer = async (): Promise<Viewer> => {
      const current = await authenticate(request);
      requireEntry(current);
      return current;
    };
    const { userId, sessionId } = await viewer();
    let told = '';
    /** Tells a page what its person may do: when it connects, and at once when that is something else. */
    const tellRights = async (now: Viewer): Promise<void> => {
      const rights = JSON.stringify([now.role, now.permissions]);
      if (rights === told) return;
      const data: LivePermissions = await permissionsOf(now);
      told = rights;
      if (streams.has(stream)) answer.write(`event: permissions\ndata: ${JSON.stringify(data)}\n\n`);
    };
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
        viewer()
          .then(tellRights)
          .catch((error: unknown) => {
            // The database may be away for a moment. Nothing is delivered before it has answered.
            if (error instanceof AppError) stream.end(error);
          });
      },
      tellOfJob: (jobId) => {
        const data: LiveJob = { jobId };
        answer.write(`event: job\ndata: ${JSON.stringify(data)}\n\n`);
      },
      tellOfNews: () => {
        const event: LiveEvent = {
          id: '0',
          entity: 'notification',
          recordId: userId,
          action: 'created',
          version: null,
        };
        answer.write(`event: change\ndata: ${JSON.stringify(event)}\n\n`);
      },
      end: (error) => {
        if (!streams.delete(stream)) return;
        clearInterval(heartbeat);
        stopListening();
        stopPresence();
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
    const listener = {
      viewer,
      deliver: (batch: LiveEvent[]) => {
        if (!streams.has(stream)) return;
        // Who does not read is let go before the memory is: on coming back they load anew.
        if (answer.writableLength > UNREAD_BYTES) return stream.end();
        answer.write(batch.map(wordsOf).join(''));
      },
      end: (error: unknown) => stream.end(error),
    };
    const withRecent = (request.query as { recent?: string }).recent === '1';
    const stopListening = events.listen(listener, { withRecent });
    if (withRecent && (newsUntil.get(userId) ?? 0) > performance.now()) stream.tellOfNews();
    const stopPresence = presence.listen({
      sessionId,
      viewer,
      deliver: (words) => {
        if (answer.writableLength > UNREAD_BYTES) return stream.end();
        answer.write(`event: presence\ndata: ${words}\n\n`);
      },
    });
    const heartbeat = setInterval(() => {
      answer.write(': still here\n\n');
      stream.check();
    }, HEARTBEAT_MS);
    answer.on('close', () => stream.end());
    stream.check();
    // It may have closed while the session was read.
    if (answer.closed) stream.end();
  });
}
