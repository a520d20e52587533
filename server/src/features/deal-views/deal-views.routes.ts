import type { dealViewRoutes } from '@forecourt/contract/deal-views';
import { dataEntryPage } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DealViewsService } from './deal-views.service.ts';

/** Users of Data Entry may call these routes; the service checks who may change a view. */
export const createDealViewRoutes = (views: DealViewsService): Routes<typeof dealViewRoutes> => ({
  'GET /deal-views': [dataEntryPage, (ctx) => views.list(ctx)],
  'GET /deal-views/:id': [dataEntryPage, (ctx, { params }) => views.get(ctx, params.id)],
  'POST /deal-views': [dataEntryPage, (ctx, { body }) => views.create(ctx, body)],
  'PUT /deal-views/:id': [dataEntryPage, (ctx, { params, body }) => views.update(ctx, params.id, body)],
  'DELETE /deal-views/:id': [dataEntryPage, (ctx, { params }) => views.remove(ctx, params.id)],
});
