import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { folderFailure, syncToDisk } from './data-dir.ts';
import type { Connection } from './db/database.ts';
import { belongsTo } from './installation.ts';
import { createKey, createSecrets, KEY_FILE, readKey } from './secrets.ts';

/** File name of the new key during a rotation. */
const NEXT_FILE = 'secret.key.next';

/** Returns the file name of a former key. It contains the key's id, so that a later rotation does not replace it. */
export const formerFile = (key: Buffer): string => `secret.key.former-${createSecrets(key).keyId}`;

/** Returns the new key of a rotation, stored in DATA_DIR; an interrupted rotation uses the same key again. */
export async function createNextKey(dataDir: string): Promise<Buffer> {
  const key = await createKey(dataDir, NEXT_FILE);
  await syncToDisk(dataDir);
  return key;
}

/**
 * Ends a rotation that the database has completed: renames the former key and moves the new key into its place. Returns
 * false if there is no such rotation. DATA_DIR has a key at any time, and two instances may run this concurrently.
 */
export async function finishRotation(
  connection: Connection,
  dataDir: string,
  onStep: (step: 'former') => void = () => {},
): Promise<boolean> {
  const next = await readKey(dataDir, NEXT_FILE);
  if (!next || !(await belongsTo(connection, next))) return false;
  const current = await readKey(dataDir, KEY_FILE);
  if (current && !current.equals(next)) await createKey(dataDir, formerFile(current), current);
  onStep('former');
  try {
    await rename(join(dataDir, NEXT_FILE), join(dataDir, KEY_FILE));
    await syncToDisk(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw folderFailure(error, dataDir);
  }
  return true;
}
