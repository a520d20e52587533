import type { Role } from '@forecourt/contract/auth';
import type { ChangeKind } from '@forecourt/contract/change-kinds';
import type { CustomFieldType, CustomKey } from '@forecourt/contract/custom-field-types';
import type { StoredPermissions } from '@forecourt/contract/permissions';
import type { FastifyBaseLogger } from 'fastify';
import { isOutdatedPlan } from '../db/connection-errors.ts';
import type { Db, Tx } from '../db/database.ts';
import { adjustFor, withWhomToAsk, type Adjustment } from './closed-months.ts';

export type Viewer = {
  userId: string;
  sessionId: string;
  role: Role;
  name: string;
  email: string;
  forcePasswordChange: boolean;
  lastLogin: string | null;
  /** Two-step sign-in is required, but the user has not set it up. */
  mustSetUpTwoStep: boolean;
  permissions: StoredPermissions;
  /** The active custom fields that this role may see, in display order, before the limits of `permissions`. */
  customColumns: readonly { key: CustomKey; type: CustomFieldType }[];
  /** The administrator who impersonates this user, which makes every request read-only. */
  viewedBy?: { userId: string; name: string };
};

/** Returns the user whose rate limits apply: during impersonation that of the administrator. */
export const callerOf = ({ userId, viewedBy }: Viewer): string => viewedBy?.userId ?? userId;

/** Writes with the same kind and key form a change set. */
export type ChangeSetName = { kind: ChangeKind; key: string };

/** The origin of a request, for audit and sessions. */
export type Origin = {
  requestId: string;
  ip: string;
  userAgent: string;
  /** The change set of writes to deals. The caller may have named it. */
  changeSet?: ChangeSetName & {
    isNamed: boolean;
    /** The set that this one undoes or redoes. */
    of?: ChangeSetName;
  };
  adjustment?: Adjustment;
};

/** The context of a use case. `db` is the pool, or the transaction of the whole request. */
export type Context<V extends Viewer | null = Viewer> = {
  db: Db | Tx;
  viewer: V;
  origin: Origin;
  log: FastifyBaseLogger;
  /** Runs after the commit, and never after a rollback. */
  afterCommit(task: () => void): void;
  /** Aborted if the client of a read disconnects before the response. */
  signal?: AbortSignal;
};

/** The context of a use case inside its transaction. */
export type TxContext<V extends Viewer | null = Viewer> = Context<V> & { db: Tx };

/**
 * Passed to work in one transaction that may outlive its request: `count` reports the done items of a total, and throws
 * if the job was cancelled or the server stops.
 */
export type TransactionProgress = { count: (step: string, done: number, total: number) => void };

/** A deadlock or serialisation failure: one of the transactions was rolled back and can be retried. */
export const isDeadlock = (error: unknown): boolean =>
  ['40P01', '40001'].includes((error as { code?: string }).code ?? '');
const ATTEMPTS = 4;

/**
 * Runs `work` in one transaction: the request's own if there is one. `afterCommit` tasks wait for the commit. After a
 * deadlock, or a migration by a newer release, `work` is retried, so it must have no effect outside the database. Throws
 * MONTH_CLOSED for a change of money in a closed month.
 */
export async function inTransaction<V extends Viewer | null, R>(
  ctx: Context<V>,
  work: (ctx: TxContext<V>) => Promise<R>,
): Promise<R> {
  if (ctx.db.isTransaction) return work({ ...ctx, db: ctx.db as Tx });
  for (let attempt = 1; ; attempt += 1) {
    const tasks: (() => void)[] = [];
    try {
      const result = await ctx.db.transaction().execute(async (tx) => {
        if (ctx.origin.adjustment) await adjustFor(tx, ctx.origin.adjustment);
        return work({ ...ctx, db: tx, afterCommit: (task) => void tasks.push(task) });
      });
      for (const task of tasks) ctx.afterCommit(task);
      return result;
    } catch (error) {
      if (!(isDeadlock(error) || isOutdatedPlan(error)) || attempt === ATTEMPTS)
        throw await withWhomToAsk(ctx.db as Db, error);
    }
  }
}
