import { IDLE } from '../define-job.ts';
import type { Log } from '../log.ts';

type Parts<L> = {
  /** Returns nothing if no work is due, or another instance has it. */
  claim: () => Promise<L | undefined>;
  /** Returns false when another instance has taken over. */
  renew: (lease: L) => Promise<boolean>;
  renewMs: number;
  log: Log;
};

/**
 * Runs work under a lease of PostgreSQL, which is renewed until the work ends; IDLE if none was claimed. A lease that is not
 * renewed, because the instance died, expires and another instance claims the work.
 * @param run the signal is aborted when another instance has taken over
 */
export async function withLease<L, R>(
  { claim, renew, renewMs, log }: Parts<L>,
  run: (lease: L, lost: AbortSignal) => Promise<R>,
): Promise<R | typeof IDLE> {
  const lease = await claim();
  if (lease === undefined) return IDLE;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    renew(lease).then(
      (isOurs) => isOurs || lost.abort(),
      (error: Error) => log.warn({ reason: error.message }, 'lease not renewed'),
    );
  }, renewMs);
  try {
    return await run(lease, lost.signal);
  } finally {
    clearInterval(renewing);
  }
}
