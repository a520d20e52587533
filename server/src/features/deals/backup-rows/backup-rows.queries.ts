import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { dealRows, whereIds, type DealRow } from '../deals.queries.ts';

/** Returns these rows, deleted or not. */
export const findRows = (db: Db | Tx, ids: readonly string[]): Promise<DealRow[]> =>
  dealRows(db).where(whereIds(ids)).execute();

/** Returns the dealerships or items by id, and their ids by name in lower case. */
export async function listNames(db: Db | Tx, table: 'dealerships' | 'items') {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from ${sql.table(table)}`.execute(db);
  return {
    ids: new Set(rows.map(({ id }) => id)),
    idOf: new Map(rows.map(({ id, name }) => [name.toLowerCase(), id])),
  };
}

/**
 * Gives inserted rows their creator, if that user exists, and their times of then, so that rights, days to close and
 * months stay true. A row that was merged before its purge is no longer a merged one.
 */
export async function completeRows(db: Tx, rows: readonly DealRow[]): Promise<void> {
  const past = rows.map(({ id, created_by, created_at, closed_at }) => ({
    id,
    created_by,
    created_at,
    closed_at,
  }));
  await sql`
    update deals set created_at = past.created_at, closed_at = past.closed_at,
      created_by = coalesce((select id from users where id = past.created_by), deals.created_by)
    from json_to_recordset(${JSON.stringify(past)}::json)
      as past (id uuid, created_by uuid, created_at timestamptz, closed_at timestamptz)
    where deals.id = past.id`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`delete from deal_merges where deal_id = any(${ids}::uuid[])`.execute(db);
}
