import type { Deal } from '@forecourt/contract/deals';
import type { Origin } from '../deal-row.ts';

/** Number of versions that each of these adds. */
const STEPS = { made: 1, changed: 1, restored: 2 } as const;

/** Tracks the versions that rows have through requests of this page. */
export function createLocalVersions() {
  const versions = new Map<string, number>();
  /** Versions of rows that were created here and changed by no other user. */
  const unshared = new Map<string, number>();
  const known = ({ _id, version }: Pick<Deal, '_id' | 'version'>): number =>
    Math.max(version, versions.get(_id) ?? 0);
  return {
    record({ _id, version }: Pick<Deal, '_id' | 'version'>, origin: Origin): void {
      if (origin === 'others') return;
      versions.set(_id, version);
      // A repeated request whose first response was lost returns the row with later changes of others.
      const before = origin === 'made' ? 0 : unshared.get(_id);
      if (before === undefined || version > before + STEPS[origin]) unshared.delete(_id);
      else unshared.set(_id, version);
    },
    /** Returns the newest version written from here. A row with a later one was changed by another user. */
    latest: (id: string): number | undefined => versions.get(id),
    /** Returns the version of a row that only this page has written, else undefined. */
    latestUnshared: (id: string): number | undefined => unshared.get(id),
    /** Returns the newest known version of a row: another user's or one written from here. */
    known,
    /** Returns the known versions by id: a call with them skips rows with other versions by now. */
    knownById: (deals: readonly Deal[]): Record<string, number> =>
      Object.fromEntries(deals.map((deal) => [deal._id, known(deal)])),
  };
}

export type LocalVersions = ReturnType<typeof createLocalVersions>;
