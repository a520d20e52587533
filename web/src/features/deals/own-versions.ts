import type { Deal } from '@forecourt/contract/deals';

/** How a row came to what it is now: made here, changed, deleted and brought back from here, or as others have it. */
export type Origin = 'made' | 'changed' | 'restored' | 'others';

/** Versions that each of these makes. */
const STEPS = { made: 1, changed: 1, restored: 2 } as const;

/** The versions that rows have by what was sent from here. */
export function createOwnVersions() {
  const latest = new Map<string, number>();
  /** Of rows that were made here and that nobody else has touched. */
  const alone = new Map<string, number>();
  return {
    answered({ _id, version }: Pick<Deal, '_id' | 'version'>, origin: Origin): void {
      if (origin === 'others') return;
      latest.set(_id, version);
      // A row that is sent again after its answer was lost is answered as others have made it since.
      const before = origin === 'made' ? 0 : alone.get(_id);
      if (before === undefined || version > before + STEPS[origin]) alone.delete(_id);
      else alone.set(_id, version);
    },
    /** A row with a later one was changed by somebody else. */
    of: (id: string): number | undefined => latest.get(id),
    /** The version of a row that is nobody's work but what was done here. */
    ofOwnRow: (id: string): number | undefined => alone.get(id),
  };
}
