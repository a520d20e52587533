import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** A backup whose copy this instance makes. The number of the attempt tells it from a later one of another instance. */
export type Claimed = { id: string; name: string; attempt: number; sha256: string };

const inSeconds = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/** Takes the oldest backup that was made here since, is whole, and has no copy. */
export async function claimCopy(db: Db, since: string, leaseSeconds: number): Promise<Claimed | undefined> {
  const row = await db
    .updateTable('backups')
    .set((eb) => ({
      remote: 'waiting',
      copy_attempts: eb('copy_attempts', '+', 1),
      copy_leased_until: inSeconds(leaseSeconds),
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
    .returning(['id', 'name', 'copy_attempts as attempt', 'file_sha256'])
    .executeTakeFirst();
  return (
    row && { id: row.id, name: row.name, attempt: row.attempt, sha256: row.file_sha256!.toString('hex') }
  );
}

const ofAttempt = (db: Db, { name, attempt }: Claimed) =>
  db.updateTable('backups').where('name', '=', name).where('copy_attempts', '=', attempt);

/** False: another instance has taken it over, or it was deleted. */
export const renewCopy = async (db: Db, copy: Claimed, leaseSeconds: number): Promise<boolean> =>
  (
    await ofAttempt(db, copy)
      .set({ copy_leased_until: inSeconds(leaseSeconds) })
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

export const copyDone = async (db: Db, copy: Claimed): Promise<boolean> =>
  (
    await ofAttempt(db, copy)
      .set({ remote: 'copied', remote_problem: null, copy_leased_until: null })
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

export async function copyFailed(db: Db, copy: Claimed, problem: string, seconds: number): Promise<void> {
  await ofAttempt(db, copy)
    .set({
      remote: 'failed',
      remote_problem: problem,
      copy_leased_until: null,
      copy_due_at: inSeconds(seconds),
    })
    .execute();
}
