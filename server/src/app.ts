import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createCopies } from './features/backups/copies.ts';
import { createScheduler } from './features/backups/scheduler.ts';
import { createChangeSetCounting } from './features/deals/changes/change-sets.service.ts';
import { createSumsFolding } from './features/deals/list/deal-figures.service.ts';
import { createDiskWatch } from './features/notifications/disk-watch.service.ts';
import { readMigrations } from './platform/db/migrations.ts';
import { createReleaseWatch } from './platform/db/newer-release.ts';
import { createHealth } from './platform/health.ts';
import { REPLACED, unavailable } from './platform/http/errors.ts';
import { createKeyCleanUp } from './platform/http/idempotency.ts';
import { registerRoutes } from './platform/http/routes.ts';
import { createServer } from './platform/http/server.ts';
import { serveWebFiles } from './platform/http/web-files.ts';
import { registerEventsRoute } from './platform/live/events-route.ts';
import { addReadings } from './readings.ts';
import { createFeatureEvents, createServices, routesOf, type AppDeps } from './services.ts';

/** Builds the whole application behind HTTP. `services.ts` has its services, with their routes and live events. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, clock, db, jobs, log, eventBus, secrets } = deps;
  const migrations = await readMigrations();
  const { onReplaced = (line) => log.error(line) } = deps;
  const releases = createReleaseWatch({ db, eventBus, log, migrations, onReplaced });
  const health = createHealth({
    db,
    stall: deps.stall,
    releases,
    databaseFolder: config.DATABASE_URL ? undefined : config.DATA_DIR,
  });
  const app = await createServer({
    log,
    health,
    trustProxy: config.TRUST_PROXY,
    publicUrl: config.PUBLIC_URL,
  });

  deps.metrics?.observe(app);
  app.addHook('onRequest', async ({ url }) => {
    if (releases.isReplaced() && url.startsWith('/api/') && url !== '/api/live') throw unavailable(REPLACED);
  });

  const services = createServices(deps, migrations);
  const {
    sessions,
    linkMail,
    notificationMail,
    mentionMail,
    deals,
    sending,
    permissions,
    progress,
    presence,
    sealing,
    dealPurge,
    inFlight,
    destinations,
    backupAlerts,
    backups,
    exports,
  } = services;
  const events = createFeatureEvents(deps, services);
  eventBus.on('job-state', (recordId) =>
    events.publish({ id: '0', entity: 'job', recordId, action: 'updated', version: null }),
  );
  const diskWatch = createDiskWatch({ db, log, folder: config.DATA_DIR });
  const scheduler = createScheduler({ db, log, clock, backups: backups.store, events });
  const copies = createCopies({ db, log, backups: backups.store, destinations, events });
  const delivery = await sending.startDelivery({
    db,
    log,
    events,
    ...(deps.metrics && { onOutcome: deps.metrics.countMail }),
  });
  await jobs.start([
    ...(linkMail.job ? [linkMail.job] : []),
    ...mentionMail.jobs({ db, log, namesOf: deals.namesOf }),
    ...backupAlerts.mailJobs,
    progress.sweep,
    sealing.job,
    exports.cleanUp,
    createKeyCleanUp(db),
    createSumsFolding(db),
    createChangeSetCounting(db),
  ]);
  // Only an instance that serves requests runs the backup schedule and the clean-up.
  app.addHook('onListen', () =>
    jobs.start([
      ...backups.jobs,
      services.contentMove.job,
      scheduler.job,
      copies.job,
      backupAlerts.watch,
      dealPurge.job,
      diskWatch.job,
    ]),
  );
  app.addHook('onClose', async () => {
    events.stop();
    presence.stop();
    linkMail.stop();
    notificationMail?.close();
    await progress.stop();
    await delivery.stop();
  });

  const viewerReader = (request: FastifyRequest, background = request.headers['x-background'] === '1') => {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    return sessions.reader(scheme?.toLowerCase() === 'bearer' ? token : undefined, {
      background,
      viewing: request.headers['x-view-as']?.toString(),
    });
  };
  const openStreams = registerEventsRoute(app, {
    events,
    eventBus,
    presence,
    viewerReader: (request) => viewerReader(request, true),
    permissionsOf: (viewer) => permissions.ofViewer(db, viewer),
  });
  if (deps.metrics) addReadings(deps.metrics, { db, backupAlerts, sending, openStreams });
  registerRoutes(
    app,
    {
      db,
      authenticate: (request) => viewerReader(request)(),
      validateResponses: deps.validateResponses,
      announce: () => events.announce(),
      secrets,
      uploadLimit: config.UPLOAD_LIMIT,
      inFlight,
      progress,
      clock,
      auditAdjustments: (ctx, adjustment) => services.months.auditAdjustments(ctx, adjustment),
    },
    routesOf(deps, services, health),
  );
  await serveWebFiles(app, deps.webRoot);
  return app;
}
