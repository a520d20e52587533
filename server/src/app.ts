import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createAuthRoutes } from './features/auth/auth.routes.ts';
import { createAuthService } from './features/auth/auth.service.ts';
import { createSetupService } from './features/auth/setup.service.ts';
import { createDealershipRoutes } from './features/dealerships/dealerships.routes.ts';
import { createDealershipsService } from './features/dealerships/dealerships.service.ts';
import { createDealRoutes } from './features/deals/deals.routes.ts';
import { createDealsService } from './features/deals/deals.service.ts';
import { createEmailSendingRoutes } from './features/email-sending/email-sending.routes.ts';
import { createEmailSendingService } from './features/email-sending/email-sending.service.ts';
import { createEmailSettingsRoutes } from './features/email-settings/email-settings.routes.ts';
import { createEmailSettingsService } from './features/email-settings/email-settings.service.ts';
import { createEmailTemplateRoutes } from './features/email-templates/email-templates.routes.ts';
import { createEmailTemplatesService } from './features/email-templates/email-templates.service.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db/database.ts';
import { createHealth } from './platform/health.ts';
import { AppError } from './platform/http/errors.ts';
import { registerRoutes } from './platform/http/routes.ts';
import { createServer } from './platform/http/server.ts';
import { serveWebFiles } from './platform/http/web-files.ts';
import type { Jobs } from './platform/jobs.ts';
import { registerEventsRoute } from './platform/live/events-route.ts';
import { createLiveEvents } from './platform/live/events.ts';
import type { Notices } from './platform/live/notices.ts';
import type { Log } from './platform/log.ts';
import type { Secrets } from './platform/secrets.ts';
import { createSessions } from './platform/sessions.ts';

export type AppDeps = {
  config: Config;
  clock: Clock;
  db: Db;
  jobs: Jobs;
  log: Log;
  notices: Notices;
  secrets: Secrets;
  /** Where the built browser side lies. */
  webRoot: string;
  /** Off in production, where answers go out as the services wrote them. */
  checkAnswers: boolean;
};

/** The whole product behind HTTP: every feature gets its parts here and is listed here, and nowhere else. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, clock, db, jobs, log, notices, secrets } = deps;
  const app = await createServer({ log, trustProxy: config.TRUST_PROXY, publicUrl: config.PUBLIC_URL });

  const sessions = createSessions(db, notices);
  const auth = createAuthService(sessions);
  const setup = createSetupService(auth);
  const templates = createEmailTemplatesService();
  const dealerships = createDealershipsService(templates);
  const deals = createDealsService(dealerships, clock);
  const settings = createEmailSettingsService({ secrets, config });
  const sending = createEmailSendingService({ templates, settings, dealerships, deals, jobs, config, clock });

  const health = createHealth(db);
  const events = createLiveEvents(
    db,
    notices,
    log,
    {
      deal: (viewer, ids) => deals.visibleIds(db, viewer, ids),
      dealership: async (viewer, ids) => new Set(dealerships.canView(viewer) ? ids : []),
      'email-template': (viewer, ids) => templates.visibleIds({ db, viewer }, ids),
      email: (viewer, ids) => sending.visibleIds({ db, viewer }, ids),
      'email-settings': async (viewer, ids) => new Set(viewer.role === 'admin' ? ids : []),
      user: async (viewer, ids) =>
        new Set(ids.filter((id) => viewer.role === 'admin' || id === viewer.userId)),
    },
    {
      deal: (viewer, { before }) => deals.wasVisible(viewer, before),
      // Who does not see a template now saw it as their own.
      'email-template': (viewer, { creatorId }) => creatorId === viewer.userId,
    },
  );
  const delivery = await sending.startDelivery({ db, log, events });
  app.addHook('onClose', async () => {
    events.stop();
    await delivery.stop();
  });

  const authenticate = (request: FastifyRequest, background = request.headers['x-background'] === '1') => {
    const [scheme, token] = request.headers.authorization?.split(' ') ?? [];
    return sessions.read(scheme?.toLowerCase() === 'bearer' ? token : undefined, background);
  };
  registerEventsRoute(app, { events, notices, authenticate: (request) => authenticate(request, true) });
  registerRoutes(
    app,
    { db, authenticate, checkAnswers: deps.checkAnswers, announce: () => events.announce() },
    {
      'GET /health': {
        open: async () => {
          if (!(await health.isServing())) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 2 });
          return { status: 'ok' };
        },
      },
      ...createAuthRoutes(auth, setup),
      ...createDealershipRoutes(dealerships),
      ...createEmailTemplateRoutes(templates),
      ...createEmailSettingsRoutes(settings),
      ...createEmailSendingRoutes(sending),
      ...createDealRoutes(deals),
    },
  );
  await serveWebFiles(app, deps.webRoot);
  return app;
}
