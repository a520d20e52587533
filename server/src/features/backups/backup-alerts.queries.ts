import { sql, type RawBuilder, type SqlBool } from 'kysely';
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

/** Instances were running without a gap if one of them has watched within this time. A restart takes less. */
const WATCHED_SINCE = sql<string>`case when now() - watched_at < interval '1 hour'
  then least(watched_since, now()) else now() end`;

/** Records that an instance runs, once a minute for all instances. */
export async function recordWatch(db: Db): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ watched_at: sql`now()`, watched_since: WATCHED_SINCE })
    // A time that is ahead is of a clock that was wrong.
    .where(sql<SqlBool>`now() - watched_at not between interval '0' and interval '1 minute'`)
    .execute();
}

/**
 * A copy counts from when copies were turned on.
 */
export async function readBackupState(db: Db | Tx): Promise<BackupState> {
  const { rows } = await sql<BackupState>`
    select now() as now, scheduler_running, running_since, last_problem, restore_test_problem,
      ${WATCHED_SINCE} as watched_since,
      (select max(finished_at) from backups
        where ${IS_GOOD}) as newest_good,
      (select coalesce(json_agg(newest order by destination desc), '[]') from (
        select distinct on (destination) destination, copy.problem
        from backup_copies copy join backups on backups.id = backup_id
        where state <> 'copied' and copy.problem is not null
          and finished_at >= case destination when 'ssh' then ssh_enabled_at else s3_enabled_at end
        order by destination, finished_at desc
      ) as newest) as copy_problems
    from backup_settings`.execute(db);
  return rows[0]!;
}

const secondsSince = (time: RawBuilder<unknown>) =>
  sql`case when scheduler_running then extract(epoch from now() - coalesce(${time}, running_since))::float end`;

/**
 * Seconds since the newest good backup, copy and successful restore test. Without a backup or test they count from when
 * the schedule was turned on; both are null while it is off, and the copy if there is none.
 */
export async function readBackupAges(
  db: Db,
): Promise<Record<'backup' | 'copy' | 'restore_test', number | null>> {
  const { rows } = await sql<Record<'backup' | 'copy' | 'restore_test', number | null>>`
    select ${secondsSince(sql`max(finished_at)`)} as backup, ${secondsSince(sql`max(proven_at)`)} as restore_test,
      extract(epoch from now() - max(finished_at) filter (where ${HAS_COPY}))::float as copy
    from backup_settings left join backups on ${IS_GOOD}
    group by scheduler_running, running_since`.execute(db);
  return rows[0]!;
}
