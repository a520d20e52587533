import type { BackupCopy } from '@forecourt/contract/backups';
import { sql } from 'kysely';
import { affectsRows, valuesOf, type Db, type Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { numbered } from './backups.policy.ts';
import { SCRATCH_PREFIX } from './scratch-schema.ts';

/** The copies of a backup, with the path of each at its destination. */
export const COPIES = sql<(BackupCopy & { path: string | null })[]>`coalesce((
  select jsonb_agg(
    jsonb_build_object('destination', destination, 'state', state, 'problem', copy.problem, 'path', path)
    order by destination desc
  ) from backup_copies copy where backup_id = backups.id), '[]')`.as('copies');

/** Why an attempt has no outcome, although its lease expired. Each further attempt may end in the same way. */
export const INTERRUPTED =
  'was interrupted: the program ended, for example because memory ran out, or lost the database.';

export const listBackups = (db: Db | Tx) =>
  db
    .selectFrom('backups')
    .selectAll()
    .select(COPIES)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export type BackupRow = Awaited<ReturnType<typeof listBackups>>[number];

export const findBackup = (db: Db | Tx, name: string): Promise<BackupRow | undefined> =>
  db
    .selectFrom('backups')
    .selectAll()
    .select(COPIES)
    .where('name', '=', name)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();

type NewBackup = { name: string; origin: 'made' | 'uploaded'; job_id?: string | null };

/** Inserts a backup as pending. Appends a number if the name exists already. */
export async function insertPending(db: Db | Tx, backup: NewBackup): Promise<BackupRow> {
  for (let number = 1; ; number += 1) {
    const row = await db
      .insertInto('backups')
      .values({ ...backup, id: newId(), name: numbered(backup.name, number) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returningAll()
      .returning(COPIES)
      .executeTakeFirst();
    if (row) return row;
  }
}

type Facts = Pick<
  BackupRow,
  | 'size'
  | 'file_sha256'
  | 'signature'
  | 'schema_version'
  | 'row_count'
  | 'verified_at'
  | 'problem'
  | 'embeds_files'
>;

/** Marks a backup as complete. `createdAt` is the time of its snapshot, if the file states it. */
export async function finishBackup(
  db: Db | Tx,
  name: string,
  facts: Facts,
  createdAt?: string,
): Promise<void> {
  await db
    .updateTable('backups')
    .set({ ...facts, finished_at: sql`now()`, job_id: null, ...(createdAt && { created_at: createdAt }) })
    .where('name', '=', name)
    .execute();
}

export async function updateBackup(
  db: Db | Tx,
  name: string,
  fields: Partial<Facts & Pick<BackupRow, 'proven_at' | 'is_local'>>,
): Promise<void> {
  await db.updateTable('backups').set(fields).where('name', '=', name).execute();
}

/** Marks all backups of this installation as signed by another key. */
export async function disownBackups(db: Tx): Promise<void> {
  await db.updateTable('backups').set({ signature: 'foreign' }).where('signature', '=', 'own').execute();
}

/** Returns the deleted row; undefined if there was none. */
export const deleteBackup = (db: Tx, name: string): Promise<Pick<BackupRow, 'id' | 'name'> | undefined> =>
  db.deleteFrom('backups').where('name', '=', name).returning(['id', 'name']).executeTakeFirst();

/** Returns the names of finished backups whose copy is being fetched by any instance. */
export const listFetching = (db: Db): Promise<string[]> =>
  db
    .selectFrom('backups')
    .innerJoin('jobs', 'jobs.id', 'backups.job_id')
    .where('backups.finished_at', 'is not', null)
    .where('jobs.status', '=', 'running')
    .select('name')
    .$call(valuesOf('name'));

/** Deletes the rows of backups whose creation was interrupted by a crash. */
export async function deletePending(db: Db): Promise<void> {
  await db.deleteFrom('backups').where('finished_at', 'is', null).execute();
}

/** Whether pending backups or scratch schemas exist. A running process may still use them. */
export const hasLeftovers = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ are: boolean }>`
    select exists (select from backups where finished_at is null)
      or exists (select from pg_namespace where starts_with(nspname, ${SCRATCH_PREFIX})) as are`.execute(db);
  return rows[0]!.are;
};

export const installationId = async (db: Db): Promise<string> =>
  (await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;

/** Inserts a complete file that is not in the catalogue. Returns false if another instance has just inserted it. */
export const insertFound = (db: Db, name: string, size: number): Promise<boolean> =>
  db
    .insertInto('backups')
    .values({ id: newId(), name, origin: 'found', size, finished_at: sql`now()` })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .$call(affectsRows);
