import type { FileFolder, FileRef } from '../../platform/files/file-folder.ts';
import { take } from './backup-files.ts';
import type { Folder } from './folder.ts';
import { ScriptError } from './script-reader.ts';
import { createRemoteFolder, getFile, joinRemote, listRemote, putFile, requireFolder } from './ssh-files.ts';
import type { SshSession } from './ssh-session.ts';

// Beside the copies of backups, the server has a folder `files` with the content of their files, once for all copies.

const groupOf = ({ digest }: FileRef): string => digest.toString('hex', 0, 1);
const nameOf = ({ digest }: FileRef): string => digest.toString('hex', 1);

const remoteFolder = (remotePath: string, ref: FileRef): string =>
  joinRemote(joinRemote(remotePath, 'files'), groupOf(ref));

/** Returns a function that looks a file up on the server, by its name and size. It lists each group once. */
function createLookUp(session: SshSession, remotePath: string) {
  const groups = new Map<string, Map<string, number>>();
  return async (ref: FileRef): Promise<boolean> => {
    let names = groups.get(groupOf(ref));
    if (!names) {
      names = await listRemote(session, remoteFolder(remotePath, ref));
      groups.set(groupOf(ref), names);
    }
    return names.get(nameOf(ref)) === ref.size;
  };
}

/** Uploads files that the server does not have yet. Throws SshFailure; a repetition continues. */
export async function putFiles(
  session: SshSession,
  remotePath: string,
  files: Iterable<FileRef>,
  from: FileFolder,
  signal: AbortSignal,
): Promise<void> {
  await requireFolder(session, remotePath);
  const isThere = createLookUp(session, remotePath);
  for (const ref of files) {
    signal.throwIfAborted();
    // The copy is as incomplete as the backup, whose row says so.
    if ((await isThere(ref)) || !(await from.has(ref))) continue;
    const folder = remoteFolder(remotePath, ref);
    await createRemoteFolder(session, folder);
    await putFile(session, folder, nameOf(ref), {
      path: from.pathOf(ref),
      sha256: ref.digest.toString('hex'),
    });
  }
}

/**
 * Stores the files of a fetched backup beside the backups, from the data folder or else from the server. Returns the
 * number of files that are in neither. Throws SshFailure or the error of the local disk; a repetition continues.
 */
export async function getFiles(
  session: SshSession,
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
    const part = await folder.partFor('uploaded');
    try {
      const file = { path: part, size: ref.size, sha256: ref.digest.toString('hex') };
      await getFile(session, paths, file, () => {}, signal);
      await folder.files.take(ref, part);
    } finally {
      await folder.discard(part);
    }
  }
  await folder.files.flush();
  return missing;
}

/** Throws ScriptError if the server lacks one of the files. */
export async function requireRemoteFiles(
  session: SshSession,
  remotePath: string,
  files: AsyncIterable<FileRef>,
): Promise<void> {
  const isThere = createLookUp(session, remotePath);
  for await (const ref of files) {
    if (await isThere(ref)) continue;
    throw new ScriptError(
      `A file that it names is missing on the SSH server (${ref.digest.toString('hex')}).`,
    );
  }
}
