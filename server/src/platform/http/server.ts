import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { AppError, handleErrors, sendError } from './errors.ts';
import { limitBodyTime } from './files.ts';
import { refuseBytes, refuseUrl } from './refusals.ts';

/** How long a stop waits for requests that are under way (product.md section 2: it ends within 10 s). */
const FINISH_MS = 4000;

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
    // Each route has its own limit for its body: see limitBodyTime.
    requestTimeout: 0,
    exposeHeadRoutes: false,
    frameworkErrors: refuseUrl,
    clientErrorHandler: refuseBytes,
    // How often Node looks for requests that take too long; its default doubles the limit above.
    http: { connectionsCheckingInterval: 5000, headersTimeout: 30_000 },
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
  // Bodies are JSON; without this one, text would be read and refused later in other words.
  app.removeContentTypeParser('text/plain');
  await app.register(multipart);
  app.addHook('onRequest', limitBodyTime);
  app.setNotFoundHandler((_request, reply) => sendError(reply, new AppError('NOT_FOUND')));
  app.addHook('preClose', async () => {
    // Requests in flight may finish; one that is never sent to its end must not hold up the stop.
    setTimeout(() => app.server.closeAllConnections(), FINISH_MS).unref();
  });

  const secured = securityHeaders(publicUrl);
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(secured);
    done();
  });
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
  for (const path of ['/api', '/api/*']) {
    app.all(path, { schema: { hide: true } }, (_request, reply) =>
      sendError(reply, new AppError('NOT_FOUND')),
    );
  }
  return app;
}

/**
 * The headers of architecture.md, `Content-Security-Policy`, as helmet sets them. They are the same in every answer, so
 * it is asked once.
 */
function securityHeaders(publicUrl: string | undefined): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(helmetOptions(publicUrl))(request, response, () => {});
  return response.getHeaders();
}

const helmetOptions = (publicUrl: string | undefined) => ({
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
