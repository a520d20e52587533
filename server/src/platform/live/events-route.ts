import type { LiveEnd } from '@forecourt/contract/events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Viewer } from '../http/context.ts';
import { AppError } from '../http/errors.ts';
import type { LiveEvents } from './events.ts';

/** Keeps proxies from closing a quiet line, and finds out within this time that a session has ended. */
const HEARTBEAT_MS = 15_000;

type Deps = { events: LiveEvents; authenticate: (request: FastifyRequest) => Promise<Viewer> };

/**
 * `GET /events`: server-sent events read with `fetch` and the Authorization header (product.md section 3). A
 * live connection is no use of the session: it is asked about as background, and the stream ends with it.
 */
export function registerEventsRoute(app: FastifyInstance, { events, authenticate }: Deps): void {
  const open = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const end of open) end();
  });

  app.get('/api/events', { schema: { hide: true } }, async (request, reply) => {
    const viewer = await authenticate(request);
    if (viewer.forcePasswordChange)
      throw new AppError('PASSWORD_CHANGE_REQUIRED', { requiresPasswordChange: true });
    reply.hijack();
    const stream = reply.raw;
    stream.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    stream.write(': connected\n\n');
    // One object for the whole connection, brought up to date: rights may change while it is open.
    const listener = {
      viewer,
      deliver: (batch: { id: string }[]) => {
        for (const event of batch)
          stream.write(`id: ${event.id}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`);
      },
    };
    const stopListening = events.listen(listener);
    const end = (): void => {
      clearInterval(heartbeat);
      stopListening();
      open.delete(end);
      stream.end();
    };
    const heartbeat = setInterval(() => {
      authenticate(request)
        .then((current) => {
          listener.viewer = current;
          stream.write(': still here\n\n');
        })
        .catch((error: unknown) => {
          if (!(error instanceof AppError)) return;
          const data: LiveEnd = { code: error.code };
          stream.write(`event: end\ndata: ${JSON.stringify(data)}\n\n`);
          end();
        });
    }, HEARTBEAT_MS);
    open.add(end);
    stream.on('close', end);
  });
}
