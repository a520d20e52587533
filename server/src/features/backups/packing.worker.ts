import { createHash } from 'node:crypto';
import { closeSync, openSync, readlinkSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { constants, gzipSync } from 'node:zlib';
import type { Answer } from './packing.ts';

// A thread of its own: everything here may block.

/** Of 0 to 19: far behind everybody else, and never without a turn. */
const NICENESS = 10;

const hash = createHash('sha256');
let file: number | undefined;

function giveWay(): void {
  try {
    // Linux gives turns to threads, and this is the name of this one.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICENESS);
  } catch {
    // Elsewhere it takes its turn like all others.
  }
}

/** Each piece becomes a member of its own: gzip reads a row of them as one file. */
function write(piece: Uint8Array): void {
  const packed = gzipSync(piece, { level: constants.Z_BEST_SPEED });
  hash.update(packed);
  file ??= openSync(workerData as string, 'wx', 0o600);
  for (let at = 0; at < packed.length;) at += writeSync(file, packed, at);
}

function end(): Uint8Array {
  if (file !== undefined) closeSync(file);
  return hash.digest();
}

function take(piece: Uint8Array | null): Answer {
  try {
    if (!piece) return { digest: end() };
    write(piece);
    return { digest: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { code, message };
  }
}

giveWay();
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort!.on('message', (piece: Uint8Array | null) => parentPort!.postMessage(take(piece)));
