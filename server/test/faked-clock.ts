import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseBinaries } from '../src/platform/db/embedded/choose-binaries.ts';
import { appName, createCluster } from '../src/platform/db/embedded/cluster.ts';
import { findLauncher } from '../src/platform/db/embedded/postgres-programs.ts';
import { launchPostmaster } from '../src/platform/db/embedded/postmaster.ts';
import { createLog } from '../src/platform/log.ts';
import { urlOf } from './database.ts';

/** libfaketime, which overrides a program's system time. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
export const hasFaketime = existsSync(LIBRARY);

export type FakedClock = {
  /** Environment for each program that uses the faked time. */
  environment: Record<string, string>;
  /** Of a PostgreSQL with the faked time. */
  databaseUrl: string;
  /** Sets the current time for every program at once. Durations are unaffected. */
  set(time: string): Promise<void>;
  close(): Promise<void>;
};

/** Creates a faked clock and a PostgreSQL that uses it. */
export async function openFakedClock(time: string): Promise<FakedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'faked-clock-'));
  const file = join(folder, 'clock');
  const set = async (to: string): Promise<void> => {
    const seconds = (Date.parse(to) - Date.now()) / 1000;
    await writeFile(file, `${seconds < 0 ? '' : '+'}${seconds.toFixed(3)}\n`);
  };
  await set(time);
  const environment = {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const [launcher, log] = [await findLauncher(), createLog('silent')];
  const cluster = join(folder, 'postgres');
  const binaries = await chooseBinaries({ cluster, launcher });
  await createCluster(cluster, binaries, launcher);
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const { exited } = await launchPostmaster({
    postgres: binaries.postgres,
    launcher: ['env', ...variables, ...launcher],
    cluster,
    socketFolder: folder,
    log,
  });
  return {
    environment,
    databaseUrl: urlOf({ host: folder, port: 5432, user: appName, database: appName }),
    set,
    async close() {
      process.kill(Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10), 'SIGINT');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
