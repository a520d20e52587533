import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Creates a folder for the data of a database that a test starts, in memory if possible. */
export const makeDataFolder = (prefix: string): Promise<string> =>
  mkdtemp(join(inject('dataFolder'), prefix));
