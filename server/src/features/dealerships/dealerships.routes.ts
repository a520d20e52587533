import type { dealershipRoutes } from '@forecourt/contract/dealerships';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DealershipsService } from './dealerships.service.ts';

/** Everybody signed in may ask; the service shows and changes what the viewer's rights allow. */
export const createDealershipRoutes = (dealerships: DealershipsService): Routes<typeof dealershipRoutes> => ({
  'GET /dealerships': { allow: signedIn, handle: (ctx) => dealerships.list(ctx) },
  'GET /dealerships/:id': { allow: signedIn, handle: (ctx, { params }) => dealerships.get(ctx, params.id) },
  'POST /dealerships': { allow: signedIn, handle: (ctx, { body }) => dealerships.create(ctx, body) },
  'PUT /dealerships/:id': {
    allow: signedIn,
    handle: (ctx, { params, body }) => dealerships.update(ctx, params.id, body),
  },
  'DELETE /dealerships/:id': {
    allow: signedIn,
    handle: (ctx, { params }) => dealerships.remove(ctx, params.id),
  },
  'POST /dealerships/bulk/active': {
    allow: signedIn,
    handle: (ctx, { body }) => dealerships.setActive(ctx, body.ids, body.active),
  },
});
