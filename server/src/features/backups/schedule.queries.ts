import { sql } from 'kysely';
import { affectsRows, secondsFromNow, valuesOf, type Db, type Tx } from '../../platform/db/database.ts';
import { INTERRUPTED } from './backups.queries.ts';

export const findSchedule = (db: Db | Tx) =>
  db
    .selectFrom('backup_settings')
    .select(['scheduler_running', 'last_hour', 'last_restore_test'])
    .executeTakeFirstOrThrow();

/** Returns the names of pending backups of any instance. */
export const listPendingNames = (db: Db | Tx): Promise<string[]> =>
  db
    .selectFrom('backups')
    .select('name')
    .where('finished_at', 'is', null)
    .orderBy('created_at')
    .$call(valuesOf('name'));

/** Returns false if nothing changed. Hours that pass while the schedule is off need no backup. */
export const setRunning = (db: Tx, isRunning: boolean): Promise<boolean> =>
  db
    .updateTable('backup_settings')
    .set({
      scheduler_running: isRunning,
      last_problem: null,
      restore_test_problem: null,
      hour_started_at: null,
      restore_test_started_at: null,
      ...(isRunning && { last_hour: sql`now()`, running_since: sql`now()` }),
    })
    .where('scheduler_running', '<>', isRunning)
    .$call(affectsRows);

/**
 * Claims the backup of an hour for this instance for some seconds. Returns false if the hour is done or claimed, or the
 * schedule is off. A stored hour more than one hour ahead was written before the clock was set back.
 */
export const claimHour = (db: Db, hour: Date, seconds: number): Promise<boolean> =>
  db
    .updateTable('backup_settings')
    .set({ hour_leased_until: secondsFromNow(seconds), hour_started_at: sql`now()` })
    .where('scheduler_running', '=', true)
    .where((eb) =>
      eb.or([
        eb('last_hour', '<', hour.toISOString()),
        eb('last_hour', '>', sql<string>`${hour}::timestamptz + interval '1 hour'`),
      ]),
    )
    .where((eb) =>
      eb.or([eb('hour_leased_until', 'is', null), eb('hour_leased_until', '<', sql<string>`now()`)]),
    )
    .$call(affectsRows);

export const renewHour = (db: Db, seconds: number): Promise<boolean> =>
  db
    .updateTable('backup_settings')
    .set({ hour_leased_until: secondsFromNow(seconds) })
    .$call(affectsRows);

export async function completeHour(db: Db, hour: Date): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ last_hour: hour, hour_leased_until: null, hour_started_at: null, last_problem: null })
    .execute();
}

/** Permits a retry after some seconds. Without a problem the backup was only postponed. */
export async function failHour(db: Db, seconds: number, problem: string | undefined): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ hour_leased_until: secondsFromNow(seconds), hour_started_at: null, last_problem: problem })
    .execute();
}

/** Maximum attempts of a restore test per night. */
const MAX_ATTEMPTS = 4;

/** An attempt of the restore test of a night. */
export type RestoreTest = { night: string; attempt: number };

/**
 * Claims the restore test of a night for this instance for some seconds. Returns undefined if the test is done, given
 * up or claimed, or the schedule is off. After a failure or an expired lease it is due again in 1, 5 and 25 minutes.
 */
export async function claimRestoreTest(
  db: Db,
  night: string,
  seconds: number,
): Promise<RestoreTest | undefined> {
  const row = await db
    .updateTable('backup_settings')
    .set({
      last_restore_test: night,
      restore_test_leased_until: secondsFromNow(seconds),
      restore_test_started_at: sql`now()`,
      restore_test_attempts: sql`case when last_restore_test = ${night} then restore_test_attempts + 1 else 1 end`,
    })
    .where('scheduler_running', '=', true)
    .where((eb) =>
      eb.or([
        eb('last_restore_test', 'is distinct from', night),
        eb.and([
          eb('restore_test_attempts', '<', MAX_ATTEMPTS),
          eb(
            'restore_test_leased_until',
            '<',
            sql<string>`now() - interval '1 minute' * 5 ^ (restore_test_attempts - 1)`,
          ),
        ]),
      ]),
    )
    .returning('restore_test_attempts as attempt')
    .executeTakeFirst();
  return row && { night, attempt: row.attempt };
}

const ofTest = (db: Db, { night, attempt }: RestoreTest) =>
  db
    .updateTable('backup_settings')
    .where('last_restore_test', '=', night)
    .where('restore_test_attempts', '=', attempt);

/** Returns false when another instance has taken over. */
export const renewRestoreTest = (db: Db, test: RestoreTest, seconds: number): Promise<boolean> =>
  ofTest(db, test)
    .set({ restore_test_leased_until: secondsFromNow(seconds) })
    .$call(affectsRows);

/** @param problem what is wrong with the tested backup; null if it was restored */
export async function restoreTestDone(db: Db, test: RestoreTest, problem: string | null): Promise<void> {
  await ofTest(db, test)
    .set({ restore_test_leased_until: null, restore_test_started_at: null, restore_test_problem: problem })
    .execute();
}

/** Releases the test for a retry. Without a problem the test was only postponed, which counts as no attempt. */
export async function restoreTestFailed(
  db: Db,
  test: RestoreTest,
  problem: string | undefined,
): Promise<void> {
  await ofTest(db, test)
    .set({
      restore_test_leased_until: sql`now()`,
      restore_test_started_at: null,
      restore_test_attempts: problem === undefined ? test.attempt - 1 : test.attempt,
      restore_test_problem: problem,
    })
    .execute();
}

/**
 * Stores as a problem that the lease of an attempt expired before it succeeded or failed.
 */
export async function recordInterrupted(db: Db, timeZone: string): Promise<void> {
  for (const [what, problem, startedAt, leasedUntil] of [
    ['backup', 'last_problem', 'hour_started_at', 'hour_leased_until'],
    ['restore test', 'restore_test_problem', 'restore_test_started_at', 'restore_test_leased_until'],
  ] as const)
    await db
      .updateTable('backup_settings')
      .set({
        [problem]: sql`'The ' || ${what} || ' that began on '
          || to_char(${sql.ref(startedAt)} at time zone ${timeZone}, 'FMDD FMMonth YYYY "at" HH24:MI')
          || ${` ${INTERRUPTED}`}`,
        [startedAt]: null,
      })
      .where('scheduler_running', '=', true)
      .where(startedAt, 'is not', null)
      .where(leasedUntil, '<', sql<string>`now()`)
      .execute();
}

/** Returns the database's clock, which all instances share. */
export const databaseTime = async (db: Db | Tx): Promise<Date> =>
  new Date((await db.selectNoFrom(sql<string>`clock_timestamp()`.as('now')).executeTakeFirstOrThrow()).now);
