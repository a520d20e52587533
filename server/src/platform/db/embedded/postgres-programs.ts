import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '../../start-error.ts';

// Runs the programs of PostgreSQL, and explains their failures.

export const useOwnDatabase = 'set DATABASE_URL to a PostgreSQL 15 to 18 of your own';

const advice = 'start Forecourt as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own';

/** PostgreSQL refuses to run as root; inside this namespace root is user 1000 and still has access to its own folders. */
const asOrdinaryUser = ['--user', '--map-user=1000', '--map-group=1000'];

/** The prefix of the command line of a PostgreSQL program: empty, or `unshare …`. */
export type Launcher = readonly string[];

/**
 * Returns the launcher of the current user. Throws a `StartError` on Windows, and for root if user namespaces are
 * unavailable.
 */
export async function findLauncher(): Promise<Launcher> {
  if (process.platform === 'win32') {
    throw new StartError(
      `The embedded database runs on Linux and macOS only; on Windows, ${useOwnDatabase}.`,
    );
  }
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
