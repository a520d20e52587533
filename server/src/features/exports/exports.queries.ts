import { EXPORT_RETENTION_DAYS } from '@forecourt/contract/export-limits';
import { sql, type Insertable } from 'kysely';
import { affectsRows, type Db, type Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';

const selectExports = (db: Db | Tx, ownerId: string | null) =>
  db
    .selectFrom('exports')
    .innerJoin('users', 'users.id', 'exports.user_id')
    .leftJoin('jobs', 'jobs.id', 'exports.job_id')
    .$if(ownerId !== null, (query) => query.where('exports.user_id', '=', ownerId!))
    .where('exports.created_at', '>', sql<string>`now() - make_interval(days => ${EXPORT_RETENTION_DAYS})`)
    .selectAll('exports')
    .select(['users.name as user_name', 'jobs.percent', 'jobs.message', 'jobs.status as job_status'])
    .select([
      sql<string>`exports.created_at + make_interval(days => ${EXPORT_RETENTION_DAYS})`.as('expires_at'),
      sql<boolean>`coalesce(exports.finished_at is null and jobs.status = 'running', false)`.as('is_running'),
    ]);

/** Newest first. A null owner means all users. */
export const listExports = (db: Db | Tx, ownerId: string | null) =>
  selectExports(db, ownerId).orderBy('exports.created_at', 'desc').orderBy('exports.id', 'desc').execute();

export type ExportRow = Awaited<ReturnType<typeof listExports>>[number];

export const findExport = (db: Db | Tx, ownerId: string | null, id: string) =>
  selectExports(db, ownerId).where('exports.id', '=', id).executeTakeFirst();

export async function insertExport(db: Tx, row: Insertable<Tables['exports']>): Promise<void> {
  await db.insertInto('exports').values(row).execute();
}

type Written = { row_count: number; size: number };

/** Records how much of the file is written. Returns false if the export was deleted. */
export const updateWritten = (db: Db, id: string, written: Written): Promise<boolean> =>
  db
    .updateTable('exports')
    .set(written)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .$call(affectsRows);

/** Makes a complete file available. Returns false if the export was deleted. */
export const finishExport = (db: Tx, id: string, file: Written & { digest: Buffer }): Promise<boolean> =>
  db
    .updateTable('exports')
    .set({ ...file, finished_at: sql`now()` })
    .where('id', '=', id)
    .$call(affectsRows);

export async function deleteExport(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('exports').where('id', '=', id).execute();
}

/** Returns a part of a file that an earlier release stored. */
export async function readChunk(db: Db | Tx, id: string, position: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('export_chunks')
    .where('export_id', '=', id)
    .where('position', '=', position)
    .select('content')
    .executeTakeFirst();
  return row?.content;
}

export const deleteExpired = (db: Tx): Promise<{ id: string; name: string }[]> =>
  db
    .deleteFrom('exports')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${EXPORT_RETENTION_DAYS})`)
    .returning(['id', 'name'])
    .execute();

/** Deletes the chunks of exports that an earlier release did not finish. */
export async function deleteIncomplete(db: Db): Promise<void> {
  await sql`
    delete from export_chunks using exports left join jobs on jobs.id = exports.job_id
    where export_chunks.export_id = exports.id and exports.finished_at is null
      and jobs.status is distinct from 'running'`.execute(db);
}
