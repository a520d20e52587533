import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupName } from '@forecourt/contract/backups';
import { AppError } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';

/** Under such names a file is not whole yet. Nothing that begins with a dot is ever listed. */
const PART = { made: '.part-', uploaded: '.upload-' };

/** An upload that was written to last so long ago has no sender any more. */
const UPLOAD_IS_DEAD_MS = 3 * 3_600_000;

export type Folder = ReturnType<typeof createFolder>;

/** DATA_DIR/backups, which instances share. A file has its final name only once it is whole. */
export function createFolder(dataDir: string) {
  const root = join(dataDir, 'backups');
  const pathOf = (name: string): string => join(root, BackupName.parse(name));

  /** What nobody is writing any more, as far as nobody makes a backup just now. */
  async function deadParts(): Promise<string[]> {
    const dead: string[] = [];
    for (const name of await readdir(root).catch(() => [])) {
      const path = join(root, name);
      if (name.startsWith(PART.made)) dead.push(path);
      else if (name.startsWith(PART.uploaded)) {
        const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Infinity }))).mtimeMs;
        if (age > UPLOAD_IS_DEAD_MS) dead.push(path);
      }
    }
    return dead;
  }

  return {
    pathOf,

    /** A name for a file that is being written; the folder is made where it is missing. */
    async partFor(origin: keyof typeof PART): Promise<string> {
      await mkdir(root, { recursive: true, mode: 0o700 });
      return join(root, PART[origin] + newId());
    },

    /** Gives a whole file its name, for good: afterwards a power cut leaves it there. */
    async keep(part: string, name: string): Promise<void> {
      await syncFile(part);
      await rename(part, pathOf(name));
      await syncFile(root);
    },

    discard: (path: string): Promise<void> => rm(path, { force: true }),

    async remove(name: string): Promise<void> {
      await rm(pathOf(name), { force: true });
    },

    /** Bytes of a file, or undefined where it is not there. */
    sizeOf: async (name: string): Promise<number | undefined> =>
      stat(pathOf(name)).then(
        ({ size }) => size,
        () => undefined,
      ),

    /** The names of whole files. */
    async names(): Promise<string[]> {
      const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() && BackupName.safeParse(entry.name).success)
        .map(({ name }) => name);
    },

    hasParts: async (): Promise<boolean> => (await deadParts()).length > 0,

    /** Removes what was being written when its server died; only while nobody else writes. */
    async removeParts(): Promise<void> {
      for (const path of await deadParts()) await rm(path, { force: true });
    },
  };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** SHA-256 of a file as it lies there. */
export async function digestOf(path: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(piece as Buffer);
  return hash.digest();
}

/** A failure to write in the words of the product, where the disk is why. */
export function spaceError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // 53100 is PostgreSQL's own.
  return ['ENOSPC', 'EDQUOT', '53100'].includes(code ?? '') ? new AppError('NO_SPACE') : error;
}
