import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { constants, gzipSync } from 'node:zlib';
import { STOP, type WorkerResponse } from './gzip-worker.ts';
import { lowerPriority } from './thread-priority.ts';

// This file runs in a thread of its own, so it may block.

const hash = createHash('sha256');
let file: number | undefined;
/** The first write error. Later chunks are ignored. */
let failed: WorkerResponse | undefined;

/** Compresses each chunk as a gzip member; gunzip reads concatenated members as one file. */
function write(piece: Uint8Array): void {
  const compressed = gzipSync(piece, { level: constants.Z_BEST_SPEED });
  hash.update(compressed);
  file ??= openSync(workerData as string, 'wx', 0o600);
  for (let at = 0; at < compressed.length;) at += writeSync(file, compressed, at);
}

function handle(piece: Uint8Array | null): WorkerResponse {
  if (failed) return failed;
  try {
    if (piece) write(piece);
    else if (file !== undefined) closeSync(file);
    return { digest: piece ? null : hash.digest() };
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    failed = { error: { code, syscall }, message };
    return failed;
  }
}

lowerPriority();
const port = parentPort!;
port.on('message', (piece: Uint8Array | null | typeof STOP) => {
  if (piece === STOP) return port.close();
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  port.postMessage(handle(piece));
});
