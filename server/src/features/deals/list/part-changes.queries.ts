import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';

// Changes of items, shares, messages and names that rows of `deals` show; recorded by triggers in `deal_part_changes`,
// and read by the cache of rows (row-cache.ts).

/** Stands for every row in the changes of a list. */
export const ANY_ROW = '*';
/** The most changes that a list reads. With more the whole cache is cleared. */
const MAX_CHANGES = 5000;

/** Two equal snapshots see the same rows: no transaction that changed anything was committed in between. */
export const snapshot = sql<string>`pg_current_snapshot()::text`.as('snapshot');

/**
 * Selects the changes that are visible to the statement and not in the snapshot `since`, as `id,id`, and its own
 * snapshot. Changes after the oldest transaction of `since` are read, in the order of the index, so that it is always
 * used; a long transaction makes them many.
 */
export const partChanges = (since: string | null) =>
  [
    snapshot,
    since === null
      ? sql<string | null>`null`.as('changed')
      : sql<string | null>`(
          select case when count(*) > ${sql.lit(MAX_CHANGES)} then ${sql.lit(ANY_ROW)}
            else string_agg(coalesce(deal_id::text, ${sql.lit(ANY_ROW)}), ',')
              filter (where not pg_visible_in_snapshot(xid, ${since}::pg_snapshot)) end
          from (
            select xid, deal_id from deal_part_changes where xid >= pg_snapshot_xmin(${since}::pg_snapshot)
            order by xid limit ${sql.lit(MAX_CHANGES + 1)}
          ) as recent)`.as('changed'),
  ] as const;

/**
 * Removes the recorded changes once there are many. The row that replaces them clears every cache, which may not have
 * read them. Those with future numbers are from the backup of another server.
 */
export const removePartChanges = (db: Db | Tx) =>
  sql`
    with removed as (
      delete from deal_part_changes
      where (xid < pg_snapshot_xmin(pg_current_snapshot()) or xid > pg_snapshot_xmax(pg_current_snapshot()))
        and (select count(*) from (select from deal_part_changes limit ${sql.lit(MAX_CHANGES)}) as counted) = ${sql.lit(MAX_CHANGES)}
      returning xid
    )
    insert into deal_part_changes (deal_id) select null from removed limit 1`.execute(db);
