import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

export const findSchedule = (db: Db | Tx) =>
  db
    .selectFrom('backup_settings')
    .select(['scheduler_running', 'last_hour', 'last_problem', 'last_drill'])
    .executeTakeFirstOrThrow();

/** Names of what is being made, by whatever instance. */
export const pendingNames = async (db: Db | Tx): Promise<string[]> =>
  (
    await db
      .selectFrom('backups')
      .select('name')
      .where('finished_at', 'is', null)
      .orderBy('created_at')
      .execute()
  ).map(({ name }) => name);

/** False: it was so already. Hours that pass while it is off are not missed: they count as done. */
export const setRunning = async (db: Tx, isRunning: boolean): Promise<boolean> =>
  (
    await db
      .updateTable('backup_settings')
      .set({ scheduler_running: isRunning, last_problem: null, ...(isRunning && { last_hour: sql`now()` }) })
      .where('scheduler_running', '<>', isRunning)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

const inSeconds = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/**
 * Takes the backup of an hour for this instance, for so many seconds. False: it is made, another instance is at it, or
 * hours are not backed up. A newest hour that lies more than one ahead is of a clock that has gone back since.
 */
export const claimHour = async (db: Db, hour: Date, seconds: number): Promise<boolean> =>
  (
    await db
      .updateTable('backup_settings')
      .set({ hour_leased_until: inSeconds(seconds) })
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
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

export async function renewHour(db: Db, seconds: number): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ hour_leased_until: inSeconds(seconds) })
    .execute();
}

export async function hourDone(db: Db, hour: Date): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ last_hour: hour, hour_leased_until: null, last_problem: null })
    .execute();
}

/** It is tried again after so many seconds. Without a problem it was only put off. */
export async function hourFailed(db: Db, seconds: number, problem: string | undefined): Promise<void> {
  await db
    .updateTable('backup_settings')
    .set({ hour_leased_until: inSeconds(seconds), ...(problem !== undefined && { last_problem: problem }) })
    .execute();
}

/** Takes the drill of a night. False: it was taken, or backups are not made by themselves. */
export const claimDrill = async (db: Db, date: string): Promise<boolean> =>
  (
    await db
      .updateTable('backup_settings')
      .set({ last_drill: date })
      .where('scheduler_running', '=', true)
      .where((eb) => eb.or([eb('last_drill', 'is', null), eb('last_drill', '<>', date)]))
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** Gives it back, to be taken again. */
export async function releaseDrill(db: Db): Promise<void> {
  await db.updateTable('backup_settings').set({ last_drill: null }).execute();
}

/** The one clock that all instances share. */
export const databaseTime = async (db: Db | Tx): Promise<Date> =>
  new Date((await db.selectNoFrom(sql<string>`clock_timestamp()`.as('now')).executeTakeFirstOrThrow()).now);
