import type { itemRoutes } from '@forecourt/contract/items';
import { wholeList } from '../../platform/http/context.ts';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { itemManager } from './items.policy.ts';
import type { ItemsService } from './items.service.ts';

/**
 * Routes for every signed-in user; the service limits them to the viewer's permissions. A record's abilities decide who
 * changes it; adding and the order are for managers.
 */
export const createItemRoutes = (items: ItemsService): Routes<typeof itemRoutes> => ({
  'GET /item-configurations': { allow: signedIn, handle: (ctx) => items.list(ctx) },
  'GET /item-configurations/:id': {
    allow: signedIn,
    handle: (ctx, { params }) => items.get(ctx, params.id),
  },
  'POST /item-configurations': { allow: itemManager, handle: (ctx, { body }) => items.create(ctx, body) },
  'PUT /item-configurations/:id': {
    allow: signedIn,
    handle: (ctx, { params, body }) => items.update(ctx, params.id, body),
  },
  'DELETE /item-configurations/:id': {
    allow: signedIn,
    handle: (ctx, { params }) => items.remove(ctx, params.id),
  },
  'POST /item-configurations/reorder': {
    allow: itemManager,
    handle: (ctx, { body }) => items.reorder(ctx, body.ids),
  },
  'PUT /item-configurations/:id/sharing': {
    allow: signedIn,
    handle: (ctx, { params, body }) => items.sharing.replace(ctx, params.id, body),
  },
  'POST /item-configurations/bulk-share': {
    allow: signedIn,
    handle: async (ctx, { body }) => ({
      items: await items.sharing.add(ctx, body.itemIds, body.sharedWith),
    }),
  },
  'POST /item-configurations/transfer-ownership': {
    allow: signedIn,
    handle: async (ctx, { body: { resourceIds, ...transfer } }) =>
      wholeList(await items.sharing.transfer(ctx, resourceIds, transfer)),
  },
});
