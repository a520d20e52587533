import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError, sendError } from './errors.ts';

/**
 * Serves the built browser side. Files with a hash in their name are kept for good; every path outside /api
 * that is no file answers index.html, whose router shows the screen or 'not found'.
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
    // A script of an older build is gone: told as such, since HTML in its place would only confuse the browser.
    if (/\.\w+$/.test(request.url.split('?')[0] ?? '')) return sendError(reply, new AppError('NOT_FOUND'));
    return reply.sendFile('index.html');
  });
}
