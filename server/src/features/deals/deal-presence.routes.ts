import type { presenceRoutes } from '@forecourt/contract/presence';
import { dataEntryPage } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DealPresence } from './deal-presence.service.ts';

export const createPresenceRoutes = (presence: DealPresence): Routes<typeof presenceRoutes> => ({
  'POST /events/presence': {
    allow: dataEntryPage,
    handle: (ctx, { body }) => presence.report(ctx, body),
  },
});
