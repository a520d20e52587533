import { BACKUP_RETENTION_DAYS } from '@forecourt/contract/backup-limits';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { defineJob, IDLE, type RunResult } from '../../platform/define-job.ts';
import { AppError } from '../../platform/http/errors.ts';
import { withLease } from '../../platform/jobs/with-lease.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import type { BackupRow } from './backups.queries.ts';
import type { BackupStore } from './backups.service.ts';
import { expired, isNight, newestFullHour, newestVerified, nextFullHour } from './schedule.policy.ts';
import * as queries from './schedule.queries.ts';

/** The interval of checks for due work between the full hours. */
const CHECK_MS = 30_000;
/** An instance loses its claim of an hour if it does not renew the lease for this long. */
const LEASE_SECONDS = 120;
const RENEW_MS = 30_000;
const BUSY_AGAIN_SECONDS = 20;
const FAILED_AGAIN_SECONDS = 300;
/** Before older backups are deleted, a verification of the newest ones must not be older than this. */
const VERIFICATION_MS = 24 * 3_600_000;

type Parts = {
  db: Db;
  log: Log;
  clock: Pick<Clock, 'timeZone' | 'businessDate'>;
  backups: BackupStore;
  events: Pick<LiveEvents, 'announce'>;
  /** Returns the current time; tests replace the database's clock. */
  now?: () => Promise<Date>;
};

/**
 * Creates a backup every full hour, deletes automatic backups after 7 days, and tests the newest one every night by a
 * restore (docs/product/backups.md, Schedule). Instances coordinate by leases in PostgreSQL and its clock. Hours missed
 * while no instance ran are made up by one backup.
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
    // When the instance stops, another one may create it at once, and nothing has failed.
    if (isStopping) {
      await queries.failHour(db, 0, undefined);
      return IDLE;
    }
    log.error({ reason: (error as Error).message }, 'no automatic backup');
    const message = reasonOf(error);
    await queries.failHour(db, FAILED_AGAIN_SECONDS, message);
    return new Error(message);
  }

  /** Verifies the newest three backups again before it deletes expired ones. */
  async function deleteExpired(): Promise<void> {
    const at = await now();
    if (expired(await backups.list(), at).length === 0) return;
    const read = new Set<string>();
    const needsVerification = ({ name, verified_at }: BackupRow) =>
      !read.has(name) && at.getTime() - Date.parse(verified_at!) > VERIFICATION_MS;
    for (;;) {
      // If a backup is damaged, the next newest is verified instead.
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
        const tested = (await backups.list()).find((backup) => backup.name === name);
        await queries.restoreTestDone(db, test, tested?.problem ?? null);
        log.info({ backup: name }, 'restore test');
        return undefined;
      } catch (error) {
        const isPostponed = isBusy(error) || stopping.aborted;
        await queries.restoreTestFailed(db, test, isPostponed ? undefined : reasonOf(error));
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
    await queries.recordInterrupted(db, clock.timeZone);
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

const reasonOf = (error: unknown): string => (error instanceof AppError ? error.reason : UNKNOWN);

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'BACKUP_BUSY';
