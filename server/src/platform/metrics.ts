import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type OpenMetricsContentType,
} from 'prom-client';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { StartError } from './start-error.ts';

/** A value with its labels. No label may name a person or a record. */
type Sample = { labels?: Record<string, string>; value: number };

/** A gauge that is read at each scrape. */
export type Reading = {
  /** Without the prefix `forecourt_`; with the unit, for example `backup_age_seconds`. */
  name: string;
  help: string;
  labels?: readonly string[];
  read: () => Promise<readonly Sample[]> | readonly Sample[];
};

/** Upper limits of durations, in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/** The metrics of this instance, for METRICS_PORT (docs/operating.md, Metrics). */
export function createMetrics(log: Log) {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges with names of counters, which Prometheus warns of.
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('nodejs_active_')) registry.removeSingleMetric(name);
  const requests = new Histogram({
    name: 'forecourt_http_request_duration_seconds',
    help: 'Time until a response was sent, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  });
  const mails = new Counter({
    name: 'forecourt_mail_attempts',
    help: 'Attempts to send an email, by outcome',
    labelNames: ['outcome'] as const,
    registers,
  });
  const failures = new Counter({
    name: 'forecourt_metric_failures',
    help: 'Readings that failed, for example because the database was away',
    labelNames: ['metric'] as const,
    registers,
  });

  return {
    text: (): Promise<string> => registry.metrics(),

    /** Records each response, except the streams of live events, which end when the page is closed. */
    observe(app: FastifyInstance): void {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'unknown';
        const status = `${Math.floor(reply.statusCode / 100)}xx`;
        if (route !== '/api/events')
          requests.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
        done();
      });
    },

    countMail: (outcome: string): void => mails.inc({ outcome }),

    /** A reading that fails is absent and counted, so that the others are served while the database is away. */
    add({ name, help, labels = [], read }: Reading): void {
      const gauge: Gauge = new Gauge({
        name: `forecourt_${name}`,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          gauge.reset();
          try {
            const samples = await read();
            // A gauge without labels would be 0 after the reset.
            if (labels.length === 0) gauge.remove();
            for (const sample of samples) gauge.set(sample.labels ?? {}, sample.value);
          } catch (error) {
            if (labels.length === 0) gauge.remove();
            failures.inc({ metric: name });
            log.debug({ metric: name, reason: (error as Error).message }, 'metric not read');
          }
        },
      });
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Serves `GET /metrics` on a port of its own in the format OpenMetrics. Throws a `StartError` if it is taken. Returns its URL. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text'>,
  { METRICS_PORT, METRICS_HOST }: Pick<Config, 'METRICS_PORT' | 'METRICS_HOST'>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': Registry.OPENMETRICS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    reject(
      new StartError(
        `METRICS_PORT ${METRICS_PORT} on METRICS_HOST ${METRICS_HOST} cannot be used: ${error.code ?? error.message}.`,
      ),
    ),
  );
  server.listen(METRICS_PORT, METRICS_HOST, resolve);
  await promise;
  const { port } = server.address() as { port: number };
  return {
    url: `http://${METRICS_HOST}:${port}/metrics`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
