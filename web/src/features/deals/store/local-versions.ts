import type { Deal } from '@forecourt/contract/deals';
import type { Origin } from '../deal-row.ts';

/** Number of versions that each origin adds. */
const STEPS = { made: 1, changed: 1, restored: 2 } as const;

/** Tracks the versions that requests of this page created. */
export function createLocalVersions() {
  const versions = new Map<string, number>();
  /** Versions of rows that were created here and changed by no other user. */
  const unshared = new Map<string, number>();
  const newest = ({ _id, version }: Pick<Deal, '_id' | 'version'>): number =>
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
    /** Returns the newest version that this page has written. A later one is another user's. */
    latest: (id: string): number | undefined => versions.get(id),
    /** Returns the version of a row that only this page has written; otherwise undefined. */
    latestUnshared: (id: string): number | undefined => unshared.get(id),
    /** Returns the newest known version of a row, regardless of its author. */
    newest,
    /** Returns the known versions by id, with which a call skips rows that have other versions. */
    knownById: (deals: readonly Deal[]): Record<string, number> =>
      Object.fromEntries(deals.map((deal) => [deal._id, newest(deal)])),
  };
}

export type LocalVersions = ReturnType<typeof createLocalVersions>;
