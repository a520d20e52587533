import type { Db, Tx } from '../../platform/db/database.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createSemaphore } from '../../platform/http/semaphore.ts';
import { isPasswordCorrect } from '../../platform/passwords.ts';
import { accountWaits, addressWaits } from './auth.policy.ts';
import * as queries from './auth.queries.ts';

/** Limits concurrent attempts per IP address, which an office shares, so that other addresses do not wait for them. */
const withPermit = createSemaphore({ permits: 3, permitsEach: 2, maxQueued: 1000, maxQueuedEach: 300 });

/**
 * Counts a password attempt as a failure before the password is verified, until it succeeds: parallel guesses on any
 * instance cannot exceed the limit (docs/product/people-and-permissions.md, Sign-in). A throttled attempt is not
 * counted and does not extend the wait. Throws TOO_MANY_REQUESTS.
 * @param subject the address of the account, or another key by which attempts are counted
 */
export async function countAttempt({ db, origin }: Context<Viewer | null>, subject: string) {
  const { account, failureIds, wait } = await withPermit(origin.ip, () =>
    queries.recordFailure(db, { subject, ip: origin.ip }, { account: accountWaits, address: addressWaits }),
  );
  if (!failureIds) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: wait });
  return {
    /** What a sign-in deletes. */
    failures: { account, ids: failureIds },
    /** Deletes the failures, in the transaction of the sign-in. */
    succeeded: (tx: Db | Tx): Promise<void> => queries.clearFailures(tx, account, failureIds),
    /** Undoes the count of an attempt that neither failed nor succeeded. */
    undo: (): Promise<void> => queries.undoFailures(db, failureIds),
  };
}

/**
 * Requires the current password for changes that must not be possible in an open session left behind. A wrong password
 * is a 400, so that a typo does not end the session. It counts per session and not as a failed sign-in, because
 * strangers can cause those and would delay a signed-in user. Returns the matching hash.
 */
export async function requirePassword(ctx: Context, password: string): Promise<string | undefined> {
  const attempt = await countAttempt(ctx, `session:${ctx.viewer.sessionId}`);
  const hash = await queries.passwordHash(ctx.db, ctx.viewer.userId);
  if (!(await isPasswordCorrect(hash, password))) {
    throw new AppError('WRONG_PASSWORD', {
      errors: { currentPassword: 'Your current password is incorrect' },
    });
  }
  await attempt.succeeded(ctx.db);
  return hash;
}
