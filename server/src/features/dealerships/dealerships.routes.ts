import type { dealershipRoutes } from '@forecourt/contract/dealerships';
import { administrator, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { dealershipCreator } from './dealerships.policy.ts';
import type { DealershipsService } from './dealerships.service.ts';

/** All signed-in users may call these routes. The service checks permissions; only administrators may share. */
export const createDealershipRoutes = (dealerships: DealershipsService): Routes<typeof dealershipRoutes> => ({
  'GET /dealerships': [signedIn, (ctx) => dealerships.list(ctx)],
  'GET /dealerships/:id': [signedIn, (ctx, { params }) => dealerships.get(ctx, params.id)],
  'POST /dealerships': [signedIn, (ctx, { body }) => dealerships.create(ctx, body)],
  'PUT /dealerships/:id': [signedIn, (ctx, { params, body }) => dealerships.update(ctx, params.id, body)],
  'DELETE /dealerships/:id': [signedIn, (ctx, { params }) => dealerships.remove(ctx, params.id)],
  'POST /dealerships/import': [
    // Checked before the body is read, because it may be large.
    dealershipCreator,
    (ctx, { body }) => dealerships.importMany(ctx, body.dealerships),
  ],
  'POST /dealerships/bulk/active': [
    signedIn,
    (ctx, { body }) => dealerships.setActive(ctx, body.ids, body.active),
  ],
  'PUT /dealerships/:id/sharing': [
    administrator,
    (ctx, { params, body }) => dealerships.sharing.replace(ctx, params.id, body),
  ],
  'POST /dealerships/bulk-share': [
    administrator,
    async (ctx, { body }) => ({
      dealerships: await dealerships.sharing.add(ctx, body.dealershipIds, body.sharedWith),
    }),
  ],
  'POST /dealerships/transfer-ownership': [
    administrator,
    async (ctx, { body: { resourceIds, ...transfer } }) =>
      wholeList(await dealerships.sharing.transfer(ctx, resourceIds, transfer)),
  ],
});
