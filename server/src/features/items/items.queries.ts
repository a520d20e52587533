import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { heldFields, inSight, type Sight } from '../../platform/sharing/shares.queries.ts';

const seen = (db: Db | Tx, sight: Sight) =>
  db.selectFrom('items').selectAll().select(heldFields('item')).where(inSight('item', sight));

/** Those in sight, in the order in which they are offered. */
export const listItems = (db: Db | Tx, sight: Sight) =>
  seen(db, sight).orderBy('position').orderBy('id').execute();

export type ItemRow = Awaited<ReturnType<typeof listItems>>[number];

/** Of these items those in sight. */
export const findItems = (db: Db | Tx, sight: Sight, ids: string[]): Promise<ItemRow[]> =>
  seen(db, sight)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();

/** Of these ids those in sight. Whoever sees all of them has seen those that are gone by now: for live events. */
export async function visibleIds(db: Db, sight: Sight, ids: string[]): Promise<Set<string>> {
  if (sight.all) return new Set(ids);
  const rows = await db
    .selectFrom('items')
    .where(inSight('item', sight))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

type Fields = {
  name: string;
  category: string;
  price: number | null;
  cost: number | null;
  active: boolean;
};

export async function insertItem(
  db: Tx,
  row: Fields & { id: string; owner_id: string; position: number },
): Promise<void> {
  await db.insertInto('items').values(row).execute();
}

export async function updateItem(db: Tx, id: string, fields: Fields): Promise<void> {
  await db
    .updateTable('items')
    .set({ ...fields, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteItem(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('items').where('id', '=', id).execute();
}

/** How many deals have it, deleted ones among them since they can come back. */
export const countUses = async (db: Tx, id: string): Promise<number> =>
  (
    await db
      .selectFrom('deal_items')
      .where('item_id', '=', id)
      .select((eb) => eb.fn.count<number>('deal_id').distinct().as('count'))
      .executeTakeFirstOrThrow()
  ).count;
