import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { appName, ensureCluster } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { findLauncher } from './launcher.ts';
import { type DatabaseLog, launchPostmaster, type Postmaster } from './postmaster.ts';
import { endServers } from './servers.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';
import { folderFailure } from './start-failure.ts';

export interface EmbeddedPostgres {
  /** For `pg`: `host` is the folder of the private socket and stays the same for the life of the app. */
  connection: { host: string; port: number; user: string; database: string };
  /** Ends the database within 10 s and gives the folder back. Close the pool first. */
  stop(): Promise<void>;
}

/** Pauses before the tries to bring a dead database back, ms. */
const retryAfter = [0, 100, 300, 1000];
const longestRetry = 2000;

/**
 * Starts the embedded PostgreSQL 18 on `DATA_DIR/postgres` (product.md section 2) and keeps it running until
 * `stop`. The first start makes the cluster, the role and the database `forecourt`. What an app killed with -9
 * left running is ended first. Every expected failure is a `StartError`.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: DatabaseLog;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const binaries = findBinaries();
  const launcher = await findLauncher();
  const folder = await mkdir(dataDir, { recursive: true, mode: 0o700 })
    .then(() => realpath(dataDir))
    .catch((error: unknown) => {
      throw folderFailure(error, dataDir);
    });
  const unlock = lockFolder(folder);
  const cluster = join(folder, 'postgres');
  let socketFolder = '';
  const giveBack = async () => {
    await removeSocketFolder(socketFolder);
    unlock();
  };
  const launch = () =>
    launchPostmaster({ postgres: binaries.postgres, launcher, cluster, socketFolder, log });

  let ready: Promise<Postmaster | undefined>;
  try {
    await removeSocketFolder(await endServers(cluster));
    await ensureCluster(cluster, binaries, launcher);
    socketFolder = await makeSocketFolder();
    ready = Promise.resolve(await launch());
  } catch (error) {
    await giveBack();
    throw folderFailure(error, dataDir);
  }

  const stopping = new AbortController();
  const revive = async (): Promise<Postmaster | undefined> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await pause(retryAfter[attempt] ?? longestRetry, undefined, { signal: stopping.signal });
        await endServers(cluster);
        return await launch();
      } catch (error) {
        if (stopping.signal.aborted) return undefined;
        log.error(error instanceof Error ? error.message : String(error));
      }
    }
  };
  const supervise = async () => {
    for (;;) {
      const postmaster = await ready;
      await postmaster?.exited;
      if (stopping.signal.aborted) return;
      log.error('The embedded database ended by itself and is started again.');
      ready = revive();
    }
  };
  const supervision = supervise();

  return {
    connection: { host: socketFolder, port: 5432, user: appName, database: appName },
    async stop() {
      stopping.abort();
      await ready;
      await endServers(cluster);
      await supervision;
      await giveBack();
    },
  };
}
