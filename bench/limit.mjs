import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts the limit of one case (limit-server.mjs). Returns its port, its process id and a function that stops it. */
export async function startLimit(limit) {
  const child = fork(join(import.meta.dirname, 'limit-server.mjs'));
  child.send(limit);
  const [{ port }] = await once(child, 'message');
  return { port, pid: child.pid, close: () => child.disconnect() };
}
