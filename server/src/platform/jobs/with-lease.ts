import { IDLE } from '../define-job.ts';
import type { Log } from '../log.ts';

type Parts<L> = {
  /** Returns undefined if no work is due or another instance has claimed it. */
  claim: () => Promise<L | undefined>;
  /** Returns false if another instance has claimed the work. */
  renew: (lease: L) => Promise<boolean>;
  renewMs: number;
  log: Log;
};

/**
 * Runs work under a lease in PostgreSQL, which is renewed until the work ends. Returns IDLE if nothing was claimed. If
 * the instance dies the lease expires, and another one claims the work.
 * @param run the signal is aborted when another instance has claimed the work
 */
export async function withLease<L, R>(
  { claim, renew, renewMs, log }: Parts<L>,
  run: (lease: L, lost: AbortSignal) => Promise<R>,
): Promise<R | typeof IDLE> {
  const lease = await claim();
  if (lease === undefined) return IDLE;
  const lost = new AbortController();
  using _renewing = setInterval(() => {
    renew(lease).then(
      (isOurs) => isOurs || lost.abort(),
      (error: Error) => log.warn({ reason: error.message }, 'lease not renewed'),
    );
  }, renewMs);
  return await run(lease, lost.signal);
}
