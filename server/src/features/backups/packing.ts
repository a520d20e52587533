import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What the thread answers to each piece, and to the end: with SHA-256 of the file, or why it could not be written. */
export type Answer = { digest: Uint8Array | null } | { code: string | undefined; message: string };

/** Pieces that the thread may have before it: one that is being packed, and one that waits. */
const AHEAD = 2;

/**
 * Packs pieces into a new gzip file, in a thread of its own that gives way to everything else: half of what a backup
 * costs is this. Answers SHA-256 of the file. Throws as writing a file does.
 */
export async function packInto(
  path: string,
  pieces: AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<Buffer> {
  const worker = new Worker(new URL('./packing.worker.ts', import.meta.url), { workerData: path });
  const answers = on(worker, 'message', { ...(signal && { signal }) });
  let unanswered = 0;
  async function answered(): Promise<Uint8Array | null> {
    const [answer] = (await answers.next()).value as [Answer];
    unanswered -= 1;
    if ('digest' in answer) return answer.digest;
    throw Object.assign(new Error(answer.message), { code: answer.code });
  }
  async function send(piece: Buffer | null): Promise<void> {
    if (unanswered === AHEAD) await answered();
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage(piece);
    unanswered += 1;
  }
  try {
    for await (const piece of pieces) await send(piece);
    await send(null);
    let digest: Uint8Array | null = null;
    while (unanswered > 0) digest = await answered();
    return Buffer.from(digest!);
  } finally {
    await worker.terminate();
  }
}
