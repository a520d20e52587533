import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** In the order of the status cycle. */
export const listStatuses = (db: Db | Tx) =>
  db.selectFrom('statuses').selectAll().orderBy('position').orderBy('id').execute();

export type StatusRow = Awaited<ReturnType<typeof listStatuses>>[number];

export const findStatus = (db: Db | Tx, id: string): Promise<StatusRow | undefined> =>
  db.selectFrom('statuses').selectAll().where('id', '=', id).executeTakeFirst();

type Fields = { name: string; color: string; active: boolean; is_default: boolean; is_closed: boolean };

export async function insertStatus(db: Tx, row: Fields & { id: string; position: number }): Promise<void> {
  await db.insertInto('statuses').values(row).execute();
}

export async function updateStatus(db: Tx, id: string, fields: Fields): Promise<void> {
  await db
    .updateTable('statuses')
    .set({ ...fields, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** Leaves no status the default. Answers the one that was, with its new version. */
export const endDefault = (db: Tx) =>
  db
    .updateTable('statuses')
    .set({ is_default: false, version: sql`version + 1`, updated_at: sql`now()` })
    .where('is_default', '=', true)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();

/** Waits for whoever is writing a row with it, and keeps others from beginning to. */
export async function lockAgainstUse(db: Tx, id: string): Promise<void> {
  await db.selectFrom('statuses').select('id').where('id', '=', id).forUpdate().execute();
}

export async function deleteStatus(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('statuses').where('id', '=', id).execute();
}
