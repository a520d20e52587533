import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StartError } from '../../start-error.ts';

const prefix = 'forecourt-';

/** PostgreSQL accepts socket paths up to 107 bytes; prefix, random part and socket name take 31. */
const longestBase = 70;

/** Creates the private folder (0700) of the Unix socket, outside DATA_DIR, whose path may be too long. */
export async function makeSocketFolder(): Promise<string> {
  for (const base of [tmpdir(), '/tmp']) {
    if (Buffer.byteLength(base) > longestBase) continue;
    const folder = await mkdtemp(join(base, prefix)).catch(() => undefined);
    if (folder) return folder;
  }
  throw new StartError(
    'The database needs a folder for its socket: /tmp cannot be written (no permission, or full).',
  );
}

/** Removes a socket folder, also of a killed process; ignores folders without our prefix. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (basename(folder).startsWith(prefix)) await rm(folder, { recursive: true, force: true });
}
