import type { Db, Tx } from './database.ts';

/** Runs several reads on one snapshot: that of the caller's transaction, or of a new one that only reads. */
export const inSnapshot = <R>(db: Db | Tx, read: (tx: Tx) => Promise<R>): Promise<R> =>
  db.isTransaction
    ? read(db as Tx)
    : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
