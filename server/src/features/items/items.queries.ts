import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import {
  accessSelections,
  whereVisible,
  type VisibilityScope,
} from '../../platform/sharing/shares.queries.ts';

const seen = (db: Db | Tx, scope: VisibilityScope) =>
  db.selectFrom('items').selectAll().select(accessSelections('item')).where(whereVisible('item', scope));

/** Returns visible items, in their order. */
export const listItems = (db: Db | Tx, scope: VisibilityScope) =>
  seen(db, scope).orderBy('position').orderBy('id').execute();

export type ItemRow = Awaited<ReturnType<typeof listItems>>[number];

/** Returns which of these items are visible. */
export const findItems = (db: Db | Tx, scope: VisibilityScope, ids: string[]): Promise<ItemRow[]> =>
  seen(db, scope)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();

/** Returns which of these ids are visible, for live events. With full visibility that includes deleted ones. */
export async function visibleIds(db: Db, scope: VisibilityScope, ids: string[]): Promise<Set<string>> {
  if (scope.all) return new Set(ids);
  const rows = await db
    .selectFrom('items')
    .where(whereVisible('item', scope))
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

/** Counts the deals with it, including deleted ones, which can be restored. */
export const countUses = async (db: Tx, id: string): Promise<number> =>
  (
    await db
      .selectFrom('deal_items')
      .where('item_id', '=', id)
      .select((eb) => eb.fn.count<number>('deal_id').distinct().as('count'))
      .executeTakeFirstOrThrow()
  ).count;
