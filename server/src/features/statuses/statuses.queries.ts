import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

export const listStatuses = (db: Db | Tx) =>
  db.selectFrom('statuses').selectAll().orderBy('position').orderBy('id').execute();

export type StatusRow = Awaited<ReturnType<typeof listStatuses>>[number];

export const findStatus = (db: Db | Tx, id: string): Promise<StatusRow | undefined> =>
  db.selectFrom('statuses').selectAll().where('id', '=', id).executeTakeFirst();

/** Clears the default. Returns the former default status with its new version. */
export const endDefault = (db: Tx) =>
  db
    .updateTable('statuses')
    .set({ is_default: false, version: sql`version + 1`, updated_at: sql`now()` })
    .where('is_default', '=', true)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();

/** Makes only these statuses count for commission. Returns the changed ones, before and after. */
export async function countOnly(db: Tx, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; version: number; before: boolean | null; after: boolean }>`
    with decided as (
      select id, counts_for_commission as before, id = any(${ids}::uuid[]) as after from statuses
    )
    update statuses set counts_for_commission = after, version = version + 1, updated_at = now()
    from decided where statuses.id = decided.id and before is distinct from after
    returning statuses.id, version, before, after`.execute(db);
  return rows;
}

/** Waits for writers of rows with this status and blocks further ones. */
export async function lockAgainstUse(db: Tx, id: string): Promise<void> {
  await db.selectFrom('statuses').select('id').where('id', '=', id).forUpdate().execute();
}
