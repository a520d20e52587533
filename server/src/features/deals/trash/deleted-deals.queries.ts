import { sql } from 'kysely';
import { countRows, valuesOf, type Db, type Tx } from '../../../platform/db/database.ts';

type Deleted = { search?: string | undefined; days: number };

const recently = (db: Db | Tx, { search, days }: Deleted) =>
  db
    .selectFrom('deals')
    .where('deals.deleted_at', '>', sql<string>`now() - make_interval(days => ${days}::integer)`)
    .$if(search !== undefined, (query) =>
      query.where(sql<boolean>`position(${search?.toLowerCase()} in deals.search_text) > 0`),
    );

/** Returns the rows deleted in the last `days`, latest deletion first. */
export const listDeleted = (db: Db, deleted: Deleted, page: { limit: number; offset: number }) =>
  recently(db, deleted)
    .innerJoin('dealerships', 'dealerships.id', 'deals.dealership_id')
    .innerJoin('users as owners', 'owners.id', 'deals.owner_id')
    .leftJoin('users as deleters', 'deleters.id', 'deals.deleted_by')
    .orderBy('deals.deleted_at', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .select([
      'deals.id',
      'customer_name',
      'customer_number',
      'deal_number',
      'month',
      'dealerships.name as dealership_name',
      'owners.name as owner_name',
      'deleters.name as deleter_name',
      sql<string>`deals.deleted_at`.as('deleted_at'),
    ])
    .execute();

export const countDeleted = (db: Db, deleted: Deleted): Promise<number> =>
  recently(db, deleted).$call(countRows);

/**
 * Locks up to `limit` rows that were deleted more than `days` ago, skipping rows locked by another instance.
 * Returns their ids.
 */
export async function lockExpired(tx: Tx, days: number, limit: number): Promise<string[]> {
  return tx
    .selectFrom('deals')
    .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${days}::integer)`)
    .orderBy('deleted_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select('id')
    .$call(valuesOf('id'));
}

/** Deletes rows and everything that belongs to them for good. Messages about them stay in the mail log. */
export async function purgeDeals(tx: Tx, ids: readonly string[]): Promise<void> {
  const these = sql`= any(${ids}::uuid[])`;
  await sql`delete from shares where entity = 'deal' and record_id ${these}`.execute(tx);
  await sql`delete from deals where id ${these}`.execute(tx);
  // Links to a purged row, and to rows merged into it, still lead to its survivor, but nothing can go back to it.
  await sql`delete from deal_merge_parts where deal_id ${these}`.execute(tx);
  await sql`
    with recursive later as (
      select deal_id, survivor_id from deal_merges where survivor_id ${these}
      union
      select later.deal_id, next.survivor_id
      from later join deal_merges as next on next.deal_id = later.survivor_id
      where later.survivor_id ${these}
    )
    update deal_merges as link set survivor_id = later.survivor_id from later
    where link.deal_id = later.deal_id and not later.survivor_id ${these}`.execute(tx);
  await sql`delete from deal_merges where survivor_id ${these}`.execute(tx);
}
