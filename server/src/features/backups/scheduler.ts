import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import type { CatalogueEntry, Engine } from './engine.ts';
import { expired, isNight, newestFullHour, newestVerified, nextFullHour } from './schedule.policy.ts';
import * as queries from './schedule.queries.ts';

/** How often each instance looks whether something is due, apart from the full hours. */
const LOOK_MS = 30_000;
/** An instance that is not heard of for so long has lost the hour to the next. */
const LEASE_SECONDS = 120;
const RENEW_MS = 30_000;
const BUSY_AGAIN_SECONDS = 20;
const FAILED_AGAIN_SECONDS = 300;
/** What was found whole so long ago is read again before anything older is deleted because of it. */
const TRUSTED_MS = 24 * 3_600_000;

type Parts = {
  db: Db;
  log: Log;
  clock: Pick<Clock, 'timeZone' | 'businessDate'>;
  engine: Engine;
  events: Pick<LiveEvents, 'announce'>;
  /** What time it is for everybody; the database's unless a test says otherwise. */
  now?: () => Promise<Date>;
};

/**
 * Makes a backup at every full hour, deletes automatic ones after 7 days and proves the newest one every night
 * (product.md section 10). PostgreSQL decides which instance does it, by its own clock; hours that were missed while
 * none ran are made up with one backup.
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
  let looking: Promise<void> = Promise.resolve();

  async function makeHour(hour: Date): Promise<void> {
    if (!(await queries.claimHour(db, hour, LEASE_SECONDS))) return;
    const renewing = setInterval(() => {
      queries.renewHour(db, LEASE_SECONDS).catch(() => {});
    }, RENEW_MS);
    try {
      const name = await engine.make('automatic', undefined, stopping.signal);
      log.info({ backup: name }, 'automatic backup');
      await queries.hourDone(db, hour);
      await clearAway();
    } catch (error) {
      await putOff(error);
    } finally {
      clearInterval(renewing);
      events.announce();
    }
  }

  async function putOff(error: unknown): Promise<void> {
    if (isBusy(error)) return queries.hourFailed(db, BUSY_AGAIN_SECONDS, undefined);
    log.error({ reason: (error as Error).message }, 'no automatic backup');
    const words = error instanceof AppError ? (error.details.details ?? error.message) : UNKNOWN;
    // Whoever stops leaves the hour to the next.
    return queries.hourFailed(db, stopping.signal.aborted ? 0 : FAILED_AGAIN_SECONDS, words);
  }

  /** Deletes what is too old, once the newest three were found whole again. */
  async function clearAway(): Promise<void> {
    const at = await now();
    if (expired(await engine.entries(), at).length === 0) return;
    const read = new Set<string>();
    const isDoubtful = ({ name, verifiedAt }: CatalogueEntry) =>
      !read.has(name) && at.getTime() - Date.parse(verifiedAt!) > TRUSTED_MS;
    for (;;) {
      // One that turns out to be damaged makes room for the next newest.
      const doubtful = newestVerified(await engine.entries()).find(isDoubtful);
      if (!doubtful) break;
      read.add(doubtful.name);
      await engine.verify(doubtful.name);
    }
    for (const name of expired(await engine.entries(), at)) {
      await engine.remove(name);
      log.info({ backup: name }, 'automatic backup deleted after 7 days');
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

  async function look(): Promise<void> {
    const at = await now();
    await makeHour(newestFullHour(at, clock.timeZone));
    await prove(at);
  }

  async function lookAndWait(): Promise<void> {
    await look().catch((error: Error) => log.warn({ reason: error.message }, 'backup scheduler'));
    if (stopping.signal.aborted) return;
    const at = await now().catch(() => new Date());
    const untilHour = nextFullHour(at, clock.timeZone).getTime() - at.getTime();
    timer = setTimeout(() => void (looking = lookAndWait()), Math.min(LOOK_MS, untilHour));
  }

  return {
    /** Does what is due now, once. */
    look,

    start(): void {
      looking = lookAndWait();
    },

    async stop(): Promise<void> {
      clearTimeout(timer);
      stopping.abort();
      await looking;
    },
  };
}

const UNKNOWN = 'Something went wrong on the server; its log says what.';

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'BACKUP_BUSY';
