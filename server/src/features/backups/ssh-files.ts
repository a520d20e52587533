import { createHash, randomBytes } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Stats } from 'ssh2';
import { inParallel } from '../../platform/in-parallel.ts';
import { joinRemote, type CopySession, type LocalFile } from './copy-destination.ts';
import { openFile } from './folder.ts';
import { digestOf as digestOfLocal } from './read-backup.ts';
import { failedAt, SSH_MESSAGES, SshFailure, type CopyStep } from './ssh-failure.ts';
import type { SshSession } from './ssh-session.ts';

/** Maximum bytes of a request that every SFTP server accepts. */
const CHUNK = 32 * 1024;
/** Number of concurrent requests, to hide the latency of a distant server. */
const CONCURRENCY = 32;

const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;

export const createSshCopySession = (session: SshSession): CopySession => ({
  requireFolder: (folder) => requireFolder(session, folder),
  list: (folder) => listRemote(session, folder),
  async send(folder, name, file) {
    await createRemoteFolder(session, folder);
    await putFile(session, folder, name, file);
  },
  fetch: (paths, file, onProgress, signal) => getFile(session, paths, file, onProgress, signal),
  [Symbol.dispose]: () => session[Symbol.dispose](),
});

/**
 * Uploads a file into a folder of the server. Its name appears only when it is complete: the file is written under a
 * temporary name, flushed if the server supports it, read back, compared by size and SHA-256, and renamed. An existing
 * file with the same content counts as uploaded; one with different content is never replaced. Leftovers of earlier
 * attempts are removed. Throws SshFailure.
 */
export async function putFile(
  session: SshSession,
  folder: string,
  name: string,
  file: LocalFile,
): Promise<void> {
  await requireFolder(session, folder);
  await using local = await openFile(file.path);
  // The file on disk must still be the listed one.
  if ((await digestOfLocal(local)).toString('hex') !== file.sha256)
    throw new SshFailure('write', SSH_MESSAGES.changed);
  const target = joinRemote(folder, name);
  if (await isThere(session, target, file.sha256, local)) return;
  await removeLeftovers(session, folder, name);
  const draft = joinRemote(folder, `${draftPrefix(name)}${randomBytes(6).toString('hex')}.part`);
  try {
    await write(session, draft, local);
    if ((await digestOf(session, draft)) !== file.sha256) throw new SshFailure('write', SSH_MESSAGES.altered);
    await rename(session, draft, target);
  } catch (error) {
    await remove(session, draft).catch(() => {});
    throw error;
  }
}

/**
 * Downloads the first of `paths` that exists on the server into a new local file. Compares size and SHA-256 of the
 * written file; a file of another size is not downloaded. Throws SshFailure or the error of the local disk; the caller
 * then removes the file.
 * @param onProgress called with the number of bytes received so far
 */
export async function getFile(
  session: SshSession,
  paths: readonly string[],
  file: LocalFile & { size: number },
  onProgress: (received: number) => void = () => {},
  signal?: AbortSignal,
): Promise<void> {
  const { path, stats } = await findFile(session, paths);
  if (!stats.isFile() || stats.size !== file.size)
    throw new SshFailure('read', SSH_MESSAGES.notTheCopy(path));
  await using local = await open(file.path, 'wx+', 0o600);
  let received = 0;
  for await (const chunk of readAhead(session, path, file.size, notRead)) {
    await local.writeFile(chunk);
    onProgress((received += chunk.length));
  }
  await local.sync();
  if ((await digestOfLocal(local, signal)).toString('hex') !== file.sha256)
    throw new SshFailure('read', SSH_MESSAGES.notTheCopy(path));
}

/** Creates a folder and its parents if necessary. Returns whether it did. Throws SshFailure. */
export async function createRemoteFolder(session: SshSession, folder: string): Promise<boolean> {
  if (await statOf(session, folder)) return requireFolder(session, folder).then(() => false);
  const parent = folder.replace(/\/+$/, '').replace(/\/?[^/]*$/, '');
  if (parent !== '') await createRemoteFolder(session, parent);
  await session
    .request((sftp, done) => sftp.mkdir(folder, done))
    .catch(asFailure('folder', SSH_MESSAGES.noFolderRight));
  return true;
}

/** Writes a small file and deletes it. Throws SshFailure. */
export async function checkWritable(session: SshSession, folder: string): Promise<void> {
  const path = joinRemote(folder, `.forecourt-test-${randomBytes(6).toString('hex')}`);
  const handle = await create(session, path);
  const message = Buffer.from('Forecourt was here.\n');
  try {
    await writeAt(session, handle, message, 0);
    await close(session, handle);
  } finally {
    await remove(session, path).catch(asFailure('write'));
  }
}

async function requireFolder(session: SshSession, folder: string): Promise<void> {
  const stats = await statOf(session, folder);
  if (!stats?.isDirectory()) throw new SshFailure('folder', SSH_MESSAGES.noFolder);
}

async function isThere(
  session: SshSession,
  path: string,
  sha256: string,
  local: FileHandle,
): Promise<boolean> {
  const stats = await statOf(session, path);
  if (!stats) return false;
  const { size } = await local.stat();
  if (stats.size === size && (await digestOf(session, path)) === sha256) return true;
  throw new SshFailure('write', SSH_MESSAGES.taken);
}

async function write(session: SshSession, path: string, local: FileHandle): Promise<void> {
  const { size } = await local.stat();
  const handle = await create(session, path);
  await inParallel(size, { chunk: CHUNK, concurrency: CONCURRENCY }, async (position, length) =>
    writeAt(session, handle, await readLocal(local, position, length), position),
  );
  await flush(session, handle);
  await close(session, handle);
}

async function readLocal(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  // The file was truncated during the upload. Without this check only the final comparison would fail.
  if (bytesRead < length) throw new SshFailure('write', SSH_MESSAGES.altered);
  return buffer;
}

/** Returns the SHA-256 of a file on the server in lower-case hex. */
async function digestOf(session: SshSession, path: string): Promise<string> {
  const { size } = (await statOf(session, path)) ?? { size: 0 };
  const hash = createHash('sha256');
  for await (const chunk of readAhead(session, path, size, asFailure('write', SSH_MESSAGES.altered)))
    hash.update(chunk);
  return hash.digest('hex');
}

/** Yields the first `size` bytes of a file on the server in order, with several concurrent requests. */
async function* readAhead(
  session: SshSession,
  path: string,
  size: number,
  onError: (error: unknown) => never,
): AsyncGenerator<Buffer> {
  const handle = await session.request<Buffer>((sftp, done) => sftp.open(path, 'r', done)).catch(onError);
  const ahead: Promise<Buffer>[] = [];
  const read = (position: number) => {
    const chunk = readAt(session, handle, position, Math.min(CHUNK, size - position)).catch(onError);
    chunk.catch(() => {});
    ahead.push(chunk);
  };
  let requested = 0;
  for (; requested < size && ahead.length < CONCURRENCY; requested += CHUNK) read(requested);
  for (let chunk = ahead.shift(); chunk; chunk = ahead.shift()) {
    yield await chunk;
    if (requested < size) {
      read(requested);
      requested += CHUNK;
    }
  }
  await close(session, handle);
}

const readAt = (session: SshSession, handle: Buffer, position: number, length: number) =>
  session.request<Buffer>((sftp, done) =>
    sftp.read(handle, Buffer.allocUnsafe(length), 0, length, position, (error, bytesRead, buffer) =>
      done(error, error ? buffer : buffer.subarray(0, bytesRead)),
    ),
  );

const create = (session: SshSession, path: string) =>
  session
    .request<Buffer>((sftp, done) => sftp.open(path, 'wx', { mode: 0o600 }, done))
    .catch(asFailure('write', undefined, SSH_MESSAGES.noRight));

const writeAt = (session: SshSession, handle: Buffer, data: Buffer, position: number) =>
  session
    .request((sftp, done) => sftp.write(handle, data, 0, data.length, position, done))
    .catch(asFailure('write'));

const close = (session: SshSession, handle: Buffer) =>
  session.request((sftp, done) => sftp.close(handle, done)).catch(asFailure('write'));

const remove = (session: SshSession, path: string) =>
  session.request((sftp, done) => sftp.unlink(path, done));

/** Plain SFTP rename never replaces an existing file, unlike the extension of OpenSSH. */
const rename = (session: SshSession, from: string, to: string) =>
  session
    .request((sftp, done) => sftp.rename(from, to, done))
    .catch(asFailure('write', SSH_MESSAGES.noRename));

/** Flushes the file to the server's disk if the server supports it. */
const flush = (session: SshSession, handle: Buffer) =>
  session
    .request((sftp, done) => {
      try {
        sftp.ext_openssh_fsync(handle, done);
      } catch {
        // The server does not support the extension, so no request was sent.
        done(undefined);
      }
    })
    .catch(asFailure('write'));

async function listRemote(session: SshSession, folder: string): Promise<Map<string, number>> {
  if (!(await statOf(session, folder))) return new Map();
  const entries = await readFolder(session, folder);
  return new Map(entries.map(({ filename, attrs }) => [filename, attrs.size]));
}

const readFolder = (session: SshSession, folder: string) =>
  session
    .request<{ filename: string; attrs: { size: number } }[]>((sftp, done) => sftp.readdir(folder, done))
    .catch(asFailure('folder', SSH_MESSAGES.noFolderRight));

async function removeLeftovers(session: SshSession, folder: string, name: string): Promise<void> {
  const entries = await readFolder(session, folder);
  const drafts = entries.filter(({ filename }) => isDraftOf(name, filename));
  for (const { filename } of drafts) await remove(session, joinRemote(folder, filename)).catch(() => {});
}

const draftPrefix = (name: string) => `.${name}.`;

const isDraftOf = (name: string, filename: string) =>
  filename.startsWith(draftPrefix(name)) &&
  /^[0-9a-f]{12}\.part$/.test(filename.slice(draftPrefix(name).length));

async function statOf(
  session: SshSession,
  path: string,
  onError = asFailure('folder', SSH_MESSAGES.noFolderRight),
): Promise<Stats | undefined> {
  try {
    return await session.request<Stats>((sftp, done) => sftp.stat(path, done));
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_SUCH_FILE) return undefined;
    return onError(error);
  }
}

async function findFile(
  session: SshSession,
  paths: readonly string[],
): Promise<{ path: string; stats: Stats }> {
  for (const path of paths) {
    const stats = await statOf(session, path, notRead);
    if (stats) return { path, stats };
  }
  throw new SshFailure('read', SSH_MESSAGES.missing(paths));
}

/**
 * Returns a function that throws a server error as SshFailure, with this message or the default of the step; `denied`
 * is the message for missing permissions.
 */
function asFailure(step: Exclude<CopyStep, 'hostKey'>, message?: string, denied = message) {
  return (error: unknown): never => {
    if (error instanceof SshFailure) throw error;
    const isDenied = (error as { code?: unknown }).code === PERMISSION_DENIED;
    const text = isDenied ? denied : message;
    throw text === undefined ? failedAt(step) : new SshFailure(step, text);
  };
}

const notRead = asFailure('read', undefined, SSH_MESSAGES.noReadRight);
