import { realpath, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { folderFailure, prepareDataDir } from '../../data-dir.ts';
import { StartError } from '../../start-error.ts';
import { chooseBinaries, versionOf } from './choose-binaries.ts';
import { adoptCluster, appName, createCluster, readClusterMajor } from './cluster.ts';
import { findLauncher } from './postgres-programs.ts';
import { type DatabaseLog, launchPostmaster, type Postmaster } from './postmaster.ts';
import { endServers } from './servers.ts';

export interface EmbeddedPostgres {
  /** For `pg`: `host` is the folder of the private socket, fixed until `stop`. */
  connection: { host: string; port: number; user: string; database: string };
  /** Stops the database within 10 s and unlocks the folder. Close the pool first. */
  stop(): Promise<void>;
}

/** Delays before attempts to restart a crashed database, ms. */
const retryAfter = [0, 100, 300, 1000];
const longestRetry = 2000;

/**
 * Starts the embedded PostgreSQL on `DATA_DIR/postgres` (docs/operating.md, PostgreSQL and its updates) and restarts it until
 * `stop`. The first start creates the cluster, the role and the database `forecourt`. Servers of a process killed with
 * -9 are ended first. Throws a `StartError` for every expected failure.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  /** The folder of PG_BIN. */
  pgBin?: string | undefined;
  log: DatabaseLog;
  /** Overrides of PostgreSQL's settings, for tests. */
  changes?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const { dataDir, pgBin, log, changes } = options;
  const launcher = await findLauncher();
  await prepareDataDir(dataDir);
  const folder = await realpath(dataDir);
  const unlock = lockFolder(folder);
  const cluster = join(folder, 'postgres');
  let socketFolder = '';
  const releaseFolder = async () => {
    await removeSocketFolder(socketFolder);
    unlock();
  };
  const launchWith = (postgres: string) => () =>
    launchPostmaster({
      postgres,
      launcher,
      cluster,
      socketFolder,
      log,
      ...(changes && { changes }),
    });

  let ready: Promise<Postmaster | undefined>;
  let launch: ReturnType<typeof launchWith>;
  try {
    await removeSocketFolder(await endServers(cluster));
    const clusterMajor = await readClusterMajor(cluster);
    const binaries = await chooseBinaries({ cluster, clusterMajor, pgBin, launcher });
    if (clusterMajor === undefined) await createCluster(cluster, binaries, launcher);
    else await adoptCluster(cluster, binaries, launcher);
    log.info(`The embedded database is PostgreSQL ${versionOf(binaries)} of ${binaries.folder}.`);
    socketFolder = await makeSocketFolder();
    launch = launchWith(binaries.postgres);
    ready = Promise.resolve(await launch());
  } catch (error) {
    await releaseFolder();
    throw folderFailure(error, dataDir);
  }

  const stopping = new AbortController();
  const restart = async (): Promise<Postmaster | undefined> => {
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
      ready = restart();
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
      await releaseFolder();
    },
  };
}

const prefix = 'forecourt-';

/** PostgreSQL accepts socket paths up to 107 bytes; prefix, random part and socket name take 31. */
const longestBase = 70;

/** Creates the private folder (0700) of the Unix socket. Not in DATA_DIR, whose path may be too long. */
async function makeSocketFolder(): Promise<string> {
  for (const base of [tmpdir(), '/tmp']) {
    if (Buffer.byteLength(base) > longestBase) continue;
    const folder = await mkdtemp(join(base, prefix)).catch(() => undefined);
    if (folder) return folder;
  }
  throw new StartError(
    'The database needs a folder for its socket: /tmp cannot be written (no permission, or full).',
  );
}

/** Removes a socket folder, including those of killed processes; ignores folders without our prefix. */
async function removeSocketFolder(folder: string): Promise<void> {
  if (basename(folder).startsWith(prefix)) await rm(folder, { recursive: true, force: true });
}

const REASONS: Record<number, string> = {
  5: 'another Forecourt is running on it',
  8: 'this user has no permission there',
  13: 'the disk is full',
  14: 'this user has no permission there',
};

/**
 * Locks the folder and returns the function that unlocks it. Uses the file lock of SQLite, which the kernel releases
 * when the process ends for any reason and which works across containers. Waits two seconds for a process that is
 * stopping. Throws a `StartError`.
 */
function lockFolder(folder: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, 'postgres.lock'), { timeout: 2000 });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => database?.close();
  } catch (error) {
    database?.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
    const reason = REASONS[code & 0xff];
    if (!reason) throw error;
    throw new StartError(`The data folder ${folder} cannot be used: ${reason}.`);
  }
}
