import { errorCodes } from '@forecourt/contract/errors';
import { sql } from 'kysely';
import type { Db } from './db/database.ts';
import { isDiskFull, isSpaceError, probeDatabaseDisk } from './disk-space.ts';
import { AppError, type SpaceCheck } from './http/errors.ts';

/** The route is public, so the result of a check is cached for this long. */
const FRESH_MS = 1000;

/**
 * Checks whether requests can be served now.
 * @param databaseFolder the folder of the database's files; undefined when they are not on this machine
 */
export function createHealth(
  db: Db,
  databaseFolder: string | undefined,
): SpaceCheck & {
  /** Throws UNAVAILABLE with the reason while requests cannot be served. */
  assertServing(): Promise<void>;
} {
  let cached: { failure: Promise<AppError | undefined>; until: number } | undefined;
  /** PostgreSQL reported a full disk, and no probe has succeeded since. */
  let wasFull = false;

  const isFull = async (): Promise<boolean> =>
    databaseFolder !== undefined && (await isDiskFull(databaseFolder));

  async function findFailure(): Promise<AppError | undefined> {
    const unavailable = (message?: string): AppError =>
      new AppError('UNAVAILABLE', { retryAfterSeconds: 2, ...(message && { message }) });
    if (await isFull()) return unavailable(errorCodes.NO_SPACE.message);
    try {
      await (wasFull ? probeDatabaseDisk(db) : sql`select 1`.execute(db));
      wasFull = false;
      return undefined;
    } catch (error) {
      return unavailable(isSpaceError(error) ? errorCodes.NO_SPACE.message : undefined);
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
  };
}
