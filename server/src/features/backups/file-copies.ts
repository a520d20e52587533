import type { FileFolder, FileRef } from '../../platform/files/file-folder.ts';
import { take } from './backup-files.ts';
import { joinRemote, type CopySession } from './copy-destination.ts';
import type { Folder } from './folder.ts';
import { ScriptError } from './script-reader.ts';

// Beside the copies of backups, a destination has a folder `files` with the content of their files, once for all copies.

const groupOf = ({ digest }: FileRef): string => digest.toString('hex', 0, 1);
const nameOf = ({ digest }: FileRef): string => digest.toString('hex', 1);

const remoteFolder = (remotePath: string, ref: FileRef): string =>
  joinRemote(joinRemote(remotePath, 'files'), groupOf(ref));

/** Returns a function that looks a file up at the destination, by its name and size. It lists each group once. */
function createLookUp(session: CopySession, remotePath: string) {
  const groups = new Map<string, Map<string, number>>();
  return async (ref: FileRef): Promise<boolean> => {
    let names = groups.get(groupOf(ref));
    if (!names) {
      names = await session.list(remoteFolder(remotePath, ref));
      groups.set(groupOf(ref), names);
    }
    return names.get(nameOf(ref)) === ref.size;
  };
}

/** Sends files that the destination does not have yet. Throws CopyFailure; a repetition continues. */
export async function sendFiles(
  session: CopySession,
  remotePath: string,
  files: Iterable<FileRef>,
  from: FileFolder,
  signal: AbortSignal,
): Promise<void> {
  const isThere = createLookUp(session, remotePath);
  for (const ref of files) {
    signal.throwIfAborted();
    // The copy is as incomplete as the backup, whose row says so.
    if ((await isThere(ref)) || !(await from.has(ref))) continue;
    const sha256 = ref.digest.toString('hex');
    await from.withPath(ref, (path) =>
      session.send(remoteFolder(remotePath, ref), nameOf(ref), { path, sha256 }),
    );
  }
}

/**
 * Stores the files of a fetched backup beside the backups, from the data folder or else from the destination. Returns
 * the number of files that are in neither. Throws CopyFailure or the error of the local disk; a repetition continues.
 */
export async function fetchFiles(
  session: CopySession,
  remotePaths: readonly string[],
  list: Iterable<FileRef>,
  { folder, files }: { folder: Folder; files: FileFolder },
  signal: AbortSignal,
): Promise<number> {
  const places = remotePaths.map((path) => ({ path, isThere: createLookUp(session, path) }));
  let missing = 0;
  for (const ref of list) {
    if (await take(folder.files, ref, files)) continue;
    const paths: string[] = [];
    for (const { path, isThere } of places)
      if (await isThere(ref)) paths.push(joinRemote(remoteFolder(path, ref), nameOf(ref)));
    // The rest of the backup can still be restored.
    if (paths.length === 0) {
      missing += 1;
      continue;
    }
    const part = await folder.createPart('uploaded');
    try {
      const file = { path: part.path, size: ref.size, sha256: ref.digest.toString('hex') };
      await session.fetch(paths, file, undefined, signal);
      await folder.files.take(ref, part.path);
    } finally {
      await part.discard();
    }
  }
  await folder.files.flush();
  return missing;
}

/** Throws ScriptError if the destination lacks one of the files. */
export async function requireRemoteFiles(
  session: CopySession,
  remotePath: string,
  files: AsyncIterable<FileRef>,
): Promise<void> {
  const isThere = createLookUp(session, remotePath);
  for await (const ref of files) {
    if (await isThere(ref)) continue;
    throw new ScriptError(`A file that it names is missing beside its copy (${ref.digest.toString('hex')}).`);
  }
}
