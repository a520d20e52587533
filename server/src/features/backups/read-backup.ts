import { createHash } from 'node:crypto';
import { on } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { STARTING, type OpenFile } from './decompress.ts';
import { openFile } from './folder.ts';
import { ScriptError, StallError, type ScriptFacts } from './script-reader.ts';

export type Task = OpenFile & {
  kind: 'stream' | 'inspect' | 'digest';
  totalLimit: number;
  freeBytes: number;
};

/** Messages of the thread: progress, the result, an error of the file, or an internal error. */
export type ThreadMessage =
  | { read: number }
  | { child: number | null }
  | { piece: Uint8Array }
  | { result: unknown }
  | { problem: string }
  | { failure: string; code: string | undefined };

export type ReadOptions = {
  /** Maximum bytes of output; see `decompress`. */
  totalLimit: number;
  freeBytes?: number;
  /** Called with the number of bytes read so far and the size of the file. */
  onRead?: (read: number, size: number) => void;
  signal?: AbortSignal | undefined;
  /** The thread is terminated after this time without progress, in milliseconds: a crafted file could block it. */
  stallMs?: number;
};

const FREE_BYTES = 64 * 1024 * 1024;
const STALL_MS = 60_000;

/** Limit of the thread's heap. Decompressed data is outside it, so that every genuine file fits. */
const HEAP_MB = 128;

async function* runThread(
  file: FileHandle,
  kind: Task['kind'],
  options: ReadOptions,
): AsyncGenerator<ThreadMessage> {
  const { totalLimit, freeBytes = FREE_BYTES, onRead = () => {}, signal, stallMs = STALL_MS } = options;
  const { size } = await file.stat();
  const worker = new Worker(new URL('./read-backup.worker.ts', import.meta.url), {
    workerData: { kind, fd: file.fd, size, totalLimit, freeBytes } satisfies Task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  let child: number | null = STARTING;
  // The listener also gets messages sent just before the thread ended.
  worker.on('message', (message: ThreadMessage) => {
    if ('child' in message) child = message.child;
    else if (child === STARTING && !('read' in message)) child = null;
  });
  worker.once('exit', () => {
    if (child === STARTING) child = null;
  });
  const stalled = new AbortController();
  const ends = AbortSignal.any([stalled.signal, ...(signal ? [signal] : [])]);
  const messages = on(worker, 'message', { signal: ends, close: ['exit'] });
  try {
    for (;;) {
      const timer = setTimeout(() => stalled.abort(), stallMs);
      const { value, done } = await messages.next().finally(() => clearTimeout(timer));
      if (done) throw new Error('The thread that reads a backup has ended');
      const message = value[0] as ThreadMessage;
      if ('problem' in message) throw new ScriptError(message.problem);
      if ('failure' in message) throw Object.assign(new Error(message.failure), { code: message.code });
      if ('read' in message) onRead(message.read, size);
      else if (!('child' in message)) yield message;
      if ('result' in message) return;
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      if ('piece' in message) worker.postMessage(null);
    }
  } catch (error) {
    const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (isOutOfMemory) throw new ScriptError('It cannot be unpacked.');
    if (stalled.signal.aborted)
      throw new StallError(
        `It could not be read: nothing came for ${stallMs / 1000} seconds. Try again later.`,
      );
    throw error;
  } finally {
    // Waits until the thread is past its start: terminating a thread that spawns a process would leave that process
    // behind, and Node aborts if a thread is terminated while it creates a decompressor.
    for (;;) {
      await after(1);
      if (child !== STARTING) break;
    }
    await worker.terminate();
    if (child !== null) process.kill(child, 'SIGKILL');
  }
}

async function resultOf(file: FileHandle, kind: Task['kind'], options: ReadOptions): Promise<unknown> {
  for await (const message of runThread(file, kind, options)) if ('result' in message) return message.result;
  return undefined;
}

/**
 * Yields the plain SQL of a backup file in chunks, decompressed in a low-priority thread that waits for the consumer.
 * Throws ScriptError if the file cannot be decompressed.
 */
export async function* openScript(path: string, options: ReadOptions): AsyncGenerator<Buffer> {
  await using file = await openFile(path);
  for await (const message of runThread(file, 'stream', options))
    if ('piece' in message) yield Buffer.from(message.piece);
}

type Inspected = { facts: ScriptFacts; migrations: string };

/** Returns a summary of a whole script, and the rows of its migrations table. Throws ScriptError. */
export async function inspectScript(path: string, options: ReadOptions): Promise<Inspected> {
  await using file = await openFile(path);
  return (await resultOf(file, 'inspect', options)) as Inspected;
}

/** Above this size a file is read in a thread. A thread costs more than the digest of a photo. */
const SMALL_BYTES = 32 * 1024 * 1024;

export async function digestOf(file: FileHandle, signal?: AbortSignal): Promise<Buffer> {
  if ((await file.stat()).size <= SMALL_BYTES) {
    const hash = createHash('sha256');
    const stream = file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
    for await (const piece of stream) hash.update(piece as Buffer);
    return hash.digest();
  }
  return Buffer.from((await resultOf(file, 'digest', { totalLimit: Infinity, signal })) as Uint8Array);
}

export async function measureFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ size: number; file_sha256: Buffer }> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  return { size, file_sha256: await digestOf(file, signal) };
}
