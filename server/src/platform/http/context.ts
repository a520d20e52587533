import type { Role } from '@forecourt/contract/auth';
import type { KeptPermissions } from '@forecourt/contract/permissions';
import type { FastifyBaseLogger } from 'fastify';
import type { Db, Tx } from '../db/database.ts';

/** The signed-in person, as every policy sees them. */
export type Viewer = {
  userId: string;
  sessionId: string;
  role: Role;
  name: string;
  email: string;
  forcePasswordChange: boolean;
  lastLogin: string | null;
  /** Two-step sign-in is required of them and not set up. */
  mustSetUpTwoStep: boolean;
  permissions: KeptPermissions;
  /** The administrator who looks at the product as this person: nothing may be changed then. */
  viewedBy?: { userId: string; name: string };
};

/** Where a request came from, for audit and sessions. */
export type Origin = { requestId: string; ip: string; userAgent: string };

/** What a use case acts with. `db` is the pool, or the transaction that the whole request runs in. */
export type Context<V extends Viewer | null = Viewer> = {
  db: Db | Tx;
  viewer: V;
  origin: Origin;
  log: FastifyBaseLogger;
  /** Runs once what was written is committed, and never if it is not. */
  afterCommit(task: () => void): void;
};

/** Two transactions that waited for each other crosswise: one was rolled back, and runs again. */
const isCrossed = (error: unknown): boolean =>
  ['40P01', '40001'].includes((error as { code?: string }).code ?? '');
const ATTEMPTS = 4;

/**
 * Runs `work` in one transaction: the request's own where it has one. Tasks for afterwards wait for the commit.
 * What was rolled back because two waited for each other is run again, so `work` does nothing beside its database.
 */
export async function inTransaction<V extends Viewer | null, R>(
  ctx: Context<V>,
  work: (ctx: Context<V> & { db: Tx }) => Promise<R>,
): Promise<R> {
  if (ctx.db.isTransaction) return work({ ...ctx, db: ctx.db as Tx });
  for (let attempt = 1; ; attempt += 1) {
    const tasks: (() => void)[] = [];
    try {
      const result = await ctx.db
        .transaction()
        .execute((tx) => work({ ...ctx, db: tx, afterCommit: (task) => void tasks.push(task) }));
      for (const task of tasks) ctx.afterCommit(task);
      return result;
    } catch (error) {
      if (!isCrossed(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
