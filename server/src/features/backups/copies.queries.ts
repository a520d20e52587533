import type { CopyDestination } from '@forecourt/contract/copy-destination';
import { sql, type SqlBool } from 'kysely';
import { affectsRows, secondsFromNow, type Db, type Tx } from '../../platform/db/database.ts';
import { COPIES, INTERRUPTED, type BackupRow } from './backups.queries.ts';

/** A copy that this instance has claimed. `attempt` distinguishes the claim from later ones. */
export type Claimed = {
  id: string;
  name: string;
  destination: CopyDestination;
  attempt: number;
  sha256: string;
};

/** A copy is due unless it was made where the settings lead, waits for its next attempt, or another instance makes it. */
const IS_DUE = sql<SqlBool>`(copy.state <> 'copied' or copy.problem is not null) and copy.due_at <= now()
  and (copy.leased_until is null or copy.leased_until < now())`;

/**
 * Claims the oldest verified backup that was created here after `since` and has no copy at the destination. The problem
 * of the attempt before stays until this one ends.
 */
export async function claimCopy(
  db: Db,
  destination: CopyDestination,
  { since, leaseSeconds }: { since: string; leaseSeconds: number },
): Promise<Claimed | undefined> {
  // The condition of the update is checked again on the newest row: another instance may have claimed it meanwhile.
  const { rows } = await sql<Claimed>`
    with due as (
      select backups.id, name, encode(file_sha256, 'hex') as sha256
      from backups left join backup_copies copy on backup_id = backups.id and destination = ${destination}
      where origin = 'made' and is_local and verified_at is not null and finished_at >= ${since}
        and (backup_id is null or ${IS_DUE})
      order by finished_at limit 1
      for update of backups
    ), claimed as (
      insert into backup_copies as copy (backup_id, destination, state, attempts, leased_until)
      select id, ${destination}, 'waiting', 1, ${secondsFromNow(leaseSeconds)} from due
      on conflict (backup_id, destination) do update
        set state = 'waiting', attempts = copy.attempts + 1, leased_until = excluded.leased_until,
          problem = case when copy.leased_until is not null then ${`The copy ${INTERRUPTED}`}
            when copy.state <> 'copied' then copy.problem end
        where ${IS_DUE}
      returning destination, attempts
    )
    select due.*, destination, attempts as attempt from due cross join claimed`.execute(db);
  return rows[0];
}

const ofAttempt = (db: Db | Tx, { id, destination, attempt }: Claimed) =>
  db
    .updateTable('backup_copies')
    .where('backup_id', '=', id)
    .where('destination', '=', destination)
    .where('attempts', '=', attempt);

/** Returns false if another instance has claimed the copy, or the backup was deleted. */
export const renewCopy = (db: Db, copy: Claimed, leaseSeconds: number): Promise<boolean> =>
  ofAttempt(db, copy)
    .set({ leased_until: secondsFromNow(leaseSeconds) })
    .$call(affectsRows);

/** @param path path at the destination */
export const copyDone = (db: Tx, copy: Claimed, path: string): Promise<boolean> =>
  ofAttempt(db, copy).set({ state: 'copied', problem: null, leased_until: null, path }).$call(affectsRows);

/** Returns false as `renewCopy` does. */
export const copyFailed = (db: Tx, copy: Claimed, problem: string, seconds: number): Promise<boolean> =>
  ofAttempt(db, copy)
    .set({ state: 'failed', problem, leased_until: null, due_at: secondsFromNow(seconds) })
    .$call(affectsRows);

/** Ends the claim without a result: the copy is due. */
export const releaseCopy = (db: Db, copy: Claimed): Promise<boolean> =>
  ofAttempt(db, copy).set({ leased_until: null }).$call(affectsRows);

/**
 * Marks the copies at a destination as made elsewhere, after its settings have changed. They are made again if the
 * backup is local, and count no more. A claim ends, because its copy goes to the former place.
 */
export async function markElsewhere(db: Tx, destination: CopyDestination, problem: string): Promise<void> {
  await db
    .updateTable('backup_copies')
    .set({
      problem: sql`case state when 'copied' then ${problem} else problem end`,
      due_at: sql`now()`,
      attempts: sql`attempts + 1`,
      leased_until: null,
    })
    .where('destination', '=', destination)
    .execute();
}

/** Makes failed copies due now instead of after their delay. */
export async function makeFailedDue(db: Db): Promise<void> {
  await db
    .updateTable('backup_copies')
    .set({ due_at: sql`now()` })
    .where('state', '=', 'failed')
    .execute();
}

/** Locks the row of a backup. Returns it with whether a job fetches its copy; undefined if it was deleted. */
export async function lockForFetch(
  db: Tx,
  id: string,
): Promise<{ row: BackupRow; isFetching: boolean } | undefined> {
  const row = await db
    .selectFrom('backups')
    .selectAll()
    .select(COPIES)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
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
