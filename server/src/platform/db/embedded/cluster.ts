import { execFile } from 'node:child_process';
import { access, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncToDisk } from '../../data-dir.ts';
import { StartError } from '../../start-error.ts';
import {
  commandLine,
  postgresEnvironment,
  postgresFailure,
  postgresMajor,
  type Binaries,
  type Launcher,
} from './postgres-programs.ts';

/** The application's role, which owns the database of the same name and is no superuser. */
export const appName = 'forecourt';

/** Only the application's role may connect; the superuser needs access to the files. */
const hostBasedAccess = `local all ${appName} trust\n`;

/** CREATEDB is for scratch databases. Single-user mode accepts one command per line. */
const bootstrap = `CREATE ROLE ${appName} LOGIN CREATEDB\nCREATE DATABASE ${appName} OWNER ${appName}\n`;

/** Throws a `StartError` for a folder of another PostgreSQL version or another user. Changes nothing. */
async function assertUsable(cluster: string): Promise<void> {
  const { uid } = await stat(cluster);
  if (process.geteuid && uid !== process.geteuid()) {
    throw new StartError(`The database in ${cluster} belongs to user ${uid}: start Forecourt as that user.`);
  }
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new StartError(
      `${cluster} is not a database folder of ours; move it away or choose another DATA_DIR.`,
    );
  }
  if (version.trim() !== postgresMajor) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${version.trim()}, this program brings ${postgresMajor}; ` +
        'nothing was changed: start it with the version that made it, or set DATABASE_URL.',
    );
  }
}

/**
 * Creates the cluster unless it exists. All work is done in a separate folder, which the next start removes if the
 * first start was interrupted.
 */
export async function ensureCluster(cluster: string, binaries: Binaries, launcher: Launcher): Promise<void> {
  const exists = await access(cluster).then(
    () => true,
    () => false,
  );
  if (exists) return assertUsable(cluster);

  const draft = `${cluster}.new`;
  const run = (program: string, args: string[], input = '') =>
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

  await rm(draft, { recursive: true, force: true });
  await run(binaries.initdb, [
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
  await run(binaries.postgres, ['--single', '-D', draft, '-c', 'exit_on_error=on', 'postgres'], bootstrap);
  await writeFile(join(draft, 'pg_hba.conf'), hostBasedAccess, { flush: true });
  await rename(draft, cluster);
  await syncToDisk(dirname(cluster));
}
