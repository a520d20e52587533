import type { Db, Tx } from '../../platform/db/database.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createSemaphore } from '../../platform/http/semaphore.ts';
import { accountWaits, addressWaits } from './auth.policy.ts';
import * as queries from './auth.queries.ts';

/** A password attempt, counted as a failure until it succeeds. */
export type Attempt = {
  /** Clears the failures, in the transaction of the sign-in. */
  succeeded(db: Db | Tx): Promise<void>;
  /** Undoes the count: the attempt was neither a failure nor a success. */
  undo(): Promise<void>;
};

/** An office signs in from one address, whose attempts are counted in sequence. */
const withPermit = createSemaphore({ permits: 3, maxQueued: 300 });

/**
 * Counts an attempt before the password is verified, so that parallel guesses, on any instance, cannot exceed the limit
 * (docs/product/people-and-permissions.md, Sign-in). A throttled attempt is not counted and extends no wait. Throws
 * TOO_MANY_REQUESTS.
 * @param subject the address of the account, or another key that attempts are counted under
 */
export async function countAttempt(
  { db, origin }: Context<Viewer | null>,
  subject: string,
): Promise<Attempt> {
  const { account, failureIds, wait } = await withPermit(() =>
    queries.recordFailure(db, { subject, ip: origin.ip }, { account: accountWaits, address: addressWaits }),
  );
  if (!failureIds) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: wait });
  return {
    succeeded: (tx) => queries.clearFailures(tx, account, failureIds),
    undo: () => queries.undoFailures(db, failureIds),
  };
}
