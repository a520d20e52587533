import { BACKUP_RETENTION_DAYS } from '@forecourt/contract/backup-limits';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import type { CatalogueEntry, Engine } from './backup-engine.ts';
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
  engine: Engine;
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
  engine,
  events,
  now = () => queries.databaseTime(db),
}: Parts) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function makeHour(hour: Date): Promise<void> {
    if (!(await queries.claimHour(db, hour, LEASE_SECONDS))) return;
    const renewing = setInterval(() => {
      queries.renewHour(db, LEASE_SECONDS).catch(() => {});
    }, RENEW_MS);
    try {
      const name = await engine.make('automatic', undefined, stopping.signal);
      log.info({ backup: name }, 'automatic backup');
      await queries.hourDone(db, hour);
      await deleteExpired();
    } catch (error) {
      await postpone(error);
    } finally {
      clearInterval(renewing);
      events.announce();
    }
  }

  async function postpone(error: unknown): Promise<void> {
    if (isBusy(error)) return queries.hourFailed(db, BUSY_AGAIN_SECONDS, undefined);
    log.error({ reason: (error as Error).message }, 'no automatic backup');
    const message = error instanceof AppError ? (error.details.details ?? error.message) : UNKNOWN;
    // A stopping instance releases the hour to the next.
    return queries.hourFailed(db, stopping.signal.aborted ? 0 : FAILED_AGAIN_SECONDS, message);
  }

  /** Deletes expired backups, once the newest three are verified again. */
  async function deleteExpired(): Promise<void> {
    const at = await now();
    if (expired(await engine.entries(), at).length === 0) return;
    const read = new Set<string>();
    const needsVerification = ({ name, verifiedAt }: CatalogueEntry) =>
      !read.has(name) && at.getTime() - Date.parse(verifiedAt!) > VERIFICATION_MS;
    for (;;) {
      // A damaged one is replaced by the next newest.
      const unverified = newestVerified(await engine.entries()).find(needsVerification);
      if (!unverified) break;
      read.add(unverified.name);
      await engine.verify(unverified.name);
    }
    for (const name of expired(await engine.entries(), at)) {
      await engine.remove(name);
      log.info({ backup: name }, `automatic backup deleted after ${BACKUP_RETENTION_DAYS} days`);
    }
  }

  async function prove(at: Date): Promise<void> {
    if (!isNight(at, clock.timeZone) || !(await queries.claimDrill(db, clock.businessDate(at)))) return;
    try {
      const name = await engine.proveNewest(undefined, stopping.signal);
      log.info({ backup: name }, 'restore drill');
    } catch (error) {
      if (!isBusy(error) && !stopping.signal.aborted) throw error;
      await queries.releaseDrill(db);
    } finally {
      events.announce();
    }
  }

  async function runDue(): Promise<void> {
    const at = await now();
    await makeHour(newestFullHour(at, clock.timeZone));
    await prove(at);
  }

  async function runAndSchedule(): Promise<void> {
    await runDue().catch((error: Error) => log.warn({ reason: error.message }, 'backup scheduler'));
    if (stopping.signal.aborted) return;
    const at = await now().catch(() => new Date());
    const untilHour = nextFullHour(at, clock.timeZone).getTime() - at.getTime();
    timer = setTimeout(() => void (running = runAndSchedule()), Math.min(CHECK_MS, untilHour));
  }

  return {
    /** Runs due work once. */
    runDue,

    start(): void {
      running = runAndSchedule();
    },

    async stop(): Promise<void> {
      clearTimeout(timer);
      stopping.abort();
      await running;
    },
  };
}

const UNKNOWN = 'Something went wrong on the server; its log says what.';

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'BACKUP_BUSY';
