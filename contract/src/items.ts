import { z } from 'zod';
import { Money } from './money.ts';
import {
  Ability,
  Id,
  IdParams,
  Version,
  list,
  stored,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';
import {
  ShareLevel,
  TransferBody,
  bulkShareBody,
  owned,
  sharingBody,
  sharingEntry,
  sharingInput,
} from './sharing.ts';

export const MAX_ITEM_NAME_LENGTH = 80;

/** A product or service (docs/product/items-and-statuses.md, Items). Amounts in AUD. */
export const Item = z.strictObject({
  _id: Id,
  name: z.string(),
  category: z.string(),
  price: Money.nullable(),
  cost: Money.nullable(),
  active: z.boolean(),
  order: z.int(),
  /** Number of deals with this item that the caller may see. */
  usage: z.int(),
  ...owned,
  sharedWith: z.array(sharingEntry(ShareLevel)),
  ...stored,
  abilities: z.strictObject({ edit: Ability, delete: Ability, share: Ability, transfer: Ability }),
});
export type Item = z.infer<typeof Item>;

export const ItemInput = z.strictObject({
  name: typedText(MAX_ITEM_NAME_LENGTH).refine((text) => text !== '', 'Item name is required'),
  category: typedText(60).default(''),
  price: Money.nullable().default(null),
  cost: Money.nullable().default(null),
  active: z.boolean().default(true),
  /** Changes require the right to share; other callers may send the value back unchanged. */
  sharedWith: sharingInput(ShareLevel).optional(),
  version: Version.optional(),
});
export type ItemInput = z.infer<typeof ItemInput>;

/** A PUT may repeat the current owner; a changed one is refused (POST /item-configurations/transfer-ownership). */
const ItemChanges = ItemInput.extend({ owner: Id.optional() });
export type ItemChanges = z.infer<typeof ItemChanges>;

const computed = ['_id', 'order', 'usage', 'ownerName', 'createdAt', 'updatedAt', 'abilities'];

export const itemRoutes = {
  'GET /item-configurations': {
    summary: 'The items that the caller may see, in their order',
    response: wholeList(Item),
  },
  'GET /item-configurations/:id': { summary: 'One item by its id', params: IdParams, response: Item },
  'POST /item-configurations': {
    summary: 'Adds an item at the end',
    body: ItemInput,
    computed,
    status: 201,
    response: Item,
  },
  'PUT /item-configurations/:id': {
    summary: 'Changes an item; existing deals keep its former name and price',
    params: IdParams,
    body: ItemChanges,
    computed,
    response: Item,
  },
  'DELETE /item-configurations/:id': {
    summary: 'Deletes an item that no deal has',
    params: IdParams,
    status: 204,
  },
  'POST /item-configurations/reorder': {
    summary: 'Saves the order of the items; all of them are named',
    body: z.strictObject({ ids: list(Id, 10_000).min(1) }),
    response: wholeList(Item),
  },
  'PUT /item-configurations/:id/sharing': {
    summary: 'Replaces the shares of an item',
    params: IdParams,
    body: sharingBody(ShareLevel),
    response: Item,
  },
  'POST /item-configurations/bulk-share': {
    summary: 'Shares items with more people, or at other levels: all of them or none',
    body: bulkShareBody('itemIds', ShareLevel),
    response: z.strictObject({ items: z.array(Item) }),
  },
  'POST /item-configurations/transfer-ownership': {
    summary: 'Transfers items to another owner: all of them or none',
    body: TransferBody,
    response: wholeList(Item),
  },
} as const satisfies RouteTable;
