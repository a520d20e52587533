import { permissionDefaults, sessionDefaults } from '@forecourt/contract/permission-defaults';
import type { UserPermissions } from '@forecourt/contract/permissions';
import { errorCatalogue } from '../texts/error-catalogue.ts';
import { ApiError } from './api-error.ts';

/** Limits of spec section 9: how long an answer holds, and how many fetches of one person fit into that time. */
const PERIOD_MS = 60_000;
const FETCHES = 5;

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Ports = {
  /** Asks the server. Rejects with an `ApiError`. */
  ask: (userId: string) => Promise<UserPermissions>;
  /** The time in milliseconds. */
  now: () => number;
};

type Known = { record: UserPermissions; at: number };

/**
 * Permission records by person (spec sections 4, 5 and 9): an answer holds for 60 s, those who want the same one
 * at once share a call, and a person is asked about at most 5 times in 60 s. Somebody whom the server does not
 * know has the defaults. Every other failure is the caller's.
 */
export function createPermissionFetches({ ask, now }: Ports) {
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<UserPermissions>>();
  const times = new Map<string, number[]>();

  /** Keeps what is newer: an answer to a question that was asked before the last news is older than that. */
  const keep = (record: UserPermissions, at: number): UserPermissions => {
    const other = known.get(record.userId);
    if (other !== undefined && other.at > at) return other.record;
    known.set(record.userId, { record, at });
    return record;
  };

  async function fetch(userId: string): Promise<UserPermissions> {
    const at = now();
    const recent = (times.get(userId) ?? []).filter((time) => at - time < PERIOD_MS);
    if (recent.length >= FETCHES) throw refused(429, errorCatalogue.permissions.tooMany, 'TOO_MANY_REQUESTS');
    times.set(userId, [...recent, at]);
    try {
      return keep(await ask(userId), at);
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 404) return keep(defaultsOf(userId), at);
      throw thrown;
    }
  }

  return {
    /** A person's record. Rejects with INVALID_REQUEST for an id that is none, TOO_MANY_REQUESTS over the limit. */
    async get(userId: string): Promise<UserPermissions> {
      if (!ID.test(userId)) throw refused(400, errorCatalogue.permissions.invalidUser, 'INVALID_REQUEST');
      const fresh = known.get(userId);
      if (fresh !== undefined && now() - fresh.at < PERIOD_MS) return fresh.record;
      const call = underWay.get(userId) ?? fetch(userId).finally(() => underWay.delete(userId));
      underWay.set(userId, call);
      return call;
    },

    /** Takes in news that came without asking. */
    put: (record: UserPermissions): void => void keep(record, now()),

    /** Forgets every record, but not how often it was asked. */
    clear: (): void => known.clear(),
  };
}

const refused = (...[status, message, code]: ConstructorParameters<typeof ApiError>): ApiError =>
  new ApiError(status, message, code, { message });

const none = { owned: [], canView: [], canEdit: [] };

/** What somebody has about whom nothing is stored (spec section 3). */
const defaultsOf = (userId: string): UserPermissions => ({
  ...permissionDefaults,
  dataEntry: {
    ...permissionDefaults.dataEntry,
    columnVisibility: {
      viewAllColumns: true,
      restrictedRows: [],
      restrictedDealerships: [],
      restrictedStatuses: [],
      dateRangeStart: null,
      dateRangeEnd: null,
      visibleColumns: [],
    },
  },
  ...sessionDefaults,
  userId,
  role: 'user',
  resources: {
    dealerships: none,
    emailTemplates: none,
    itemConfigurations: none,
    statusConfigurations: none,
  },
  version: 1,
});
