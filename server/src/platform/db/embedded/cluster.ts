import { execFile } from 'node:child_process';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncToDisk } from '../../data-dir.ts';
import { StartError } from '../../start-error.ts';
import { versionOf, type Binaries } from './choose-binaries.ts';
import { commandLine, postgresEnvironment, postgresFailure, type Launcher } from './postgres-programs.ts';

/** The application's role, which owns the database of the same name and is no superuser. */
export const appName = 'forecourt';

/** Only the application's role may connect; the superuser needs access to the files. */
const hostBasedAccess = `local all ${appName} trust\n`;

/** CREATEDB is for scratch databases. Single-user mode accepts one command per line. */
const bootstrap = `CREATE ROLE ${appName} LOGIN CREATEDB\nCREATE DATABASE ${appName} OWNER ${appName}\n`;

/**
 * Returns the major version of the PostgreSQL that made the cluster; undefined if it does not exist. Throws a
 * `StartError` for a folder of another user or another program. Changes nothing.
 */
export async function readClusterMajor(cluster: string): Promise<number | undefined> {
  const folder = await stat(cluster).catch(() => undefined);
  if (!folder) return undefined;
  if (process.geteuid && folder.uid !== process.geteuid()) {
    throw new StartError(
      `The database in ${cluster} belongs to user ${folder.uid}: start Forecourt as that user.`,
    );
  }
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '');
  if (!/^\d+\s*$/.test(version)) {
    throw new StartError(
      `${cluster} is not a database folder of ours; move it away or choose another DATA_DIR.`,
    );
  }
  return Number(version);
}

/** Runs a program of PostgreSQL with this input. Throws a `StartError` with its reason. */
const runOn = (cluster: string, launcher: Launcher, program: string, args: string[], input = '') =>
  new Promise<void>((resolve, reject) => {
    const child = execFile(
      ...commandLine(launcher, program, args),
      { env: postgresEnvironment },
      (error, _stdout, stderr) => (error ? reject(postgresFailure(stderr, cluster)) : resolve()),
    );
    // A program that fails to start closes its input; its output has the reason.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

/** Arguments of single-user mode, which needs no running server and has all privileges. */
const singleUser = (folder: string, database: string): string[] => [
  '--single',
  '-D',
  folder,
  '-c',
  'exit_on_error=on',
  database,
];

/**
 * Creates the cluster. All work is done in a separate folder, which the next start removes if the first start was
 * interrupted.
 */
export async function createCluster(cluster: string, binaries: Binaries, launcher: Launcher): Promise<void> {
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await runOn(cluster, launcher, binaries.initdb, [
    `--pgdata=${draft}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Text search and trigrams still use the system's locale to classify letters.
    `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
  ]);
  await runOn(cluster, launcher, binaries.postgres, singleUser(draft, 'postgres'), bootstrap);
  await writeFile(join(draft, 'pg_hba.conf'), hostBasedAccess, { flush: true });
  await writeFile(join(draft, MADE_FOR), madeFor(binaries), { flush: true });
  await rename(draft, cluster);
  await syncToDisk(dirname(cluster));
}

/** The file in the cluster that names the PostgreSQL for which its collations were recorded. */
const MADE_FOR = 'forecourt.version';
const madeFor = (binaries: Binaries): string => `${versionOf(binaries)} ${binaries.folder}\n`;

/** One line, because single-user mode accepts one command per line. */
const REFRESH_COLLATIONS = [
  'DO $$ DECLARE name regcollation; BEGIN FOR name IN',
  "SELECT oid FROM pg_collation WHERE collprovider = 'i'",
  'AND collversion IS DISTINCT FROM pg_collation_actual_version(oid)',
  "LOOP EXECUTE format('ALTER COLLATION %s REFRESH VERSION', name); END LOOP; END $$\n",
].join(' ');

/**
 * Records the collations of another PostgreSQL build, whose ICU may be another one: otherwise each connection would log
 * a warning. No index depends on them, so that nothing has to be built again (migrations.test.ts).
 */
export async function adoptCluster(cluster: string, binaries: Binaries, launcher: Launcher): Promise<void> {
  const file = join(cluster, MADE_FOR);
  const former = await readFile(file, 'utf8').catch(() => '');
  if (former === madeFor(binaries)) return;
  await runOn(cluster, launcher, binaries.postgres, singleUser(cluster, appName), REFRESH_COLLATIONS);
  await writeFile(file, madeFor(binaries), { flush: true });
}
