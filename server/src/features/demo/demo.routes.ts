import type { demoRoutes } from '@forecourt/contract/demo';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DemoMailService } from './demo-mail.service.ts';

/** In a demo every user may read all mail. */
export const createDemoRoutes = (mail: DemoMailService): Routes<typeof demoRoutes> => ({
  'GET /demo': [signedIn, (ctx) => mail.about(ctx)],
  'GET /demo/mailbox': [signedIn, async () => mail.list()],
  'GET /demo/mailbox/:id': [signedIn, async (_ctx, { params }) => mail.get(params.id)],
});
