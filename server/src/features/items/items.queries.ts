import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import {
  accessSelections,
  whereVisible,
  type VisibilityScope,
} from '../../platform/sharing/shares.queries.ts';

const seen = (db: Db | Tx, scope: VisibilityScope) =>
  db.selectFrom('items').selectAll().select(accessSelections('item')).where(whereVisible('item', scope));

export const listItems = (db: Db | Tx, scope: VisibilityScope) =>
  seen(db, scope).orderBy('position').orderBy('id').execute();

export type ItemRow = Awaited<ReturnType<typeof listItems>>[number];

export const findItems = (db: Db | Tx, scope: VisibilityScope, ids: string[]): Promise<ItemRow[]> =>
  seen(db, scope)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();

/** Counts the deals with an item, including deleted deals, which can be restored. */
export const countUses = async (db: Tx, id: string): Promise<number> =>
  (
    await db
      .selectFrom('deal_items')
      .where('item_id', '=', id)
      .select((eb) => eb.fn.count<number>('deal_id').distinct().as('count'))
      .executeTakeFirstOrThrow()
  ).count;
