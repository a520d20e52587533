import type { OutgoingHttpHeaders } from 'node:http';
import type { LiveEnd, LiveEvent, LiveJob, LivePermissions } from '@forecourt/contract/events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Viewer } from '../http/context.ts';
import { AppError } from '../http/errors.ts';
import { requireOpen } from '../http/open-calls.ts';
import type { EventBus } from './event-bus.ts';
import type { SentEvent } from './event-filter.ts';
import { RECENT_MS, type LiveEvents } from './events.ts';
import type { PresenceOfPeople } from './presence.ts';
import { streamMessage } from './stream-message.ts';

/** Prevents proxies from closing an idle connection, and limits the delay until an expired session is detected. */
const HEARTBEAT_MS = 15_000;

/** Maximum streams of a session per instance; a browser needs one. A further stream ends the oldest. */
const STREAMS_OF_A_SESSION = 20;

/** Maximum unread bytes buffered for a slow client. */
const UNREAD_BYTES = 1024 * 1024;

/** Serialised events, cached by their array: all viewers who receive the same events share the bytes. */
const serialised = new WeakMap<readonly SentEvent[], Buffer>();
const serialise = (events: readonly SentEvent[]): Buffer =>
  serialised.getOrInsertComputed(events, () =>
    Buffer.concat(events.map((event) => streamMessage('change', textOf(event), event.id))),
  );

function textOf({ row, ...event }: SentEvent): string {
  const text = JSON.stringify(event);
  return row === undefined ? text : `${text.slice(0, -1)},"row":${row}}`;
}

type Deps = {
  events: LiveEvents;
  eventBus: EventBus;
  presence: Pick<PresenceOfPeople, 'listen'>;
  /** Returns a function that reads the current viewer of a request. It throws once the session has ended. */
  viewerReader: (request: FastifyRequest) => () => Promise<Viewer>;
  /** Returns the permissions of a viewer for their own pages. */
  permissionsOf: (viewer: Viewer) => Promise<LivePermissions>;
};

type Stream = {
  userId: string;
  sessionId: string;
  check(): void;
  sendJob(jobId: string): void;
  sendNotification(): void;
  end(error?: unknown): void;
};

/**
 * Registers `GET /events`: server-sent events, read with `fetch` and the Authorization header (docs/product/api.md,
 * Live events). A live connection is a background request, so it does not count as use of the session. The session is
 * checked before each delivery, and at once when any instance revokes something of that user; the stream ends with it.
 * With `?recent=1` the stream begins with recent events, which the page may have missed while loading. Returns a function
 * that counts the open streams.
 */
export function registerEventsRoute(app: FastifyInstance, deps: Deps): () => number {
  const { events, eventBus, presence, viewerReader, permissionsOf } = deps;
  const streams = new Set<Stream>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  eventBus.on('revoked', (userId) => {
    for (const stream of streams) if (stream.userId === userId) stream.check();
  });
  const checkAll = () => {
    for (const stream of streams) stream.check();
  };
  eventBus.on('resumed', checkAll);
  eventBus.on('restored', checkAll);
  /** By user id: the time until which a page that connects may have missed a notification. */
  const notifiedUntil = new Map<string, number>();
  eventBus.on('notified', (userId) => {
    for (const [id, until] of notifiedUntil) if (until < performance.now()) notifiedUntil.delete(id);
    notifiedUntil.set(userId, performance.now() + RECENT_MS);
    for (const stream of streams) if (stream.userId === userId) stream.sendNotification();
  });
  eventBus.on('job', (value) => {
    const [userId, jobId = ''] = value.split(':');
    for (const stream of streams) if (stream.userId === userId) stream.sendJob(jobId);
  });

  app.get('/api/events', { schema: { hide: true } }, async (request, reply) => {
    const readViewer = viewerReader(request);
    const viewer = async (): Promise<Viewer> => {
      const current = await readViewer();
      requireOpen(current, undefined);
      return current;
    };
    const { userId, sessionId } = await viewer();
    let sentPermissions = '';
    let checking = Promise.resolve();
    /** Sends the viewer's permissions at the start, and when they change. */
    const sendPermissions = async (now: Viewer): Promise<void> => {
      const permissions = JSON.stringify([now.role, now.permissions]);
      if (permissions === sentPermissions) return;
      const data: LivePermissions = await permissionsOf(now);
      sentPermissions = permissions;
      if (streams.has(stream)) response.write(streamMessage('permissions', JSON.stringify(data)));
    };
    const own = [...streams].filter((other) => other.sessionId === sessionId);
    if (own.length >= STREAMS_OF_A_SESSION) own[0]?.end();

    void reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    reply.hijack();
    const response = reply.raw;
    // The connection ends with the stream, so it needs no chunked encoding, without which a write costs a quarter less.
    response.removeHeader('transfer-encoding');
    response.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    response.write(': connected\n\n');
    const stream: Stream = {
      userId,
      sessionId,
      check: () => {
        // In sequence: permissions read before a change must not be sent after it.
        checking = checking
          .then(viewer)
          .then(sendPermissions)
          .catch((error: unknown) => {
            // After a transient database error no event is delivered until the session has been read.
            if (error instanceof AppError) stream.end(error);
          });
      },
      sendJob: (jobId) => {
        const data: LiveJob = { jobId };
        response.write(streamMessage('job', JSON.stringify(data)));
      },
      sendNotification: () => {
        const event: LiveEvent = {
          id: '0',
          entity: 'notification',
          recordId: userId,
          action: 'created',
          version: null,
        };
        response.write(streamMessage('change', JSON.stringify(event)));
      },
      end: (error) => {
        if (!streams.delete(stream)) return;
        clearInterval(heartbeat);
        stopListening();
        stopPresence();
        if (error instanceof AppError) {
          const data: LiveEnd = { code: error.code };
          response.write(streamMessage('end', JSON.stringify(data)));
        } else if (error instanceof Error) {
          request.log.warn({ reason: error.message }, 'live connection ended');
        }
        response.end();
      },
    };
    streams.add(stream);
    const send = (message: Buffer): void => {
      if (!streams.has(stream)) return;
      // A client that does not read is disconnected before memory fills up; it reloads when it reconnects.
      if (response.writableLength > UNREAD_BYTES) return stream.end();
      response.write(message);
    };
    const listener = {
      viewer,
      deliver: (batch: readonly SentEvent[]) => send(serialise(batch)),
      end: (error: unknown) => stream.end(error),
    };
    const withRecent = (request.query as { recent?: string }).recent === '1';
    const stopListening = events.listen(listener, { withRecent });
    if (withRecent && (notifiedUntil.get(userId) ?? 0) > performance.now()) stream.sendNotification();
    const stopPresence = presence.listen({
      sessionId,
      viewer,
      deliver: send,
    });
    const heartbeat = setInterval(() => {
      response.write(': still here\n\n');
      stream.check();
    }, HEARTBEAT_MS);
    response.on('close', () => stream.end());
    stream.check();
    // The connection may have been closed while the session was read.
    if (response.closed) stream.end();
  });
  return () => streams.size;
}
