import type { Api } from '@forecourt/contract/api';
import type { KindWith } from '@forecourt/contract/record-kinds';
import { createActivityRoutes } from './features/activity/activity.routes.ts';
import { createActivityService } from './features/activity/activity.service.ts';
import { createAuditRoutes } from './features/audit/audit.routes.ts';
import { createAuditService } from './features/audit/audit.service.ts';
import { createSealing } from './features/audit/sealing.service.ts';
import { createAccountAccess } from './features/auth/account-access.service.ts';
import { createAuthRoutes } from './features/auth/auth.routes.ts';
import { createAuthService } from './features/auth/auth.service.ts';
import { createLinkMail } from './features/auth/link-mail.ts';
import { createPasswordLinksService } from './features/auth/password-links.service.ts';
import { createSetupService } from './features/auth/setup.service.ts';
import { createTwoStepService } from './features/auth/two-step.service.ts';
import { createBackupAlerts } from './features/backups/backup-alerts.service.ts';
import { openBackupFolder } from './features/backups/backup-bucket.ts';
import { createBackupRoutes } from './features/backups/backups.routes.ts';
import { createBackupsService } from './features/backups/backups.service.ts';
import { createCopyFetcher } from './features/backups/fetch-copy.ts';
import { createS3SettingsService } from './features/backups/s3-settings.service.ts';
import { createScheduleService } from './features/backups/schedule.service.ts';
import { createSshSettingsService } from './features/backups/ssh-settings.service.ts';
import { createCustomFieldRoutes } from './features/custom-fields/custom-fields.routes.ts';
import { createCustomFieldsService } from './features/custom-fields/custom-fields.service.ts';
import { createDashboardRoutes } from './features/dashboard/dashboard.routes.ts';
import { createDashboardService } from './features/dashboard/dashboard.service.ts';
import { createDealViewRoutes } from './features/deal-views/deal-views.routes.ts';
import { createDealViewsService } from './features/deal-views/deal-views.service.ts';
import { createDealershipRoutes } from './features/dealerships/dealerships.routes.ts';
import { createDealershipsService } from './features/dealerships/dealerships.service.ts';
import { createMentionMail } from './features/deals/comments/mention-mail.ts';
import { createDealRoutes } from './features/deals/deals.routes.ts';
import { createDealsService } from './features/deals/deals.service.ts';
import { createDealPresence } from './features/deals/presence/deal-presence.service.ts';
import { createDealPurge } from './features/deals/trash/deleted-deals.service.ts';
import { createDemoMailService } from './features/demo/demo-mail.service.ts';
import { createDemoRoutes } from './features/demo/demo.routes.ts';
import type { DemoMail } from './features/demo/mail-server.ts';
import { createDoNotContactRoutes } from './features/do-not-contact/do-not-contact.routes.ts';
import { createDoNotContactService } from './features/do-not-contact/do-not-contact.service.ts';
import { createEmailSendingRoutes } from './features/email-sending/email-sending.routes.ts';
import { createEmailSendingService } from './features/email-sending/email-sending.service.ts';
import { createHeldMail } from './features/email-sending/held-mail.service.ts';
import { createTemplateUsage } from './features/email-sending/template-usage.service.ts';
import { createEmailSettingsRoutes } from './features/email-settings/email-settings.routes.ts';
import { createEmailSettingsService } from './features/email-settings/email-settings.service.ts';
import type { Providers } from './features/email-settings/mail-providers.ts';
import { createEmailTemplateRoutes } from './features/email-templates/email-templates.routes.ts';
import { createEmailTemplatesService } from './features/email-templates/email-templates.service.ts';
import { exporter } from './features/exports/exports.policy.ts';
import { createExportRoutes } from './features/exports/exports.routes.ts';
import { createExportsService } from './features/exports/exports.service.ts';
import { createItemRoutes } from './features/items/items.routes.ts';
import { createItemsService } from './features/items/items.service.ts';
import { createJobRoutes } from './features/jobs/jobs.routes.ts';
import { createJobsService } from './features/jobs/jobs.service.ts';
import { createMonthCloses } from './features/months/close.service.ts';
import { createMonthRoutes } from './features/months/months.routes.ts';
import { createMonthsService } from './features/months/months.service.ts';
import { createStatementFiles } from './features/months/statement-files.service.ts';
import { createStatementRoutes } from './features/months/statements.routes.ts';
import { createStatementsService } from './features/months/statements.service.ts';
import { createNotificationRoutes } from './features/notifications/notifications.routes.ts';
import { createNotificationsService } from './features/notifications/notifications.service.ts';
import { createPermissionRoutes } from './features/permissions/permissions.routes.ts';
import { createPermissionsService } from './features/permissions/permissions.service.ts';
import { createReportRoutes } from './features/reports/reports.routes.ts';
import { createReportsService } from './features/reports/reports.service.ts';
import { createSettingRoutes } from './features/settings/settings.routes.ts';
import { createSettingsService } from './features/settings/settings.service.ts';
import { createStatusRoutes } from './features/statuses/statuses.routes.ts';
import { createStatusesService } from './features/statuses/statuses.service.ts';
import { createTransferService } from './features/users/transfer.service.ts';
import { createUserSignInService } from './features/users/user-sign-in.service.ts';
import { createUserRoutes } from './features/users/users.routes.ts';
import { createUsersService } from './features/users/users.service.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Connection, Database, Db } from './platform/db/database.ts';
import { type Migration } from './platform/db/migrations.ts';
import type { Read } from './platform/db/replica.ts';
import { createFileStore } from './platform/files/file-store.ts';
import { createContentMove } from './platform/files/move-content.ts';
import type { createHealth } from './platform/health.ts';
import { createDownloads } from './platform/http/downloads.ts';
import { createInFlight } from './platform/http/in-flight.ts';
import { administrator, dataEntryPage, signedIn } from './platform/http/policy.ts';
import type { Routes } from './platform/http/routes.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import { createProgress } from './platform/jobs/progress.ts';
import type { EventBus } from './platform/live/event-bus.ts';
import type { EventRules } from './platform/live/event-filter.ts';
import { createLiveEvents } from './platform/live/events.ts';
import type { Log } from './platform/log.ts';
import { createSystemMail } from './platform/mail/system-mail.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Store } from './platform/s3/store.ts';
import type { Secrets } from './platform/secrets.ts';
import { createSessions } from './platform/sessions.ts';

export type AppDeps = {
  config: Config;
  clock: Clock;
  db: Db;
  stall: Database['stall'];
  /** Reads of reports, exports and the audit log; by default of `db`. */
  read?: Read | undefined;
  /** The same database, for work that needs a connection of its own. */
  connection: Connection;
  jobs: Jobs;
  log: Log;
  eventBus: EventBus;
  /** How long a request waits for a job before it returns 202, in milliseconds; 10 s by default. */
  responseMs?: number;
  /** The mail providers whose mailboxes can be connected; by default those of the configuration. */
  mailProviders?: Providers;
  /** Undefined without METRICS_PORT. */
  metrics?: Metrics | undefined;
  /** The bucket of FILES_URL; undefined without one. */
  store?: Store | undefined;
  /** Only in a demo. */
  demoMail?: DemoMail | undefined;
  secrets: Secrets;
  /** Called if a newer release has changed the database so that this one cannot use it. */
  onReplaced?: (line: string) => void;
  /** The folder of the built web client. */
  webRoot: string;
  /** Validates responses against the contract. Off in production. */
  validateResponses: boolean;
};

/** Creates the services of all features. */
export function createServices(deps: AppDeps, migrations: Migration[]) {
  const { config, clock, db, jobs, log, eventBus, secrets } = deps;
  const files = createFileStore(config.DATA_DIR, deps.store);
  const sessions = createSessions(db, eventBus, log);
  const linkMail = createLinkMail({ config, jobs, db, log });
  const links = createPasswordLinksService({ sessions, mail: linkMail });
  const twoStep = createTwoStepService({ sessions, secrets, config });
  const auth = createAuthService(sessions, twoStep);
  const setup = createSetupService(auth);
  const templates = createEmailTemplatesService(files);
  const dealerships = createDealershipsService(templates);
  const generalSettings = createSettingsService({ eventBus });
  const customFields = createCustomFieldsService({ eventBus });
  const notificationMail = createSystemMail(
    config,
    deps.demoMail && { account: { ...deps.demoMail.account, secure: false }, from: 'forecourt@demo.example' },
  );
  const mentionMail = createMentionMail({ config, jobs, mail: notificationMail });
  const backupAlerts = createBackupAlerts({ db, config, jobs, log, mail: notificationMail });
  const deals = createDealsService({
    dealerships,
    settings: generalSettings,
    customFields,
    clock,
    mentionMail,
    files,
    config,
  });
  const settings = createEmailSettingsService({
    secrets,
    config,
    ...(deps.mailProviders && { providers: deps.mailProviders }),
  });
  const doNotContact = createDoNotContactService(deals.exports);
  const progress = createProgress({
    db,
    eventBus,
    log,
    ...(deps.responseMs && { responseMs: deps.responseMs }),
  });
  const statements = createStatementsService({ deals });
  const statementFiles = createStatementFiles({ statements, clock });
  const sending = createEmailSendingService({
    doNotContact,
    templates,
    settings,
    dealerships,
    deals,
    statements,
    statementFiles,
    progress,
    files,
    jobs,
    config,
    clock,
  });

  const permissions = createPermissionsService(sessions);
  const items = createItemsService(deals);
  const statuses = createStatusesService({ deals, permissions });
  const closes = createMonthCloses({
    deals,
    settings: generalSettings,
    clock,
    companyName: config.COMPANY_NAME,
  });
  const months = createMonthsService({ deals, closes });
  const accountAccess = createAccountAccess({ sessions, mail: linkMail });
  const users = createUsersService(sessions, accountAccess, progress);
  const signIn = createUserSignInService({ users, sessions, accountAccess });
  const dealViews = createDealViewsService(deals);
  const presence = createDealPresence({ db, eventBus, log, clock });
  const transfers = createTransferService(users, deals, dealViews);
  const auditLog = createAuditService(secrets);
  const sealing = createSealing({ db, secrets, log });
  const dealPurge = createDealPurge({ db, log, redact: auditLog.redactPurged });
  const inFlight = createInFlight();
  const folder = openBackupFolder(config.DATA_DIR, files.folder, deps.store);
  const ssh = createSshSettingsService({ secrets, config });
  const s3 = createS3SettingsService({ secrets, config });
  const destinations = [ssh.destination, s3.destination];
  const backups = createBackupsService({
    connection: deps.connection,
    db,
    secrets,
    config,
    folder,
    files,
    migrations,
    isBusy: inFlight.isBusy,
    progress,
    backupRows: deals.backupRows,
    destinations,
    onCreated: () => jobs.recurring.get('backup-copies')?.runDue(),
    // The message to all instances may arrive after the response.
    onRestored: () => eventBus.emit('restored'),
  });
  const fetcher = createCopyFetcher({
    connection: deps.connection,
    db,
    folder,
    files,
    progress,
    destinations,
    log,
  });
  const contentMove = createContentMove({ connection: deps.connection, db, files, progress });
  const read: Read = deps.read ?? ((work) => work(db));
  const exports = createExportsService({ db, read, clock, progress, deals, doNotContact, auditLog, files });
  const downloads = createDownloads(sessions, {
    export: { allow: exporter, open: (ctx, id) => exports.download(ctx, id) },
    backup: { allow: administrator, open: (ctx, name) => backups.download(ctx, name) },
    statement: { allow: signedIn, open: (ctx, fileId) => statementFiles.openFile(ctx, fileId) },
  });
  return {
    read,
    sessions,
    linkMail,
    links,
    twoStep,
    auth,
    setup,
    templates,
    dealerships,
    generalSettings,
    customFields,
    notificationMail,
    mentionMail,
    backupAlerts,
    deals,
    settings,
    doNotContact,
    sending,
    permissions,
    items,
    statuses,
    accountAccess,
    progress,
    users,
    signIn,
    dealViews,
    presence,
    transfers,
    auditLog,
    sealing,
    dealPurge,
    months,
    statements,
    statementFiles,
    inFlight,
    ssh,
    s3,
    destinations,
    backups,
    contentMove,
    fetcher,
    exports,
    downloads,
  };
}
/** The services of all features. */
export type Services = ReturnType<typeof createServices>;

/** Who receives which live events, by the features of their records. */
export function createFeatureEvents({ db, eventBus, log }: AppDeps, services: Services) {
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
export function routesOf(
  deps: AppDeps,
  services: Services,
  health: ReturnType<typeof createHealth>,
): Routes<Api> {
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
