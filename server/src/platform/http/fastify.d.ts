import 'fastify';
import type { Viewer } from './context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the route's guard before its handler runs; null on routes for anyone. */
    viewer: Viewer | null;
  }
  interface FastifyContextConfig {
    /** Its body is a file, which may take its time. */
    takesFile?: boolean;
  }
}
