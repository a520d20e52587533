import type { Api } from '@forecourt/contract/api';
import type { KindWith } from '@forecourt/contract/record-kinds';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createActivityRoutes } from './features/activity/activity.routes.ts';
import { createActivityService } from './features/activity/activity.service.ts';
import { createAuditRoutes } from './features/audit/audit.routes.ts';
import { createAuthRoutes } from './features/auth/auth.routes.ts';
import { createBackupRoutes } from './features/backups/backups.routes.ts';
import { createCopies } from './features/backups/copies.ts';
import { createScheduleService } from './features/backups/schedule.service.ts';
import { createScheduler } from './features/backups/scheduler.ts';
import { createCustomFieldRoutes } from './features/custom-fields/custom-fields.routes.ts';
import { createDashboardRoutes } from './features/dashboard/dashboard.routes.ts';
import { createDashboardService } from './features/dashboard/dashboard.service.ts';
import { createDealViewRoutes } from './features/deal-views/deal-views.routes.ts';
import { createDealershipRoutes } from './features/dealerships/dealerships.routes.ts';
import { createChangeSetCounting } from './features/deals/changes/change-sets.service.ts';
import { createDealRoutes } from './features/deals/deals.routes.ts';
import { createSumsFolding } from './features/deals/list/deal-figures.service.ts';
import { createDemoMailService } from './features/demo/demo-mail.service.ts';
import { createDemoRoutes } from './features/demo/demo.routes.ts';
import { createDoNotContactRoutes } from './features/do-not-contact/do-not-contact.routes.ts';
import { createEmailSendingRoutes } from './features/email-sending/email-sending.routes.ts';
import { createHeldMail } from './features/email-sending/held-mail.service.ts';
import { createTemplateUsage } from './features/email-sending/template-usage.service.ts';
import { createEmailSettingsRoutes } from './features/email-settings/email-settings.routes.ts';
import { createEmailTemplateRoutes } from './features/email-templates/email-templates.routes.ts';
import { createExportRoutes } from './features/exports/exports.routes.ts';
import { createItemRoutes } from './features/items/items.routes.ts';
import { createJobRoutes } from './features/jobs/jobs.routes.ts';
import { createJobsService } from './features/jobs/jobs.service.ts';
import { createMonthRoutes } from './features/months/months.routes.ts';
import { createStatementRoutes } from './features/months/statements.routes.ts';
import { createDiskWatch } from './features/notifications/disk-watch.service.ts';
import { createNotificationRoutes } from './features/notifications/notifications.routes.ts';
import { createNotificationsService } from './features/notifications/notifications.service.ts';
import { createPermissionRoutes } from './features/permissions/permissions.routes.ts';
import { createReportRoutes } from './features/reports/reports.routes.ts';
import { createReportsService } from './features/reports/reports.service.ts';
import { createSettingRoutes } from './features/settings/settings.routes.ts';
import { createStatusRoutes } from './features/statuses/statuses.routes.ts';
import { createUserRoutes } from './features/users/users.routes.ts';
import { readMigrations } from './platform/db/migrations.ts';
import { createReleaseWatch } from './platform/db/newer-release.ts';
import { createHealth } from './platform/health.ts';
import { REPLACED, unavailable } from './platform/http/errors.ts';
import { createKeyCleanUp } from './platform/http/idempotency.ts';
import { dataEntryPage } from './platform/http/policy.ts';
import { registerRoutes, type Routes } from './platform/http/routes.ts';
import { createServer } from './platform/http/server.ts';
import { serveWebFiles } from './platform/http/web-files.ts';
import type { EventRules } from './platform/live/event-filter.ts';
import { registerEventsRoute } from './platform/live/events-route.ts';
import { createLiveEvents } from './platform/live/events.ts';
import { addReadings } from './readings.ts';
import { createServices, type AppDeps, type Services } from './services.ts';

/** Who receives which live events, by the features of their records. */
function createFeatureEvents({ db, eventBus, log }: AppDeps, services: Services) {
  const {
    templates,
    dealerships,
    generalSettings,
    customFields,
    deals,
    doNotContact,
    sending,
    items,
    statuses,
    dealViews,
    backups,
    statements,
  } = services;
  return createLiveEvents(
    db,
    eventBus,
    log,
    {
      deal: (ids) => deals.findVisibleRows(db, ids),
      'deal-comments': (ids) => deals.findVisible(db, ids),
      'deal-attachments': (ids) => deals.findVisible(db, ids),
      'deal-mail': (ids) => deals.findVisibleMail(db, ids),
      'deal-view': (ids) => (viewer) => dealViews.visibleIds(db, viewer, ids),
      dealership: (ids) => (viewer) => dealerships.visibleIds(db, viewer, ids),
      'email-template': (ids) => (viewer) => templates.visibleIds(db, viewer, ids),
      item: (ids) => (viewer) => items.visibleIds(db, viewer, ids),
      status: (ids) => async (viewer) => statuses.visibleIds(viewer, ids),
      'custom-field': (ids) => (viewer) => customFields.visibleIds(db, viewer, ids),
      'do-not-contact': (ids) => (viewer) => doNotContact.visibleIds(db, viewer, ids),
      email: (ids) => (viewer) => sending.log.visibleIds({ db, viewer }, ids),
      'email-settings': (ids) => async (viewer) => new Set(viewer.role === 'admin' ? ids : []),
      setting: (ids) => async (viewer) => generalSettings.visibleIds(viewer, ids),
      permissions: (ids) => async (viewer) => new Set(viewer.role === 'admin' ? ids : []),
      backup: (ids) => (viewer) => backups.visibleIds(viewer, ids),
      job: (ids) => async (viewer) => new Set(viewer.role === 'admin' ? ids : []),
      // Who enters deals learns whether a month is closed.
      month: (ids) => async (viewer) => new Set(dataEntryPage.allows?.(viewer) === true ? ids : []),
      statement: (ids) => (viewer) => statements.visibleIds(db, viewer, ids),
      user: (ids) => async (viewer) =>
        new Set(ids.filter((id) => viewer.role === 'admin' || id === viewer.userId)),
    } satisfies Record<KindWith<'live'> | 'deal-mail', EventRules['visibility'][string]>,
    {
      deal: (viewer, changes) => deals.findLostVisibility(db, viewer, changes),
      'deal-view': async (viewer, changes) =>
        changes.filter((change) => dealViews.wasVisible(viewer, change)),
      dealership: async (viewer, changes) =>
        changes.filter((change) => dealerships.wasVisible(viewer, change)),
      'email-template': async (viewer, changes) =>
        changes.filter((change) => templates.wasVisible(viewer, change)),
      item: async (viewer, changes) => changes.filter((change) => items.wasVisible(viewer, change)),
      'custom-field': async (viewer, changes) =>
        changes.filter((change) => customFields.wasVisible(viewer, change)),
      'do-not-contact': async (viewer, changes) =>
        changes.filter((change) => doNotContact.wasVisible(viewer, change)),
    },
    {
      deal: ['month', 'dealershipId', 'status', 'statusId', 'owner', 'sharedWith'],
      'deal-comments': [],
      'deal-attachments': [],
      'deal-mail': [],
      'do-not-contact': ['kind'],
    },
    { email: { entity: 'deal', visibility: 'deal-mail', of: (ids) => sending.log.dealsOf(db, ids) } },
  );
}

/** The routes of all services. */
function routesOf(deps: AppDeps, services: Services, health: ReturnType<typeof createHealth>): Routes<Api> {
  const { clock, config, jobs } = deps;
  const {
    read,
    links,
    twoStep,
    auth,
    setup,
    templates,
    dealerships,
    generalSettings,
    customFields,
    months,
    statements,
    statementFiles,
    mentionMail,
    deals,
    settings,
    doNotContact,
    sending,
    permissions,
    items,
    statuses,
    progress,
    users,
    signIn,
    dealViews,
    presence,
    transfers,
    auditLog,
    ssh,
    s3,
    backupAlerts,
    backups,
    exports,
    downloads,
    fetcher,
  } = services;
  const ready = async (): Promise<{ status: 'ok' }> => {
    await health.assertServing();
    return { status: 'ok' };
  };
  return {
    'GET /health': { open: ready },
    'GET /ready': { open: ready },
    'GET /live': { open: async () => ({ status: 'ok' }) },
    ...createAuthRoutes({ auth, twoStep, links, setup }),
    ...createDealershipRoutes(dealerships),
    ...createEmailTemplateRoutes(templates),
    ...createEmailSettingsRoutes(settings),
    ...createEmailSendingRoutes(sending, createTemplateUsage({ templates, dealerships })),
    ...createExportRoutes(exports, downloads),
    ...createItemRoutes(items),
    ...createStatusRoutes(statuses),
    ...createCustomFieldRoutes(customFields),
    ...createDealRoutes(deals, presence),
    ...createDealViewRoutes(dealViews),
    ...createDashboardRoutes(createDashboardService({ deals, clock })),
    ...createDoNotContactRoutes(doNotContact),
    ...createDemoRoutes(createDemoMailService(deps.demoMail)),
    ...createMonthRoutes(months, statementFiles),
    ...createStatementRoutes(statements, statementFiles, downloads),
    ...createNotificationRoutes(createNotificationsService({ deals, mail: mentionMail })),
    ...createReportRoutes(createReportsService({ deals, clock, companyName: config.COMPANY_NAME }), read),
    ...createPermissionRoutes(permissions),
    ...createSettingRoutes(generalSettings),
    ...createAuditRoutes(auditLog, read),
    ...createActivityRoutes(createActivityService(clock, auditLog)),
    ...createUserRoutes({ users, signIn, transfers }),
    ...createBackupRoutes({
      backups,
      fetcher,
      heldMail: createHeldMail(),
      schedule: createScheduleService({ clock, backups, alerts: backupAlerts }),
      ssh,
      s3,
      downloads,
    }),
    ...createJobRoutes(createJobsService(jobs, progress, deals.attachments)),
    'GET /downloads/:ticket': { open: (ctx, { params }) => downloads.redeem(ctx, params.ticket) },
  };
}

/** Builds the whole application behind HTTP: the only place where services are created and registered. */
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
