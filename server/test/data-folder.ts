import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** More than the size of the databases of all parallel files with their log. */
const ENOUGH_BYTES = 2 ** 31;

/**
 * Creates a folder for the data of a PostgreSQL, in memory if the system has a folder there with enough space. A new
 * database has 300 files, and ext4 searches the inode of each among recently deleted ones: a quarter of a second for each
 * test file and each app.
 */
export async function makeDataFolder(prefix: string): Promise<string> {
  const memory = '/dev/shm';
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(free > ENOUGH_BYTES ? memory : tmpdir(), prefix));
}
