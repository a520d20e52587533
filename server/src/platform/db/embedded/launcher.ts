import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '../../start-error.ts';

const wayOut = 'start Forecourt as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own';

/** PostgreSQL refuses root; inside this namespace root is user 1000 and may still enter its own folders. */
const asOrdinaryUser = ['--user', '--map-user=1000', '--map-group=1000'];

/** What stands before a PostgreSQL program and its arguments on the command line: nothing, or `unshare …`. */
export type Launcher = readonly string[];

/**
 * Finds how PostgreSQL can be started by the present user. Refuses with a `StartError` for root where user
 * namespaces are forbidden or unknown.
 */
export async function findLauncher(): Promise<Launcher> {
  if (process.getuid?.() !== 0) return [];
  if (process.platform !== 'linux') throw new StartError(`PostgreSQL does not run as root: ${wayOut}.`);
  try {
    await promisify(execFile)('unshare', [...asOrdinaryUser, 'true']);
  } catch {
    throw new StartError(
      `PostgreSQL does not run as root, and this system forbids user namespaces: ${wayOut}.`,
    );
  }
  return ['unshare', ...asOrdinaryUser];
}

/** Only what PostgreSQL needs: variables such as PGDATA or PGPORT of the caller must not steer it. */
export const postgresEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/** Splits launcher, program and arguments into what `spawn` and `execFile` take. */
export function commandLine(
  launcher: Launcher,
  program: string,
  args: readonly string[],
): [string, string[]] {
  const [file = program, ...rest] = [...launcher, program, ...args];
  return [file, rest];
}
