// Part of the set-up scripts: failures that end in one clear line.

/** An expected failure; the message is the printed line. */
export class Problem extends Error {}

const REASONS = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user has no permission to write there',
  EPERM: 'this user has no permission to write there',
  EROFS: 'that disk is read-only',
  EAI_AGAIN: 'the package registry cannot be reached (no network?)',
  ENOTFOUND: 'the package registry cannot be reached (no network?)',
  ENETUNREACH: 'the package registry cannot be reached (no network?)',
  ECONNREFUSED: 'the package registry cannot be reached (no network?)',
  ECONNRESET: 'the package registry cannot be reached (no network?)',
  ETIMEDOUT: 'the package registry cannot be reached (no network?)',
  ERR_SOCKET_TIMEOUT: 'the package registry cannot be reached (no network?)',
};

/**
 * Returns the reason named by a system error or the output of a tool; undefined if it is unknown.
 * @param {unknown} source an error of Node, or the output of a tool
 */
export function findReason(source) {
  const text =
    typeof source === 'string' ? source : source instanceof Error && 'code' in source ? source.code : '';
  if (/no space left on device/i.test(text)) return REASONS.ENOSPC;
  const code = Object.keys(REASONS).find((name) => new RegExp(`\\b${name}\\b`).test(text));
  return code && REASONS[code];
}

/** Runs a script. A Problem prints its message and sets exit code 1; any other error is a bug. */
export function main(work) {
  work().catch((error) => {
    const reason = findReason(error);
    if (error instanceof Problem) console.error(error.message);
    else if (reason)
      console.error(`Set-up failed: ${reason} (${error.dest ?? error.path ?? error.syscall}).`);
    else console.error(error);
    process.exit(1);
  });
}
