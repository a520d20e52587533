import type { Db, Tx } from '../db/database.ts';
import type { EventBus, Topic } from './event-bus.ts';

/** How long a value is cached, without a message that invalidates it. */
const TTL_MS = 5000;
const MAX_ENTRIES = 10_000;

/**
 * Caches values that are read with every request and rarely change: for at most 5 s, and until any instance publishes a
 * change on `topic`. A writer calls `changed` in the same transaction. While messages cannot be received every call
 * reads the database, and earlier values are not used afterwards.
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
    /** Inside a transaction it always reads: uncommitted changes are not in the cache. */
    async get(db: Db | Tx, key: string): Promise<T> {
      if (db.isTransaction) return read(db, key);
      const entry = entries.get(key);
      if (entry && entry.until > performance.now() && eventBus.isListening()) return entry.value;
      const before = changes;
      const value = await read(db, key);
      // A value read during a change, or during one that was missed, may be older than the change.
      if (before === changes && eventBus.isListening()) {
        if (entries.size >= MAX_ENTRIES) entries.clear();
        entries.set(key, { value, until: performance.now() + TTL_MS });
      }
      return value;
    },

    /** Invalidates the cache of every instance once the transaction commits; this instance does not wait for its own message. */
    async changed(ctx: { db: Db | Tx; afterCommit(task: () => void): void }): Promise<void> {
      await eventBus.send(ctx.db, topic, '');
      ctx.afterCommit(invalidate);
    },
  };
}
