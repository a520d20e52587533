import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError, sendError } from './errors.ts';

/**
 * Serves the built web client. Files with a hash in their name are cached for good; every other path outside /api gets
 * index.html, whose router shows the screen or 'not found'.
 */
export async function serveWebFiles(app: FastifyInstance, root: string): Promise<void> {
  if (!existsSync(join(root, 'index.html'))) return;
  await app.register(fastifyStatic, {
    root,
    wildcard: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(root, 'assets'));
      void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    // A missing script of an older build is a 404: HTML in its place would be parsed as a script.
    if (/\.\w+$/.test(request.url.split('?')[0] ?? '')) return sendError(reply, new AppError('NOT_FOUND'));
    return reply.sendFile('index.html');
  });
}
