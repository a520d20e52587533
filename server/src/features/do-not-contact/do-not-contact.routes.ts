import type { doNotContactRoutes } from '@forecourt/contract/do-not-contact';
import { dataEntryPage } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DoNotContactService } from './do-not-contact.service.ts';

export const createDoNotContactRoutes = (list: DoNotContactService): Routes<typeof doNotContactRoutes> => ({
  'GET /do-not-contact': [dataEntryPage, (ctx) => list.list(ctx)],
  'POST /do-not-contact': [dataEntryPage, (ctx, { body }) => list.add(ctx, body)],
  'DELETE /do-not-contact/:id': [dataEntryPage, (ctx, { params }) => list.remove(ctx, params.id)],
});
