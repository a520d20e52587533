import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../start-error.ts';

const REASONS: Record<number, string> = {
  5: 'another Forecourt is running on it',
  8: 'this user has no permission there',
  13: 'the disk is full',
  14: 'this user has no permission there',
};

/**
 * Locks the folder and returns the function that unlocks it. SQLite is used only for its file lock: the kernel releases
 * it when the process ends for any reason, and it works across containers. Waits two seconds for a process that is just
 * stopping. Throws a `StartError`.
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
    const reason = REASONS[code & 0xff];
    if (!reason) throw error;
    throw new StartError(`The data folder ${folder} cannot be used: ${reason}.`);
  }
}
