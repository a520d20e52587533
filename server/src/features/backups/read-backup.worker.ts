import { createHash, type Hash } from 'node:crypto';
import { on } from 'node:events';
import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { decompress } from './decompress.ts';
import type { Task, ThreadMessage } from './read-backup.ts';
import { readScript, ScriptError } from './script-reader.ts';
import { lowerPriority } from './thread-priority.ts';

// This file runs in a thread of its own, so it may block.

const PIECE_BYTES = 1024 * 1024;

/** Maximum number of unacknowledged chunks. */
const READ_AHEAD = 2;

/** Larger than any genuine migrations table. */
const VERSIONS_BYTES = 64 * 1024;

const task = workerData as Task;
const port = parentPort!;
const send = (message: ThreadMessage): void => {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  port.postMessage(message);
};

const onRead = (read: number): void => send({ read });
const onChild = (child: number | null): void => send({ child });
const script = (): AsyncGenerator<Buffer> => decompress(task, { ...task, onRead, onChild });

/** Sends the script in chunks, limited by READ_AHEAD. */
async function stream(): Promise<null> {
  const acknowledged = on(port, 'message');
  let ahead = 0;
  for await (const piece of script()) {
    if (ahead === READ_AHEAD) await acknowledged.next();
    else ahead += 1;
    send({ piece });
  }
  return null;
}

async function inspect(): Promise<unknown> {
  const versions: Buffer[] = [];
  let bytes = 0;
  const sink = {
    write(piece: Buffer) {
      bytes += piece.length;
      if (bytes > VERSIONS_BYTES) throw new ScriptError('It names more releases than there are.');
      versions.push(piece);
    },
    end() {},
  };
  const facts = await readScript(script(), ({ table }) => (table === 'schema_migrations' ? sink : undefined));
  return { facts, migrations: Buffer.concat(versions).toString('utf8') };
}

function digest(): Uint8Array {
  onChild(null);
  const hash: Hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let read = 0; ;) {
    const length = readSync(task.fd, piece, 0, PIECE_BYTES, read);
    if (length === 0) return hash.digest();
    hash.update(piece.subarray(0, length));
    onRead((read += length));
  }
}

lowerPriority();
try {
  send({ result: await { stream, inspect, digest }[task.kind]() });
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  send(error instanceof ScriptError ? { problem: message } : { failure: message, code });
}
port.unref();
