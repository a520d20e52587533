import { BACKUP_RETENTION_DAYS } from '@forecourt/contract/backup-limits';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/errors.ts';
import { defineJob, IDLE, type RunResult } from '../../platform/jobs/define-job.ts';
import { withLease } from '../../platform/jobs/with-lease.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import type { BackupRow } from './backups.queries.ts';
import type { BackupStore } from './backups.service.ts';
import { expired, isNight, newestFullHour, newestVerified, nextFullHour } from './schedule.policy.ts';
import * as queries from './schedule.queries.ts';

/** The interval of checks for due work, apart from the full hours. */
const CHECK_MS = 30_000;
/** An instance that does not renew its lease for this long loses the hour to the next. */
const LEASE_SECONDS = 120;
const RENEW_MS = 30_000;
const BUSY_AGAIN_SECONDS = 20;
const FAILED_AGAIN_SECONDS = 300;
/** A verification older than this is repeated before older backups are deleted because of it. */
const VERIFICATION_MS = 24 * 3_600_000;

type Parts = {
  db: Db;
  log: Log;
  clock: Pick<Clock, 'timeZone' | 'businessDate'>;
  backups: BackupStore;
  events: Pick<LiveEvents, 'announce'>;
  /** The current time; the database's unless a test replaces it. */
  now?: () => Promise<Date>;
};

/**
 * Creates a backup at every full hour, deletes automatic ones after 7 days and tests the newest one by a restore every
 * night (docs/product/backups.md, Schedule). PostgreSQL selects the instance, by its own clock; hours missed while none
 * ran are made up with one backup.
 */
export function createScheduler({
  db,
  log,
  clock,
  backups,
  events,
  now = () => queries.databaseTime(db),
}: Parts) {
  async function backUpHour(hour: Date, stopping: AbortSignal): Promise<RunResult> {
    const claim = async () => (await queries.claimHour(db, hour, LEASE_SECONDS)) || undefined;
    const renew = () => queries.renewHour(db, LEASE_SECONDS);
    return withLease({ claim, renew, renewMs: RENEW_MS, log }, async () => {
      try {
        await createBackup(hour, stopping);
        return await deleteExpired();
      } catch (error) {
        return await postpone(error, stopping.aborted);
      } finally {
        events.announce();
      }
    });
  }

  async function createBackup(hour: Date, stopping: AbortSignal): Promise<void> {
    const name = await backups.create('automatic', stopping);
    log.info({ backup: name }, 'automatic backup');
    await queries.completeHour(db, hour);
  }

  async function postpone(error: unknown, isStopping: boolean): Promise<RunResult> {
    if (isBusy(error)) {
      await queries.failHour(db, BUSY_AGAIN_SECONDS, undefined);
      return IDLE;
    }
    log.error({ reason: (error as Error).message }, 'no automatic backup');
    const message = error instanceof AppError ? error.reason : UNKNOWN;
    // A stopping instance releases the hour to the next.
    await queries.failHour(db, isStopping ? 0 : FAILED_AGAIN_SECONDS, message);
    return new Error(message);
  }

  /** Deletes expired backups, once the newest three are verified again. */
  async function deleteExpired(): Promise<void> {
    const at = await now();
    if (expired(await backups.list(), at).length === 0) return;
    const read = new Set<string>();
    const needsVerification = ({ name, verified_at }: BackupRow) =>
      !read.has(name) && at.getTime() - Date.parse(verified_at!) > VERIFICATION_MS;
    for (;;) {
      // A damaged one is replaced by the next newest.
      const unverified = newestVerified(await backups.list()).find(needsVerification);
      if (!unverified) break;
      read.add(unverified.name);
      await backups.verify(unverified.name);
    }
    for (const name of expired(await backups.list(), at)) {
      await backups.remove(name);
      log.info({ backup: name }, `automatic backup deleted after ${BACKUP_RETENTION_DAYS} days`);
    }
  }

  async function testRestore(at: Date, stopping: AbortSignal): Promise<RunResult> {
    if (!isNight(at, clock.timeZone)) return IDLE;
    const claim = () => queries.claimRestoreTest(db, clock.businessDate(at), LEASE_SECONDS);
    const renew = (test: queries.RestoreTest) => queries.renewRestoreTest(db, test, LEASE_SECONDS);
    return withLease({ claim, renew, renewMs: RENEW_MS, log }, async (test, lost): Promise<RunResult> => {
      try {
        const name = await backups.testNewest(AbortSignal.any([stopping, lost]));
        await queries.restoreTestDone(db, test);
        log.info({ backup: name }, 'restore test');
        return undefined;
      } catch (error) {
        const isPostponed = isBusy(error) || stopping.aborted;
        await queries.restoreTestFailed(db, test, isPostponed);
        if (!isPostponed) throw error;
        return IDLE;
      } finally {
        events.announce();
      }
    });
  }

  /** Runs due work once. */
  async function runDue(stopping: AbortSignal = new AbortController().signal): Promise<RunResult> {
    const at = await now();
    const result = await backUpHour(newestFullHour(at, clock.timeZone), stopping);
    const tested = await testRestore(at, stopping);
    return result === IDLE ? tested : result;
  }

  return {
    runDue,
    job: defineJob({
      name: 'hourly-backup',
      schedule: {
        everyMs: CHECK_MS,
        async dueInMs() {
          const at = await now();
          const { scheduler_running: isOn } = await queries.findSchedule(db);
          return isOn ? nextFullHour(at, clock.timeZone).getTime() - at.getTime() : null;
        },
        async runNow(signal) {
          await createBackup(newestFullHour(await now(), clock.timeZone), signal);
          events.announce();
        },
      },
      run: runDue,
    }),
  };
}

const UNKNOWN = 'Something went wrong on the server; its log says what.';

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'BACKUP_BUSY';
