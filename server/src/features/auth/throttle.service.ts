import type { Db, Tx } from '../../platform/db/database.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createTurns } from '../../platform/http/turns.ts';
import { accountWaits, addressWaits } from './auth.policy.ts';
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
export async function takeTry({ db, origin }: Context<Viewer | null>, email: string): Promise<Try> {
  const { account, counted, wait } = await inTurn(() =>
    queries.countTry(db, { email, ip: origin.ip }, { account: accountWaits, address: addressWaits }),
  );
  if (!counted) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: wait });
  return {
    succeeded: (tx) => queries.forgetFailures(tx, account, counted),
    takeBack: () => queries.takeBackFailures(db, counted),
  };
}
