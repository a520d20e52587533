import { kindsWith } from '@forecourt/contract/record-kinds';
import type { Belongings } from '@forecourt/contract/users';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Counts the records of each kind that a user owns, without deleted deals and private views. */
export async function countOwned(db: Db | Tx, ownerId: string): Promise<Belongings> {
  const counts = kindsWith('owned').map(
    ({ table, owned }) =>
      sql`(select count(*) from ${sql.table(table)} where owner_id = ${ownerId}) as ${sql.ref(owned)}`,
  );
  const { rows } = await sql<Belongings>`
    select ${sql.join(counts)},
      (select count(*) from deals where owner_id = ${ownerId} and deleted_at is null) as deals,
      (select count(*) from deal_views where owner_id = ${ownerId} and is_shared) as "dealViews"`.execute(db);
  return rows[0]!;
}
