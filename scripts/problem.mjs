// Part of the set-up scripts: failures that end in one clear line.

/** An expected failure; the message is the one line that is shown. */
export class Problem extends Error {}

const words = {
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
 * The reason, in words, that a system error or the output of a tool names; undefined when it names none we know.
 *
 * @param {unknown} source an error of Node's, or what a tool wrote
 */
export function reasonIn(source) {
  const text =
    typeof source === 'string' ? source : source instanceof Error && 'code' in source ? source.code : '';
  if (/no space left on device/i.test(text)) return words.ENOSPC;
  const code = Object.keys(words).find((name) => new RegExp(`\\b${name}\\b`).test(text));
  return code && words[code];
}

/** Runs a script; an expected failure ends in its line and exit code 1, anything else is a mistake of ours. */
export function main(work) {
  work().catch((error) => {
    const reason = reasonIn(error);
    if (error instanceof Problem) console.error(error.message);
    else if (reason)
      console.error(`Set-up failed: ${reason} (${error.dest ?? error.path ?? error.syscall}).`);
    else console.error(error);
    process.exit(1);
  });
}
