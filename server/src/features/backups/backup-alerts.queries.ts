import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { BackupState } from './backup-alerts.policy.ts';

/** A copy at a place of former settings has a problem, and does not count. */
const HAS_COPY = sql`exists (select from backup_copies copy
  where backup_id = backups.id and state = 'copied' and copy.problem is null)`;

/**
 * A good backup was created here, is verified and has a file. It may lack files that it names, which the restore test
 * reports. One of a clock that was ahead does not count: it would hide that newer ones are missing.
 */
const IS_GOOD = sql`origin = 'made' and verified_at is not null and finished_at <= clock_timestamp() and (is_local or ${HAS_COPY})`;

/**
 * A copy counts from when copies were turned on.
 */
export async function readBackupState(db: Db | Tx): Promise<BackupState> {
  const { rows } = await sql<BackupState>`
    select now() as now, scheduler_running, running_since, last_problem, restore_test_problem,
      (select max(finished_at) from backups
        where ${IS_GOOD}) as newest_good,
      (select string_agg(problem, ' ') from (
        select distinct on (destination) copy.problem
        from backup_copies copy join backups on backups.id = backup_id
        where state = 'failed'
          and finished_at >= case destination when 'ssh' then ssh_enabled_at else s3_enabled_at end
        order by destination, finished_at desc
      ) as newest) as copy_problem
    from backup_settings`.execute(db);
  return rows[0]!;
}

/**
 * Seconds since the newest good backup, copy and successful restore test; null if there is none. While the schedule is
 * off, only the copy has an age: nobody expects the others.
 */
export async function readBackupAges(
  db: Db,
): Promise<Record<'backup' | 'copy' | 'restore_test', number | null>> {
  const { rows } = await sql<Record<'backup' | 'copy' | 'restore_test', number | null>>`
    select extract(epoch from now() - max(finished_at))::float as backup,
      extract(epoch from now() - max(finished_at) filter (where ${HAS_COPY}))::float as copy,
      extract(epoch from now() - max(proven_at))::float as restore_test
    from backups where ${IS_GOOD}`.execute(db);
  const { scheduler_running: isRunning } = await db
    .selectFrom('backup_settings')
    .select('scheduler_running')
    .executeTakeFirstOrThrow();
  return isRunning ? rows[0]! : { ...rows[0]!, backup: null, restore_test: null };
}
