import type { Role } from '@forecourt/contract/auth';
import type { PermissionRecord } from '@forecourt/contract/permissions';
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
  permissions: PermissionRecord;
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

/** Runs `work` in one transaction: the request's own where it has one. Tasks for afterwards wait for the commit. */
export async function inTransaction<V extends Viewer | null, R>(
  ctx: Context<V>,
  work: (ctx: Context<V> & { db: Tx }) => Promise<R>,
): Promise<R> {
  if (ctx.db.isTransaction) return work({ ...ctx, db: ctx.db as Tx });
  const tasks: (() => void)[] = [];
  const result = await ctx.db
    .transaction()
    .execute((tx) => work({ ...ctx, db: tx, afterCommit: (task) => void tasks.push(task) }));
  for (const task of tasks) ctx.afterCommit(task);
  return result;
}
