import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createTurns } from '../../platform/http/turns.ts';
import { waitForAccount, waitForAddress } from './auth.policy.ts';
import * as queries from './auth.queries.ts';

/** A try at a password that has been counted as a failure until it is known to be none. */
export type Try = {
  /** With what it led to. */
  succeeded(db: Db | Tx): Promise<void>;
  /** It was neither a failure nor a success: it has not been. */
  takeBack(): Promise<void>;
};

/** One office signs in from one address, whose tries are counted one after the other. */
const inTurn = createTurns({ atOnce: 3, waiting: 300 });

/**
 * Counts a try before the password is looked at, so that guesses made in parallel, on whatever instance, cannot
 * all see room (product.md section 7). A refused try is not counted: it makes nobody wait longer. Throws
 * TOO_MANY_REQUESTS.
 */
export async function takeTry(ctx: Context<Viewer | null>, email: string): Promise<Try> {
  const { account, counted } = await inTurn(() =>
    inTransaction(ctx, async ({ db }) => {
      const { account, address } = await queries.lockSubjects(db, email, ctx.origin.ip);
      const subjects = [account, address];
      const recent = await queries.recentFailures(db, subjects);
      const waits = recent.map(({ subject, failures, secondsAgo }) =>
        subject === account ? waitForAccount(failures, secondsAgo) : waitForAddress(failures, secondsAgo),
      );
      const wait = Math.max(0, ...waits);
      if (wait > 0) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: wait });
      return { account, counted: await queries.recordFailure(db, subjects) };
    }),
  );
  return {
    succeeded: (db) => queries.forgetFailures(db, account, counted),
    takeBack: () => queries.takeBackFailures(ctx.db, counted),
  };
}
