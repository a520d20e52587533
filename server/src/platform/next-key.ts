import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { folderFailure, syncToDisk } from './data-dir.ts';
import type { Connection } from './db/database.ts';
import { belongsTo } from './installation.ts';
import { createKey, createSecrets, KEY_FILE, readKey } from './secrets.ts';

/** The key of a rotation that has not ended. */
const NEXT_FILE = 'secret.key.next';

/** Returns the name of a former key in DATA_DIR. It has the key's id: a later rotation does not replace the file. */
export const formerFile = (key: Buffer): string => `secret.key.former-${createSecrets(key).keyId}`;

/** Returns the key of a rotation, durably stored in DATA_DIR; that of an interrupted rotation is used again. */
export async function createNextKey(dataDir: string): Promise<Buffer> {
  const key = await createKey(dataDir, NEXT_FILE);
  await syncToDisk(dataDir);
  return key;
}

/**
 * Ends a rotation that is complete in the database: stores the former key under its own name and replaces it by the next
 * one. Returns false when there is no such rotation. DATA_DIR has a key at any time, and two instances may do this at
 * once: what one has replaced, the other does not take for the former key.
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
