import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../start-error.ts';

const codes: Record<number, string> = {
  5: 'another Forecourt is running on it',
  8: 'this user has no permission there',
  13: 'the disk is full',
  14: 'this user has no permission there',
};

/**
 * Takes the lock that says 'in use' and answers the function that gives it back. SQLite is used for nothing but
 * its file lock: the kernel drops it when the process ends, however it ends, and it holds across containers.
 * The two seconds of patience are for a predecessor that is just ending. Refuses with a `StartError`.
 */
export function lockFolder(folder: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, 'postgres.lock'), { timeout: 2000 });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => database?.close();
  } catch (error) {
    database?.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
    const reason = codes[code & 0xff];
    if (!reason) throw error;
    throw new StartError(`The data folder ${folder} cannot be used: ${reason}.`);
  }
}
