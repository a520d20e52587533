import { StartError } from '../../start-error.ts';

const words: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user has no permission there',
  EPERM: 'this user has no permission there',
  EROFS: 'that disk is read-only',
  ENOTDIR: 'a file is in the way',
  EEXIST: 'a file is in the way',
};

/** The one line for a data folder that cannot be made, read or written. Other errors come back unchanged. */
export function folderFailure(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = words[code];
  return reason ? new StartError(`The data folder ${folder} cannot be used: ${reason}.`) : error;
}

/** The one line for a PostgreSQL program that gave up, drawn from what it wrote to standard error. */
export function postgresFailure(output: string, folder: string): StartError {
  // A full disk can also show as a write that was cut short.
  const isFull = /No space left on device|wrote only \d+ of \d+ bytes/.test(output);
  if (isFull && !output.includes('shared memory segment')) {
    return new StartError(`The database in ${folder} cannot start: the disk is full.`);
  }
  const line = /(?:FATAL|PANIC|error):\s+(.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  return new StartError(`The database in ${folder} cannot start: ${line || 'PostgreSQL gave no reason'}.`);
}
