import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chooseBinaries } from '../src/platform/db/embedded/choose-binaries.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts';
import { commandLine, findLauncher } from '../src/platform/db/embedded/postgres-programs.ts';
import { createLog } from '../src/platform/log.ts';

/** Starts a primary. Its cluster is the folder `postgres` in `dataDir`. */
export const startPrimary = (dataDir: string) =>
  startEmbeddedPostgres({
    dataDir,
    log: createLog('silent'),
    changes: { fsync: 'off', shared_buffers: '16MB' },
  });

/** Returns the socket of a server in a folder. */
export const socketOf = (folder: string) => join(folder, '.s.PGSQL.5432');

export type Standby = {
  socketFolder: string;
  /** Makes it a primary. */
  promote(): Promise<void>;
  /** Ends it at once, as a crash. */
  stop(): Promise<void>;
};

/**
 * Starts a standby on its cluster, which is a copy of that of a primary. It serves reads. Without `primary_conninfo` it
 * gets no later writes.
 */
export async function startStandby(cluster: string, settings: Record<string, string> = {}): Promise<Standby> {
  const socketFolder = `${cluster}-socket`;
  await writeFile(join(cluster, 'standby.signal'), '');
  await mkdir(socketFolder, { recursive: true });
  const args = ['-D', cluster, '-k', socketFolder];
  const all = { listen_addresses: '', fsync: 'off', shared_buffers: '16MB', ...settings };
  for (const [name, value] of Object.entries(all)) args.push('-c', `${name}=${value}`);
  const launcher = await findLauncher();
  const { postgres } = await chooseBinaries({ cluster, launcher });
  const standby = spawn(...commandLine(launcher, postgres, args), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  const printed: string[] = [];
  const isReady = (): boolean => !!printed.at(-1)?.endsWith('ready to accept read-only connections');
  for await (const text of createInterface({ input: standby.stderr })) {
    printed.push(text);
    if (isReady()) break;
  }
  if (!isReady()) throw new Error(printed.join('\n'));
  standby.stderr.resume();
  return {
    socketFolder,
    async promote() {
      await writeFile(join(cluster, 'promote'), '');
      process.kill(Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10), 'SIGUSR1');
    },
    async stop() {
      standby.kill('SIGQUIT');
      await once(standby, 'exit');
    },
  };
}
