import 'fastify';
import type { Viewer } from './context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the route's guard before its handler runs; null on routes for anyone. */
    viewer: Viewer | null;
  }
  interface FastifyContextConfig {
    /** The body is a file, which has a longer time limit. */
    takesFile?: boolean;
  }
}
