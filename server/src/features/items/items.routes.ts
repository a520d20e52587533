import type { itemRoutes } from '@forecourt/contract/items';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { itemManager } from './items.policy.ts';
import type { ItemsService } from './items.service.ts';

/** All signed-in users may call these routes. The service checks abilities; only managers add and reorder. */
export const createItemRoutes = (items: ItemsService): Routes<typeof itemRoutes> => ({
  'GET /item-configurations': [signedIn, (ctx) => items.list(ctx)],
  'GET /item-configurations/:id': [signedIn, (ctx, { params }) => items.get(ctx, params.id)],
  'POST /item-configurations': [itemManager, (ctx, { body }) => items.create(ctx, body)],
  'PUT /item-configurations/:id': [signedIn, (ctx, { params, body }) => items.update(ctx, params.id, body)],
  'DELETE /item-configurations/:id': [signedIn, (ctx, { params }) => items.remove(ctx, params.id)],
  'POST /item-configurations/reorder': [itemManager, (ctx, { body }) => items.reorder(ctx, body.ids)],
  'PUT /item-configurations/:id/sharing': [
    signedIn,
    (ctx, { params, body }) => items.sharing.replace(ctx, params.id, body),
  ],
  'POST /item-configurations/bulk-share': [
    signedIn,
    async (ctx, { body }) => ({ items: await items.sharing.add(ctx, body.itemIds, body.sharedWith) }),
  ],
  'POST /item-configurations/transfer-ownership': [
    signedIn,
    async (ctx, { body: { resourceIds, ...transfer } }) =>
      wholeList(await items.sharing.transfer(ctx, resourceIds, transfer)),
  ],
});
