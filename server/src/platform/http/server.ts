import { isUtf8 } from 'node:buffer';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import own from '../../../package.json' with { type: 'json' };
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { AppError, handleErrors, sendError, type Diagnosis } from './errors.ts';
import { limitBodyTime } from './files.ts';
import { completeOpenApi, toJsonSchemas } from './openapi.ts';
import { isolation, refuseBytes, refuseUrl } from './refusals.ts';

/** How long a stop, of 10 s in all, waits for requests in flight (docs/product/limits.md, Start and stop). */
const FINISH_MS = 4000;

/**
 * Responses up to this size are compressed by one synchronous call, which takes 1 to 3 ms at this size, and for a list
 * of 100 rows a seventh of the processor time of a stream. Larger ones are compressed in other threads.
 */
const ONE_CALL_BYTES = 512 * 1024;

/**
 * Level 1, because the machine also runs the database, and most responses are read on a local network. gzip reads
 * `level`, zstd reads `params`; the plugin passes one object to both.
 */
const GZIP_AND_ZSTD = { level: 1, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

type ServerOptions = {
  log: Log;
  health: Diagnosis;
  trustProxy: string[];
  publicUrl: string | undefined;
};

/**
 * Creates Fastify with everything common to all responses: security headers, compression, limits, request ids, one
 * error handler, one log line. Knows no feature.
 */
export async function createServer({
  log,
  health,
  trustProxy,
  publicUrl,
}: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: 1024 * 1024,
    // Each route has its own timeout for the body: see limitBodyTime.
    requestTimeout: 0,
    exposeHeadRoutes: false,
    frameworkErrors: refuseUrl,
    clientErrorHandler: refuseBytes,
    // The interval at which Node checks for slow requests; its default would double the timeout above.
    http: { connectionsCheckingInterval: 5000, headersTimeout: 30_000 },
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
  });
  // The route helper validates input and serialises responses; here schemas are documentation only.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.decorateRequest('viewer', null);
  handleErrors(app, health);
  // Without this parser a body is refused as JSON would be; with it, text would be read first.
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // Invalid bytes would be stored as replacement characters.
    if (isUtf8(body)) void parseJson(request, body.toString(), done);
    else done(new AppError('INVALID_REQUEST', { details: 'The body is not valid UTF-8' }));
  });
  await app.register(multipart);
  app.addHook('onRequest', limitBodyTime);
  app.setNotFoundHandler((_request, reply) => sendError(reply, new AppError('NOT_FOUND')));
  app.addHook('preClose', async () => {
    // A body that never ends must not delay the stop.
    setTimeout(() => app.server.closeAllConnections(), FINISH_MS).unref();
  });

  const headers = securityHeaders(publicUrl);
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
  await app.register(compress, {
    threshold: 1024,
    // No page compresses bodies, and their decompressed size would be unlimited.
    globalDecompression: false,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    syncThreshold: ONE_CALL_BYTES,
    zlibOptions: GZIP_AND_ZSTD,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Forecourt', version: own.version, description: 'Every call of the product.' },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: toJsonSchemas,
    transformObject: (document) =>
      completeOpenApi('openapiObject' in document ? document.openapiObject : document.swaggerObject),
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

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Mantine and TipTap write style elements and attributes.
  "style-src-elem 'self' 'unsafe-inline'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

/** The headers of every response (docs/product/security.md, Response headers). */
const securityHeaders = (publicUrl: string | undefined) => ({
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-resource-policy': 'same-origin',
  ...isolation,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Plain http in an office network must keep working, so the header needs an https URL.
  ...(publicUrl?.startsWith('https:') && {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  }),
});
