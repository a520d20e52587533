import { defaultRecord } from '@forecourt/contract/permission-defaults';
import type { UserPermissions } from '@forecourt/contract/permissions';
import { ApiError } from './api-error.ts';
import { errorCatalogue } from './error-catalogue.ts';

/** Cache time of a record, and maximum fetches per user in that time (docs/product/limits.md, Sign-in and sessions). */
const PERIOD_MS = 60_000;
const FETCHES = 5;

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A permission record without the records that a user owns or has a share of, which only the Permissions screen shows. */
export type OwnRecord = Omit<UserPermissions, 'resources'>;

type Ports = {
  /** Fetches a record. Rejects with an `ApiError`. */
  request: (userId: string) => Promise<OwnRecord>;
  /** Returns the time in milliseconds. */
  now: () => number;
};

type CachedRecord = { record: OwnRecord; at: number };

/**
 * Caches permission records by user for 60 s (docs/product/people-and-permissions.md, Permission record). Concurrent
 * requests for a user share one call; a user is fetched at most 5 times in 60 s. A 404 returns the defaults. Other
 * failures are thrown.
 */
export function createPermissionFetches({ request, now }: Ports) {
  const records = new Map<string, CachedRecord>();
  const inFlight = new Map<string, Promise<OwnRecord>>();
  const times = new Map<string, number[]>();

  /** Stores the newer record: a response may be older than a record received after its request was sent. */
  const store = (record: OwnRecord, at: number): OwnRecord => {
    const other = records.get(record.userId);
    if (other !== undefined && other.at > at) return other.record;
    records.set(record.userId, { record, at });
    return record;
  };

  async function fetch(userId: string): Promise<OwnRecord> {
    const at = now();
    const recent = (times.get(userId) ?? []).filter((time) => at - time < PERIOD_MS);
    if (recent.length >= FETCHES) throw refused(429, errorCatalogue.permissions.tooMany, 'TOO_MANY_REQUESTS');
    times.set(userId, [...recent, at]);
    try {
      return store(await request(userId), at);
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 404) return store(defaultsOf(userId), at);
      throw thrown;
    }
  }

  return {
    /** Returns a user's record. Rejects with INVALID_REQUEST for an invalid id, TOO_MANY_REQUESTS over the limit. */
    async get(userId: string): Promise<OwnRecord> {
      if (!ID.test(userId)) throw refused(400, errorCatalogue.permissions.invalidUser, 'INVALID_REQUEST');
      const cached = records.get(userId);
      if (cached !== undefined && now() - cached.at < PERIOD_MS) return cached.record;
      const call = inFlight.get(userId) ?? fetch(userId).finally(() => inFlight.delete(userId));
      inFlight.set(userId, call);
      return call;
    },

    /** Stores a record that was received without a request. */
    put: (record: OwnRecord): void => void store(record, now()),

    /** Clears the cached records, but not the counters of the rate limit. */
    clear: (): void => records.clear(),
  };
}

const refused = (...[status, message, code]: ConstructorParameters<typeof ApiError>): ApiError =>
  new ApiError(status, message, code, { message });

/** Permissions of a user without a stored record (docs/product/people-and-permissions.md, Default permissions). */
const defaultsOf = (userId: string): OwnRecord => ({
  ...defaultRecord,
  userId,
  role: 'user',
  version: 1,
});
