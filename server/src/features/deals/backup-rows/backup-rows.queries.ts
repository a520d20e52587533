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

/** Gives inserted rows the times of the rows in a backup, so that their days to close and months stay true. */
export async function keepTimes(db: Tx, rows: readonly DealRow[]): Promise<void> {
  const times = rows.map(({ id, created_at, closed_at }) => ({ id, created_at, closed_at }));
  await sql`
    update deals set created_at = past.created_at, closed_at = past.closed_at
    from json_to_recordset(${JSON.stringify(times)}::json) as past (id uuid, created_at timestamptz, closed_at timestamptz)
    where deals.id = past.id`.execute(db);
}
