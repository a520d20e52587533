import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { AppError, handleErrors, sendError } from './errors.ts';

type ServerOptions = { log: Log; trustProxy: string[]; publicUrl: string | undefined };

/**
 * Fastify with what holds for every answer, errors included: security headers, compression, limits, request
 * ids, one error handler, one log line. Knows no feature.
 */
export async function createServer({ log, trustProxy, publicUrl }: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });
  // Input is checked and answers are written by the route helper; here schemas only document them.
  app.setValidatorCompiler(() => (data) => ({ value: data }));
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.decorateRequest('viewer', null);
  handleErrors(app);

  await app.register(helmet, headers(publicUrl));
  await app.register(compress, {
    threshold: 1024,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    // Level 1: the machine also runs the database, and most answers are read on a local network.
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Forecourt', version: '0.1.0', description: 'Every call of the product.' },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs' });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());

  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        userId: request.viewer?.userId,
      },
      'request',
    );
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api')) void reply.header('cache-control', 'no-store');
    done();
  });
  app.all('/api/*', { schema: { hide: true } }, (_request, reply) =>
    sendError(reply, new AppError('NOT_FOUND')),
  );
  return app;
}

/** The headers of architecture.md, `Content-Security-Policy`. */
const headers = (publicUrl: string | undefined) => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // Mantine and TipTap write style elements and attributes.
      styleSrcElem: ["'self'", "'unsafe-inline'"],
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      frameSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  // Plain http on an office network must keep working.
  strictTransportSecurity: publicUrl?.startsWith('https:') ? { maxAge: 31_536_000 } : (false as const),
  frameguard: { action: 'deny' as const },
  crossOriginOpenerPolicy: false as const,
  originAgentCluster: false as const,
});
