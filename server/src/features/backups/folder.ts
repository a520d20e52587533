import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupName } from '@forecourt/contract/backups';
import { createDirectory, syncToDisk } from '../../platform/data-dir.ts';
import { isSpaceError } from '../../platform/disk-space.ts';
import { createFileFolder } from '../../platform/files/file-folder.ts';
import { AppError, folderError } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';

/** Prefixes of incomplete files. Files that begin with a dot are never listed. */
const PART = { made: '.part-', uploaded: '.upload-' };

/** An upload is abandoned if nothing was written to it for this long. */
const UPLOAD_IS_DEAD_MS = 3 * 3_600_000;

export type Folder = ReturnType<typeof createFolder>;

/** DATA_DIR/backups, which all instances share. A file gets its final name when it is complete. */
export function createFolder(dataDir: string) {
  const root = join(dataDir, 'backups');
  const pathOf = (name: string): string => join(root, BackupName.parse(name));

  /** Returns incomplete files of crashed processes. Must not run while a backup is being created. */
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

    /** The content of the files that backups name, once for all of them. */
    files: createFileFolder(join(root, 'files')),

    /** Returns the name of a new incomplete file. Creates the folder if necessary. */
    async partFor(origin: keyof typeof PART): Promise<string> {
      await createDirectory(root);
      return join(root, PART[origin] + newId());
    },

    /** Renames a complete file and flushes the rename to disk, so that it survives a power failure. */
    async publish(part: string, name: string): Promise<void> {
      await syncToDisk(part);
      await rename(part, pathOf(name));
      await syncToDisk(root);
    },

    discard: (path: string): Promise<void> => rm(path, { force: true }),

    async remove(name: string): Promise<void> {
      await rm(pathOf(name), { force: true });
    },

    /** Returns the bytes of a regular file; undefined if it does not exist or is a link. */
    sizeOf: async (name: string): Promise<number | undefined> =>
      lstat(pathOf(name)).then(
        (stats) => (stats.isFile() ? stats.size : undefined),
        () => undefined,
      ),

    async names(): Promise<string[]> {
      const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() && BackupName.safeParse(entry.name).success)
        .map(({ name }) => name);
    },

    hasParts: async (): Promise<boolean> => (await deadParts()).length > 0,

    /** Deletes incomplete files of crashed processes. Must not run while files are written. */
    async removeParts(): Promise<void> {
      for (const path of await deadParts()) await rm(path, { force: true });
    },
  };
}

const NO_FILE = 'The file of this backup is not on this server.';
export const noFileError = (): AppError => new AppError('NOT_FOUND', { message: NO_FILE });

// Neither follows links nor waits for the writer of a pipe. Systems other than Linux may lack a flag.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a file of the folder for reading. Throws NOT_FOUND when it does not exist or is not a regular file. */
export async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, READ_FLAGS).catch((error: NodeJS.ErrnoException) => {
    throw ['ENOENT', 'ELOOP', 'ENXIO'].includes(error.code ?? '') ? noFileError() : error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw noFileError();
}

/** Converts errors of a full disk to NO_SPACE, of an unusable folder to FOLDER_UNUSABLE; returns others unchanged. */
export const storageError = (error: unknown): unknown =>
  isSpaceError(error) ? new AppError('NO_SPACE') : (folderError(error) ?? error);
