import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '../../start-error.ts';

const advice = 'start Forecourt as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own';

/** PostgreSQL refuses to run as root; inside this namespace root is user 1000 and still has access to its own folders. */
const asOrdinaryUser = ['--user', '--map-user=1000', '--map-group=1000'];

/** The prefix of the command line of a PostgreSQL program: nothing, or `unshare …`. */
export type Launcher = readonly string[];

/** Returns the launcher for the current user. Throws a `StartError` for root when user namespaces are forbidden or unavailable. */
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

/** Only the variables that PostgreSQL needs: variables of the caller such as PGDATA or PGPORT must not affect it. */
export const postgresEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** Splits launcher, program and arguments into the parameters of `spawn` and `execFile`. */
export function commandLine(
  launcher: Launcher,
  program: string,
  args: readonly string[],
): [string, string[]] {
  const [file = program, ...rest] = [...launcher, program, ...args];
  return [file, rest];
}
