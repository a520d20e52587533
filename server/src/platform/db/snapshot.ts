import type { Db, Tx } from './database.ts';

/** Runs several reads on one snapshot: in the caller's transaction, or in a new read-only one. */
export const inSnapshot = <R>(db: Db | Tx, read: (tx: Tx) => Promise<R>): Promise<R> =>
  db.isTransaction
    ? read(db as Tx)
    : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
