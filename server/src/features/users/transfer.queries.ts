import type { Belongings } from '@forecourt/contract/users';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Counts the records of each kind that a user owns, without deleted deals and private views. */
export async function countOwned(db: Db | Tx, ownerId: string): Promise<Belongings> {
  const { rows } = await sql<Belongings>`
    select
      (select count(*) from dealerships where owner_id = ${ownerId}) as dealerships,
      (select count(*) from email_templates where owner_id = ${ownerId}) as "emailTemplates",
      (select count(*) from items where owner_id = ${ownerId}) as items,
      (select count(*) from deals where owner_id = ${ownerId} and deleted_at is null) as deals,
      (select count(*) from deal_views where owner_id = ${ownerId} and is_shared) as "dealViews"`.execute(db);
  return rows[0]!;
}
