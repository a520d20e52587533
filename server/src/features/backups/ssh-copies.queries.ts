import { sql } from 'kysely';
import { affectsRows, secondsFromNow, type Db, type Tx } from '../../platform/db/database.ts';
import type { BackupRow } from './backups.queries.ts';

/** A backup whose copy this instance has claimed. `attempt` distinguishes the claim from later ones. */
export type Claimed = { id: string; name: string; attempt: number; sha256: string };

/** Claims the oldest verified backup that was created here after `since` and has no copy. */
export async function claimCopy(db: Db, since: string, leaseSeconds: number): Promise<Claimed | undefined> {
  return db
    .updateTable('backups')
    .set((eb) => ({
      remote: 'waiting',
      copy_attempts: eb('copy_attempts', '+', 1),
      copy_leased_until: secondsFromNow(leaseSeconds),
    }))
    .where('name', '=', (eb) =>
      eb
        .selectFrom('backups')
        .select('name')
        .where('origin', '=', 'made')
        .where('is_local', '=', true)
        .where('verified_at', 'is not', null)
        .where('finished_at', '>=', since)
        .where('remote', '<>', 'copied')
        .where('copy_due_at', '<=', sql<string>`now()`)
        .where((due) =>
          due.or([due('copy_leased_until', 'is', null), due('copy_leased_until', '<', sql<string>`now()`)]),
        )
        .orderBy('finished_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      'id',
      'name',
      'copy_attempts as attempt',
      sql<string>`encode(file_sha256, 'hex')`.as('sha256'),
    ])
    .executeTakeFirst();
}

const ofAttempt = (db: Db | Tx, { name, attempt }: Claimed) =>
  db.updateTable('backups').where('name', '=', name).where('copy_attempts', '=', attempt);

/** Returns false if another instance has claimed the copy, or the backup was deleted. */
export const renewCopy = (db: Db, copy: Claimed, leaseSeconds: number): Promise<boolean> =>
  ofAttempt(db, copy)
    .set({ copy_leased_until: secondsFromNow(leaseSeconds) })
    .$call(affectsRows);

/** @param path path on the server */
export const copyDone = (db: Tx, copy: Claimed, path: string): Promise<boolean> =>
  ofAttempt(db, copy)
    .set({ remote: 'copied', remote_problem: null, copy_leased_until: null, copy_path: path })
    .$call(affectsRows);

/** Returns false as `renewCopy` does. */
export const copyFailed = (db: Tx, copy: Claimed, problem: string, seconds: number): Promise<boolean> =>
  ofAttempt(db, copy)
    .set({
      remote: 'failed',
      remote_problem: problem,
      copy_leased_until: null,
      copy_due_at: secondsFromNow(seconds),
    })
    .$call(affectsRows);

/** Makes failed copies due now instead of after their delay. */
export async function makeFailedDue(db: Db): Promise<void> {
  await db
    .updateTable('backups')
    .set({ copy_due_at: sql`now()` })
    .where('remote', '=', 'failed')
    .execute();
}

/** Locks the row of a backup. Returns it with whether a job fetches its copy; undefined if it was deleted. */
export async function lockForFetch(
  db: Tx,
  id: string,
): Promise<{ row: BackupRow; isFetching: boolean } | undefined> {
  const row = await db.selectFrom('backups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  // A statement of its own, because it must see a fetch that began while the first statement waited for the lock.
  const job =
    row?.job_id &&
    (await db
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', row.job_id)
      .where('status', '=', 'running')
      .executeTakeFirst());
  return row && { row, isFetching: Boolean(job) };
}

export async function startFetch(db: Tx, id: string, jobId: string): Promise<void> {
  await db
    .updateTable('backups')
    .set({ job_id: jobId, fetch_started_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

const ofFetch = (db: Tx, id: string, jobId: string) =>
  db.updateTable('backups').where('id', '=', id).where('job_id', '=', jobId);

/** Marks the file as local and complete. Returns false if the backup was deleted or another fetch has the row. */
export const completeFetch = (db: Tx, id: string, jobId: string, problem: string | null): Promise<boolean> =>
  ofFetch(db, id, jobId)
    .set({ job_id: null, is_local: true, verified_at: sql`now()`, problem })
    .$call(affectsRows);

/** Returns false as `completeFetch` does. */
export const failFetch = (db: Tx, id: string, jobId: string): Promise<boolean> =>
  ofFetch(db, id, jobId).set({ job_id: null }).$call(affectsRows);
