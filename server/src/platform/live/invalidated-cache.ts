import type { Db, Tx } from '../db/database.ts';
import type { Notices, Topic } from './notices.ts';

/** How long a value is cached, without a notice that invalidates it. */
const TTL_MS = 5000;
const MAX_ENTRIES = 10_000;

/**
 * Caches values that are read with every request and rarely change: for at most 5 s, and until any instance publishes a
 * change on `topic`. A writer calls `changed` in the same transaction. While notices cannot be received every call
 * reads the database, and earlier values are not used afterwards.
 */
export function createInvalidatedCache<T>(
  notices: Pick<Notices, 'on' | 'send' | 'areHeard'>,
  topic: Topic,
  read: (db: Db | Tx, key: string) => Promise<T>,
) {
  const entries = new Map<string, { value: T; until: number }>();
  let changes = 0;
  const invalidate = (): void => {
    changes += 1;
    entries.clear();
  };
  notices.on(topic, invalidate);
  notices.on('restored', invalidate);
  notices.on('resumed', invalidate);

  return {
    /** Inside a transaction it always reads: uncommitted changes are not in the cache. */
    async get(db: Db | Tx, key: string): Promise<T> {
      if (db.isTransaction) return read(db, key);
      const entry = entries.get(key);
      if (entry && entry.until > performance.now() && notices.areHeard()) return entry.value;
      const before = changes;
      const value = await read(db, key);
      // A value read during a change, or during one that was missed, may be older than the change.
      if (before === changes && notices.areHeard()) {
        if (entries.size >= MAX_ENTRIES) entries.clear();
        entries.set(key, { value, until: performance.now() + TTL_MS });
      }
      return value;
    },

    /** Invalidates the cache of every instance once the transaction commits; this instance does not wait for its own notice. */
    async changed(ctx: { db: Db | Tx; afterCommit(task: () => void): void }): Promise<void> {
      await notices.send(ctx.db, topic, '');
      ctx.afterCommit(invalidate);
    },
  };
}
