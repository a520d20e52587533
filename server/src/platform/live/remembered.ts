import type { Db, Tx } from '../db/database.ts';
import type { Notices, Topic } from './notices.ts';

/** For how long what was read is believed, even where nobody says that it has changed. */
const BELIEVED_MS = 5000;
const MOST = 10_000;

/**
 * What is read with every call and hardly ever changes, kept in memory for at most 5 s and dropped at once when any
 * instance says that it changed something of its kind. Whoever changes it calls `changed` in the same transaction.
 * While notices cannot be heard everything is read anew, and nothing read until then is believed afterwards.
 */
export function createRemembered<T>(
  notices: Pick<Notices, 'on' | 'send' | 'areHeard'>,
  topic: Topic,
  read: (db: Db | Tx, key: string) => Promise<T>,
) {
  const known = new Map<string, { value: T; until: number }>();
  let changes = 0;
  const forget = (): void => {
    changes += 1;
    known.clear();
  };
  notices.on(topic, forget);
  notices.on('restored', forget);
  notices.on('resumed', forget);

  return {
    /** A transaction always reads: what it has changed itself nobody else knows yet. */
    async get(db: Db | Tx, key: string): Promise<T> {
      if (db.isTransaction) return read(db, key);
      const entry = known.get(key);
      if (entry && entry.until > performance.now() && notices.areHeard()) return entry.value;
      const before = changes;
      const value = await read(db, key);
      // What was read while something changed, or could have unheard, may be older than that.
      if (before === changes && notices.areHeard()) {
        if (known.size >= MOST) known.clear();
        known.set(key, { value, until: performance.now() + BELIEVED_MS });
      }
      return value;
    },

    /** Every instance reads anew once the transaction is committed; this one need not wait until it hears itself. */
    async changed(ctx: { db: Db | Tx; afterCommit(task: () => void): void }): Promise<void> {
      await notices.send(ctx.db, topic, '');
      ctx.afterCommit(forget);
    },
  };
}
