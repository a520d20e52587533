import { chmod, link, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from './ids.ts';
import { StartError } from './start-error.ts';

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user has no permission there',
  EPERM: 'this user has no permission there',
  EROFS: 'that disk is read-only',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
  EISDIR: 'a folder is in the way',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reports an error',
};

/** Reasons for which a folder that was usable at the start can become unusable. */
const LATER = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO', 'ENOTDIR', 'ELOOP']);

/** Returns why a file could not be read or written; undefined for other errors, such as connection errors. */
export function unusableReason(error: unknown): string | undefined {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && syscall !== 'connect' && LATER.has(code) ? REASONS[code] : undefined;
}

/** Returns a `StartError` if a data folder cannot be created, read or written; returns other errors unchanged. */
export function folderFailure(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  return reason ? new StartError(`The data folder ${folder} cannot be used: ${reason}.`) : error;
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Not `mkdir` with `recursive`, which never returns if a parent exists but accepts no children, such as `/proc` or a
 * link to a disk that is not mounted.
 */
export async function createDirectory(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    if (await isFolder(parent)) {
      throw new StartError(`The data folder ${folder} cannot be used: no folder can be made in ${parent}.`);
    }
    await createDirectory(parent);
    await createDirectory(folder);
  }
}

/** Creates DATA_DIR if necessary. Throws a `StartError` if it is not writable. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.probe.${newId()}`);
  try {
    await createDirectory(dataDir);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw folderFailure(error, dataDir);
  }
}

/** Error codes of file systems without hard links, such as mounted object and file stores. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Creates a file of DATA_DIR for this user alone, unless it exists. It is written under a temporary name and linked
 * into place, so that concurrent first starts use the same file and a crash leaves no partial one. Without hard links
 * it is written in place. Throws a `StartError`.
 */
export async function createFile(dataDir: string, name: string, text: string): Promise<void> {
  const draft = join(dataDir, `.${name}.${newId()}`);
  const file = join(dataDir, name);
  const write = async (path: string) => {
    await writeFile(path, text, { mode: 0o600, flush: true, flag: 'wx' });
    await chmod(path, 0o600);
  };
  try {
    await write(draft);
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.has(error.code ?? '')) throw error;
      return write(file);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw folderFailure(error, dataDir);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Flushes a file, or the entries of a folder, to disk. On Windows a read-only handle cannot be flushed. */
export async function syncToDisk(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(path);
  await handle.sync();
}
