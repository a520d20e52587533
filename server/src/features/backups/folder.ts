import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupName } from '@forecourt/contract/backups';
import { createDirectory, syncToDisk } from '../../platform/data-dir.ts';
import { isSpaceError } from '../../platform/disk-space.ts';
import { createFileFolder, type FileFolder } from '../../platform/files/file-folder.ts';
import { AppError, folderError } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';

/** Prefixes of incomplete files. Files that begin with a dot are never listed. */
const PART = { made: '.part-', uploaded: '.upload-' };

export type Origin = keyof typeof PART;

export const isPart = (name: string): boolean => name.startsWith(PART.made) || name.startsWith(PART.uploaded);

/** An upload is abandoned if nothing was written to it for this long. */
export const UPLOAD_IS_DEAD_MS = 3 * 3_600_000;

/** A file that is being written, local and not listed. */
export type Part = {
  /** The path at which the caller creates the file. */
  path: string;
  /** Flushes the complete file to disk, and sends it to a bucket. `file`: its size and SHA-256. */
  complete(file: { size: number; file_sha256: Buffer }): Promise<void>;
  /** Gives the complete file its name, at the end of the transaction that lists it, which `allowIdle` prepared. */
  publish(name: string): Promise<void>;
  /** Removes the file unless it is published. Never throws for a bucket, where the rest is removed later. */
  discard(): Promise<void>;
};

/** A local file for reading, until it is disposed of. */
export type LocalFile = AsyncDisposable & { path: string };

/** The files of backups, which all instances share. A file gets its final name when it is complete. */
export type Folder = {
  /** The content of the files that backups name, once for all of them. */
  files: FileFolder;
  /** Returns a new incomplete file. */
  createPart(origin: Origin): Promise<Part>;
  /**
   * Returns the file of a backup. If it is in a bucket, this is a temporary copy, which has only the first bytes if
   * `maxBytes` is given. Throws NOT_FOUND.
   */
  local(name: string, options?: { signal?: AbortSignal | undefined; maxBytes?: number }): Promise<LocalFile>;
  remove(name: string): Promise<void>;
  /** Returns the bytes of a regular file; undefined if it does not exist or is a link. */
  sizeOf(name: string): Promise<number | undefined>;
  names(): Promise<string[]>;
  hasParts(): Promise<boolean>;
  /** Deletes incomplete files of crashed processes. Must not run while files are written. */
  removeParts(): Promise<void>;
};

/** Creates a path for an incomplete file in a local folder. */
export async function createPartPath(root: string, origin: Origin): Promise<string> {
  await createDirectory(root);
  return join(root, PART[origin] + newId());
}

/** Returns incomplete files of crashed processes. Must not run while a backup is being created. */
export async function deadParts(root: string): Promise<string[]> {
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

/** DATA_DIR/backups. */
export function createFolder(dataDir: string): Folder {
  const root = join(dataDir, 'backups');
  const pathOf = (name: string): string => join(root, BackupName.parse(name));

  return {
    files: createFileFolder(join(root, 'files')),

    async createPart(origin) {
      const path = await createPartPath(root, origin);
      return {
        path,
        complete: () => syncToDisk(path),
        async publish(name) {
          await rename(path, pathOf(name));
          // So that the new name survives a power failure.
          await syncToDisk(root);
        },
        discard: () => rm(path, { force: true }),
      };
    },

    local: async (name) => ({ path: pathOf(name), async [Symbol.asyncDispose]() {} }),

    async remove(name) {
      await rm(pathOf(name), { force: true });
    },

    sizeOf: async (name) =>
      lstat(pathOf(name)).then(
        (stats) => (stats.isFile() ? stats.size : undefined),
        () => undefined,
      ),

    async names() {
      const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isFile() && BackupName.safeParse(entry.name).success)
        .map(({ name }) => name);
    },

    hasParts: async () => (await deadParts(root)).length > 0,

    async removeParts() {
      for (const path of await deadParts(root)) await rm(path, { force: true });
    },
  };
}

const NO_FILE = 'The file of this backup is not on this server.';
export const noFileError = (): AppError => new AppError('NOT_FOUND', { message: NO_FILE });

// An open with these flags neither follows links nor waits for the writer of a pipe. Systems other than Linux may lack
// a flag.
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
