import type { Db, Tx } from '../db/database.ts';
import type { EventBus, Topic } from './event-bus.ts';

/** How long a value is cached without an invalidation. */
const TTL_MS = 5000;
const MAX_ENTRIES = 10_000;

/**
 * Caches values that every request reads and that rarely change: for at most 5 s, and until an instance publishes a
 * change on `topic`. A writer calls `changed` in its transaction. While messages cannot be received, every call reads
 * the database, and earlier values are not used afterwards.
 */
export function createInvalidatedCache<T>(
  eventBus: Pick<EventBus, 'on' | 'send' | 'isListening'>,
  topic: Topic,
  read: (db: Db | Tx, key: string) => Promise<T>,
) {
  const entries = new Map<string, { value: T; until: number }>();
  let changes = 0;
  const invalidate = (): void => {
    changes += 1;
    entries.clear();
  };
  eventBus.on(topic, invalidate);
  eventBus.on('restored', invalidate);
  eventBus.on('resumed', invalidate);

  return {
    /** Inside a transaction it reads the database, because uncommitted changes are not in the cache. */
    async get(db: Db | Tx, key: string): Promise<T> {
      if (db.isTransaction) return read(db, key);
      const entry = entries.get(key);
      if (entry && entry.until > performance.now() && eventBus.isListening()) return entry.value;
      const before = changes;
      const value = await read(db, key);
      // A value that was read during a change (perhaps of a missed message) may be older than the change.
      if (before === changes && eventBus.isListening()) {
        if (entries.size >= MAX_ENTRIES) entries.clear();
        entries.set(key, { value, until: performance.now() + TTL_MS });
      }
      return value;
    },

    /** Invalidates the caches of all instances after the commit; this instance does not wait for its own message. */
    async changed(ctx: { db: Db | Tx; afterCommit(task: () => void): void }): Promise<void> {
      await eventBus.send(ctx.db, topic, '');
      ctx.afterCommit(invalidate);
    },
  };
}
