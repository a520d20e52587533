import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StartError } from '../../start-error.ts';

const prefix = 'forecourt-';

/** PostgreSQL refuses socket paths over 107 bytes; prefix, random part and socket name take 31. */
const longestBase = 70;

/** Makes the private folder (0700) of the Unix socket, outside DATA_DIR because that may have a long path. */
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

/** Removes a socket folder, also one that a killed predecessor left; anything that is not ours stays. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (basename(folder).startsWith(prefix)) await rm(folder, { recursive: true, force: true });
}
