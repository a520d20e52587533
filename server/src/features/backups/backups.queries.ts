import type { BackupSignature } from '@forecourt/contract/backups';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { SCRATCH_PREFIX } from './scratch.ts';

/** Every row of the catalogue, newest first. */
export const listBackups = (db: Db | Tx) =>
  db.selectFrom('backups').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();

export type BackupRow = Awaited<ReturnType<typeof listBackups>>[number];

/** A finished one. */
export const findBackup = (db: Db | Tx, name: string): Promise<BackupRow | undefined> =>
  db
    .selectFrom('backups')
    .selectAll()
    .where('name', '=', name)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();

type NewBackup = {
  id: string;
  name: string;
  origin: 'made' | 'uploaded' | 'found';
  job_id?: string | null;
  created_at?: string;
};

/** False: the name is taken. */
export const insertPending = async (db: Db, row: NewBackup): Promise<boolean> =>
  (
    await db
      .insertInto('backups')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

type Facts = {
  size: number;
  file_sha256: Buffer | null;
  signature: BackupSignature | null;
  schema_version: number | null;
  row_count: number | null;
  verified_at: string | null;
  problem: string | null;
};

/** It is whole under its name. `createdAt`: of what is in it, where the file says so. */
export async function finishBackup(db: Db, name: string, facts: Facts, createdAt?: string): Promise<void> {
  await db
    .updateTable('backups')
    .set({ ...facts, finished_at: sql`now()`, job_id: null, ...(createdAt && { created_at: createdAt }) })
    .where('name', '=', name)
    .execute();
}

export async function updateBackup(
  db: Db,
  name: string,
  fields: Partial<Facts & Pick<BackupRow, 'proven_at' | 'is_local' | 'remote' | 'remote_problem'>>,
): Promise<void> {
  await db.updateTable('backups').set(fields).where('name', '=', name).execute();
}

export async function deleteBackup(db: Db, name: string): Promise<void> {
  await db.deleteFrom('backups').where('name', '=', name).execute();
}

/** What was being made when its server died. */
export async function deletePending(db: Db): Promise<void> {
  await db.deleteFrom('backups').where('finished_at', 'is', null).execute();
}

/** Whether something is listed as being made, or loaded beside the company's data; it may be alive. */
export const hasLeftovers = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ are: boolean }>`
    select exists (select from backups where finished_at is null)
      or exists (select from pg_namespace where starts_with(nspname, ${SCRATCH_PREFIX})) as are`.execute(db);
  return rows[0]!.are;
};

export const installationId = async (db: Db): Promise<string> =>
  (await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;

/** A whole file that nobody knows yet. False: somebody else has just listed it. */
export const insertFound = async (db: Db, name: string, size: number): Promise<boolean> =>
  (
    await db
      .insertInto('backups')
      .values({ id: newId(), name, origin: 'found', size, finished_at: sql`now()` })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;
