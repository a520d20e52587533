import { StartError } from '../../start-error.ts';

/** Returns a `StartError` of one line from the error output of a PostgreSQL program. */
export function postgresFailure(output: string, folder: string): StartError {
  // A full disk can also appear as a short write.
  const isFull = /No space left on device|wrote only \d+ of \d+ bytes/.test(output);
  if (isFull && !output.includes('shared memory segment')) {
    return new StartError(`The database in ${folder} cannot start: the disk is full.`);
  }
  const line = /(?:FATAL|PANIC|error):\s+(.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  return new StartError(`The database in ${folder} cannot start: ${line || 'PostgreSQL gave no reason'}.`);
}
