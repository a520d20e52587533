import { on } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { STARTING, type OpenFile } from './decompress.ts';
import { openFile } from './folder.ts';
import { ScriptError, type ScriptFacts } from './script-reader.ts';

export type Task = OpenFile & {
  kind: 'stream' | 'inspect' | 'digest';
  totalLimit: number;
  freeBytes: number;
};

/** Messages of the thread: progress, the result, a fault of the file, or another failure. */
export type ThreadMessage =
  | { read: number }
  | { child: number | null }
  | { piece: Uint8Array }
  | { result: unknown }
  | { problem: string }
  | { failure: string; code: string | undefined };

export type ReadOptions = {
  /** The most bytes of output, and of any small file. */
  totalLimit: number;
  freeBytes?: number;
  /** Called with the bytes of the file read so far, and its size. */
  onRead?: (read: number, size: number) => void;
  signal?: AbortSignal | undefined;
  /** A thread without progress for this long, in milliseconds, is ended: the file was made to stall it. */
  stallMs?: number;
};

const FREE_BYTES = 64 * 1024 * 1024;
const STALL_MS = 60_000;

/** Enough for any genuine file: decompressed data is outside the heap. */
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
  // Includes a message sent just before it was ended.
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
    if (stalled.signal.aborted || isOutOfMemory) throw new ScriptError('It cannot be unpacked.');
    throw error;
  } finally {
    // Not while it starts: ending a thread that starts a process would leave the process behind, and Node aborts itself
    // if a thread is ended that creates a decompressor.
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
 * Yields the plain SQL of a backup file in chunks, decompressed in a low-priority thread that never runs ahead of the
 * consumer. Throws ScriptError when it cannot be decompressed.
 */
export async function* openScript(path: string, options: ReadOptions): AsyncGenerator<Buffer> {
  await using file = await openFile(path);
  for await (const message of runThread(file, 'stream', options))
    if ('piece' in message) yield Buffer.from(message.piece);
}

type Inspected = { facts: ScriptFacts; migrations: string };

/** Returns the facts of a whole script, and the rows of its table of migrations. Throws ScriptError. */
export async function inspectScript(path: string, options: ReadOptions): Promise<Inspected> {
  await using file = await openFile(path);
  return (await resultOf(file, 'inspect', options)) as Inspected;
}

export async function digestOf(file: FileHandle, signal?: AbortSignal): Promise<Buffer> {
  return Buffer.from((await resultOf(file, 'digest', { totalLimit: Infinity, signal })) as Uint8Array);
}

/** Returns the size and the SHA-256 of a file, as columns of the catalogue. */
export async function measureFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ size: number; file_sha256: Buffer }> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  return { size, file_sha256: await digestOf(file, signal) };
}
