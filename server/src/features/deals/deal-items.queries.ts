import type { DealItem } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** The constraint that what is sold exists. */
export const ITEM_KEY = 'deal_items_item_id_fkey';

/** What is sold in a row of `deals`, in its order. */
export const soldItems = sql<DealItem[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'itemId', deal_items.item_id,
    'name', deal_items.name,
    'quantity', deal_items.quantity,
    'unitPrice', deal_items.unit_price) order by deal_items.position), '[]')
  from deal_items where deal_items.deal_id = deals.id)`.as('items');

/** What is offered to whoever writes a row: never what it costs. */
export const listOffered = (db: Db | Tx) =>
  db
    .selectFrom('items')
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'name', 'price'])
    .execute();

/** Of these items those that there are. */
export const findItems = (db: Db | Tx, ids: readonly string[]) =>
  db
    .selectFrom('items')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select(['id', 'name', 'price', 'active'])
    .execute();

/** Replaces what is sold in a row. */
export async function replaceSold(db: Tx, dealId: string, items: readonly DealItem[]): Promise<void> {
  await db.deleteFrom('deal_items').where('deal_id', '=', dealId).execute();
  if (items.length === 0) return;
  const sold = items.map(({ itemId, name, quantity, unitPrice }, index) => ({
    deal_id: dealId,
    position: index + 1,
    item_id: itemId,
    name,
    quantity,
    unit_price: unitPrice,
  }));
  await db.insertInto('deal_items').values(sold).execute();
}
