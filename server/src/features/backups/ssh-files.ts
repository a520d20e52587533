import { createHash, randomBytes } from 'node:crypto';
import { open, stat as statLocal, type FileHandle } from 'node:fs/promises';
import type { SshStep } from '@forecourt/contract/backups';
import { failedAt, SSH_WORDS, SshFailure } from './ssh-failure.ts';
import type { SshSession } from './ssh-session.ts';

/** What every SFTP server takes in one request. */
const CHUNK = 32 * 1024;
/** Requests under way at the same time, so that a distant server is not waited for after each. */
const LANES = 32;

const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;

type Stats = { size: number; isDirectory(): boolean };

/** A file to be copied, and what it has to be at the other end. */
export type LocalFile = {
  path: string;
  /** Of the whole file, lower-case hex. */
  sha256: string;
};

/**
 * Puts a file into a folder of the server so that its name is there exactly when all of it is: a temporary
 * name, fsync where the server offers it, read back, size and SHA-256 compared, renamed. A file of that name
 * with the same content counts as put; another one is never replaced. What earlier tries left behind is removed.
 * Throws SshFailure.
 */
export async function putFile(
  session: SshSession,
  folder: string,
  name: string,
  file: LocalFile,
  onProgress: (sent: number) => void = () => {},
): Promise<void> {
  await requireFolder(session, folder);
  const target = join(folder, name);
  if (await isThere(session, target, file)) return;
  await removeLeftovers(session, folder, name);
  const draft = join(folder, `${draftPrefix(name)}${randomBytes(6).toString('hex')}.part`);
  try {
    await write(session, draft, file, onProgress);
    if ((await digestOf(session, draft)) !== file.sha256) throw new SshFailure('write', SSH_WORDS.altered);
    await rename(session, draft, target);
  } catch (error) {
    await remove(session, draft).catch(() => {});
    throw error;
  }
}

/** Makes a folder where it is missing, with those above it. Answers whether it had to. Throws SshFailure. */
export async function makeFolder(session: SshSession, folder: string): Promise<boolean> {
  if (await statOf(session, folder)) return requireFolder(session, folder).then(() => false);
  const parent = folder.replace(/\/+$/, '').replace(/\/?[^/]*$/, '');
  if (parent !== '') await makeFolder(session, parent);
  await session
    .ask((sftp, done) => sftp.mkdir(folder, (error) => done(error, undefined)))
    .catch(asFailure('folder', SSH_WORDS.noFolderRight));
  return true;
}

/** Writes a small file and takes it away again. Throws SshFailure. */
export async function tryWriting(session: SshSession, folder: string): Promise<void> {
  const path = join(folder, `.forecourt-test-${randomBytes(6).toString('hex')}`);
  const handle = await create(session, path);
  const words = Buffer.from('Forecourt was here.\n');
  try {
    await writeAt(session, handle, words, 0);
    await close(session, handle);
  } finally {
    await remove(session, path).catch(asFailure('write'));
  }
}

async function requireFolder(session: SshSession, folder: string): Promise<void> {
  const found = await statOf(session, folder);
  if (!found?.isDirectory()) throw new SshFailure('folder', SSH_WORDS.noFolder);
}

async function isThere(session: SshSession, path: string, file: LocalFile): Promise<boolean> {
  const found = await statOf(session, path);
  if (!found) return false;
  const { size } = await statLocal(file.path);
  if (found.size === size && (await digestOf(session, path)) === file.sha256) return true;
  throw new SshFailure('write', SSH_WORDS.taken);
}

async function write(
  session: SshSession,
  path: string,
  file: LocalFile,
  onProgress: (sent: number) => void,
): Promise<void> {
  const local = await open(file.path);
  try {
    const { size } = await local.stat();
    const handle = await create(session, path);
    let sent = 0;
    await inLanes(size, async (position, length) => {
      await writeAt(session, handle, await readLocal(local, position, length), position);
      onProgress((sent += length));
    });
    await flush(session, handle);
    await close(session, handle);
  } finally {
    await local.close();
  }
}

/** Works through `size` bytes in chunks, several at a time; the first failure ends all. */
async function inLanes(
  size: number,
  work: (position: number, length: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < size) {
      const position = next;
      next += CHUNK;
      await work(position, Math.min(CHUNK, size - position)).catch((error: unknown) => {
        next = size;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function readLocal(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  // The file became shorter while it was read: the comparison at the end would say so much later.
  if (bytesRead < length) throw new SshFailure('write', SSH_WORDS.altered);
  return buffer;
}

/** SHA-256 of what the server keeps under a name, read back. Lower-case hex. */
async function digestOf(session: SshSession, path: string): Promise<string> {
  const { size } = (await statOf(session, path)) ?? { size: 0 };
  const handle = await session
    .ask<Buffer>((sftp, done) => sftp.open(path, 'r', done))
    .catch(asFailure('write', SSH_WORDS.altered));
  const hash = createHash('sha256');
  const ahead: Promise<Buffer>[] = [];
  const read = (position: number) => {
    const chunk = readAt(session, handle, position, Math.min(CHUNK, size - position));
    chunk.catch(() => {});
    ahead.push(chunk);
  };
  let asked = 0;
  for (; asked < size && ahead.length < LANES; asked += CHUNK) read(asked);
  for (let chunk = ahead.shift(); chunk; chunk = ahead.shift()) {
    hash.update(await chunk);
    if (asked < size) {
      read(asked);
      asked += CHUNK;
    }
  }
  await close(session, handle);
  return hash.digest('hex');
}

const readAt = (session: SshSession, handle: Buffer, position: number, length: number) =>
  session
    .ask<Buffer>((sftp, done) =>
      sftp.read(handle, Buffer.allocUnsafe(length), 0, length, position, (error, bytesRead, buffer) =>
        done(error, error ? buffer : buffer.subarray(0, bytesRead)),
      ),
    )
    .catch(asFailure('write', SSH_WORDS.altered));

const create = (session: SshSession, path: string) =>
  session
    .ask<Buffer>((sftp, done) => sftp.open(path, 'wx', { mode: 0o600 }, done))
    .catch(asFailure('write', SSH_WORDS.noRight));

const writeAt = (session: SshSession, handle: Buffer, data: Buffer, position: number) =>
  session
    .ask((sftp, done) =>
      sftp.write(handle, data, 0, data.length, position, (error) => done(error, undefined)),
    )
    .catch(asFailure('write'));

const close = (session: SshSession, handle: Buffer) =>
  session
    .ask((sftp, done) => sftp.close(handle, (error) => done(error, undefined)))
    .catch(asFailure('write'));

const remove = (session: SshSession, path: string) =>
  session.ask((sftp, done) => sftp.unlink(path, (error) => done(error, undefined)));

/** Without the extension that OpenSSH has for it, the rename replaces nothing: exactly what is wanted. */
const rename = (session: SshSession, from: string, to: string) =>
  session
    .ask((sftp, done) => sftp.rename(from, to, (error) => done(error, undefined)))
    .catch(asFailure('write', SSH_WORDS.noRename));

/** Onto the server's disk, where it offers that. */
const flush = (session: SshSession, handle: Buffer) =>
  session
    .ask((sftp, done) => {
      try {
        sftp.ext_openssh_fsync(handle, (error) => done(error, undefined));
      } catch {
        // Not offered: nothing was sent.
        done(undefined, undefined);
      }
    })
    .catch(asFailure('write'));

async function removeLeftovers(session: SshSession, folder: string, name: string): Promise<void> {
  const entries = await session
    .ask<{ filename: string }[]>((sftp, done) => sftp.readdir(folder, done))
    .catch(asFailure('folder', SSH_WORDS.noFolderRight));
  const ours = entries.filter(({ filename }) => isDraftOf(name, filename));
  for (const { filename } of ours) await remove(session, join(folder, filename)).catch(() => {});
}

const draftPrefix = (name: string) => `.${name}.`;

const isDraftOf = (name: string, filename: string) =>
  filename.startsWith(draftPrefix(name)) &&
  /^[0-9a-f]{12}\.part$/.test(filename.slice(draftPrefix(name).length));

const join = (folder: string, name: string) => (folder.endsWith('/') ? folder + name : `${folder}/${name}`);

async function statOf(session: SshSession, path: string): Promise<Stats | undefined> {
  try {
    return await session.ask<Stats>((sftp, done) => sftp.stat(path, done));
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_SUCH_FILE) return undefined;
    return asFailure('folder', SSH_WORDS.noFolderRight)(error);
  }
}

/** Throws a server's answer as a failure of ours. `denied` are the words where a right is missing. */
const asFailure =
  (step: Exclude<SshStep, 'hostKey'>, denied?: string) =>
  (error: unknown): never => {
    if (error instanceof SshFailure) throw error;
    const isDenied = (error as { code?: unknown }).code === PERMISSION_DENIED;
    throw denied !== undefined && (isDenied || denied !== SSH_WORDS.noRight)
      ? new SshFailure(step, denied)
      : failedAt(step);
  };
