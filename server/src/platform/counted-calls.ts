import { sql } from 'kysely';
import { inTransaction, type Context, type Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
import { createTurns } from './http/turns.ts';

export type CallLimit = {
  /** What is counted together, such as `permissions:<caller>:<target>`. */
  subject: string;
  times: number;
  seconds: number;
  /** The words of the refusal. */
  message?: string;
};

/**
 * Counts a call, on all instances together, and throws TOO_MANY_REQUESTS with the seconds to wait when there
 * were enough of them already. A refused call is not counted. Forgets some of what is too old to count, of anybody.
 */
export async function countCall(ctx: Context<Viewer | null>, limit: CallLimit): Promise<void> {
  // Who waits inside a transaction may hold what the one before them waits for.
  await (ctx.db.isTransaction ? count(ctx, limit) : inTurn(() => count(ctx, limit)));
}

const inTurn = createTurns({ atOnce: 3, waiting: 300 });

async function count(ctx: Context<Viewer | null>, limit: CallLimit): Promise<void> {
  const { subject, times, seconds, message } = limit;
  await inTransaction(ctx, async ({ db }) => {
    // One at a time for each subject: calls in parallel cannot all see room.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`counted:${subject}`}, 0))`.execute(db);
    const recent = await db
      .selectFrom('counted_calls')
      .where('subject', '=', subject)
      .where('at', '>', sql<string>`clock_timestamp() - make_interval(secs => ${seconds})`)
      .orderBy('at', 'desc')
      .limit(times)
      .select(sql<number>`extract(epoch from clock_timestamp() - at)::float8`.as('secondsAgo'))
      .execute();
    const oldest = recent[times - 1];
    if (oldest) {
      const retryAfterSeconds = Math.max(1, seconds - oldest.secondsAgo);
      throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds, ...(message && { message }) });
    }
    await sql`delete from counted_calls where id in (
      select id from counted_calls where at < now() - interval '1 day' limit 100 for update skip locked)`.execute(
      db,
    );
    await db
      .insertInto('counted_calls')
      .values({ subject, at: sql`clock_timestamp()` })
      .execute();
  });
}
