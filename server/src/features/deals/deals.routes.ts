import type { dealRoutes } from '@forecourt/contract/deals';
import { dataEntryPage } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DealsService } from './deals.service.ts';

export const createDealRoutes = (deals: DealsService): Routes<typeof dealRoutes> => ({
  'GET /deals': { allow: dataEntryPage, handle: (ctx, { query }) => deals.list(ctx, query) },
  'GET /deals/summary': { allow: dataEntryPage, handle: (ctx, { query }) => deals.summary(ctx, query) },
  'GET /deals/options': { allow: dataEntryPage, handle: (ctx) => deals.options(ctx) },
  'GET /deals/:id': { allow: dataEntryPage, handle: (ctx, { params }) => deals.get(ctx, params.id) },
  'POST /deals': { allow: dataEntryPage, handle: (ctx, { body }) => deals.create(ctx, body) },
  'PATCH /deals/:id': {
    allow: dataEntryPage,
    handle: (ctx, { params, body }) => deals.update(ctx, params.id, body),
  },
  'DELETE /deals/:id': { allow: dataEntryPage, handle: (ctx, { params }) => deals.remove(ctx, params.id) },
});
