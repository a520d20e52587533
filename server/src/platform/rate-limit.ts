import { sql } from 'kysely';
import { lockName } from './db/database.ts';
import { callerOf, inTransaction, type Context, type Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
import { createSemaphore } from './http/semaphore.ts';

export type RateLimit = {
  /** The key by which calls are counted, such as `permissions:<caller>:<target>`. */
  subject: string;
  times: number;
  seconds: number;
  /** Message of the error; default: that of TOO_MANY_REQUESTS. */
  message?: string;
};

/** Counts a call like `countCall`. Throws TOO_MANY_REQUESTS with the seconds to wait if the limit is reached. */
export async function enforceRateLimit(ctx: Context<Viewer | null>, limit: RateLimit): Promise<void> {
  const retryAfterSeconds = await countCall(ctx, limit);
  if (retryAfterSeconds === null) return;
  const { message } = limit;
  throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds, ...(message && { message }) });
}

/**
 * Counts a call across all instances. Returns null, or if the limit is reached the seconds to wait, without counting
 * the call. Each call also deletes up to 100 rows older than a day, of any subject.
 */
export async function countCall(ctx: Context<Viewer | null>, limit: RateLimit): Promise<number | null> {
  // Not batched inside a transaction, which may hold a lock that an earlier call in the queue waits for.
  return ctx.db.isTransaction
    ? countInTransaction(ctx, limit)
    : withPermit(ctx.viewer ? callerOf(ctx.viewer) : limit.subject, () => countInTransaction(ctx, limit));
}

const withPermit = createSemaphore({ permits: 3, permitsEach: 2, maxQueued: 1000, maxQueuedEach: 300 });

const countInTransaction = (ctx: Context<Viewer | null>, { subject, times, seconds }: RateLimit) =>
  inTransaction(ctx, async ({ db }): Promise<number | null> => {
    // Serialised by subject, so that parallel calls cannot exceed the limit.
    await lockName(db, `counted:${subject}`);
    const recent = await db
      .selectFrom('rate_limit_events')
      .where('subject', '=', subject)
      .where('created_at', '>', sql<string>`clock_timestamp() - make_interval(secs => ${seconds})`)
      .orderBy('created_at', 'desc')
      .limit(times)
      .select(sql<number>`extract(epoch from clock_timestamp() - created_at)::float8`.as('secondsAgo'))
      .execute();
    const oldest = recent[times - 1];
    if (oldest) return Math.max(1, seconds - oldest.secondsAgo);
    await sql`delete from rate_limit_events where id = any(array(
      select id from rate_limit_events
      where created_at < now() - interval '1 day' limit 100 for update skip locked))`.execute(db);
    await db
      .insertInto('rate_limit_events')
      .values({ subject, created_at: sql`clock_timestamp()` })
      .execute();
    return null;
  });
