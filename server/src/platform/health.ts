import { errorCodes } from '@forecourt/contract/errors';
import { sql } from 'kysely';
import type { Database, Db } from './db/database.ts';
import type { ReleaseWatch } from './db/newer-release.ts';
import { isDiskFull, isSpaceError, probeDatabaseDisk } from './disk-space.ts';
import { READ_ONLY, REPLACED, STALLED, unavailable, type AppError, type Diagnosis } from './http/errors.ts';
import { withTimeout } from './with-timeout.ts';

/** The result of a check is cached for this long, because the route is public. */
const FRESH_MS = 1000;
/** A check that takes longer has failed. */
const PROBE_MS = 5000;

type Parts = Pick<Database, 'db' | 'stall'> & {
  releases: Pick<ReleaseWatch, 'check'>;
  /** The folder of the database's files; undefined if they are on another machine. */
  databaseFolder: string | undefined;
};

/** Checks whether requests can be served now. */
export function createHealth({ db, stall, releases, databaseFolder }: Parts): Diagnosis & {
  /** Throws UNAVAILABLE with the reason if requests cannot be served. */
  assertServing(): Promise<void>;
} {
  let cached: { failure: Promise<AppError | undefined>; until: number } | undefined;
  /** Whether PostgreSQL reported a full disk and no probe has succeeded since. */
  let wasFull = false;

  const isFull = async (): Promise<boolean> =>
    databaseFolder !== undefined && (await isDiskFull(databaseFolder));

  async function probe(): Promise<string | undefined> {
    if (wasFull) await probeDatabaseDisk(db);
    wasFull = false;
    if (await releases.check()) return REPLACED;
    return (await isReadOnly(db)) ? READ_ONLY : undefined;
  }

  async function findFailure(): Promise<AppError | undefined> {
    if (await isFull()) return unavailable(errorCodes.NO_SPACE.message);
    const stalled = stall();
    if (stalled) return unavailable(STALLED[stalled]);
    try {
      const reason = await withTimeout(PROBE_MS, probe(), () => STALLED.silent);
      return reason === undefined ? undefined : unavailable(reason);
    } catch (error) {
      return unavailable(errorCodes[isSpaceError(error) ? 'NO_SPACE' : 'UNAVAILABLE'].message);
    }
  }

  return {
    async assertServing() {
      if (!cached || cached.until < performance.now())
        cached = { failure: findFailure(), until: performance.now() + FRESH_MS };
      const failure = await cached.failure;
      if (failure) throw failure;
    },

    async isCausedByFullDisk(error, isConnectionLost) {
      if (isSpaceError(error)) {
        wasFull = true;
        cached = undefined;
        return true;
      }
      return isConnectionLost && isFull();
    },

    isReplaced: () => releases.check().catch(() => false),
  };
}

/** Whether the server refuses writes: it is a standby, or read-only for every transaction. */
async function isReadOnly(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isReadOnly: boolean }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly"`.execute(db);
  return rows[0]!.isReadOnly;
}
