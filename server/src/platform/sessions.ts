import { PermissionRecord } from '@forecourt/contract/permissions';
import { sql } from 'kysely';
import type { Db, Tx } from './db/database.ts';
import type { Context, Origin, Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
import { newId, newToken, tokenHash } from './ids.ts';
import type { Notices } from './live/notices.ts';

/** A session ends after this long whatever happens in it (product.md section 7). */
const ABSOLUTE_HOURS = 12;

/** For how long a viewer that was read may be answered with again while revocations can reach us. */
const TRUSTED_MS = 5000;

/** An ended session is kept for this long after it would have expired anyway, and removed at some later sign-in. */
const KEPT_DAYS = 30;
/** So many at a time: no sign-in pays for a long past. */
const REMOVED_AT_ONCE = 100;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Signed-in people. Each request learns from here who is behind its token; what was read stays in memory for
 * at most 5 s and is dropped at once when any instance revokes it. While revocations cannot be heard, every
 * request reads the database, and nothing read until then is believed afterwards.
 */
export function createSessions(db: Db, notices: Notices) {
  const trusted = new Map<string, Found & { until: number }>();
  let revocations = 0;
  const forget = (userId: string): void => {
    revocations += 1;
    for (const [hash, entry] of trusted) if (entry.viewer.userId === userId) trusted.delete(hash);
  };
  notices.on('revoked', forget);
  notices.on('resumed', () => {
    revocations += 1;
    trusted.clear();
  });

  return {
    /**
     * The viewer behind a token. Throws NOT_SIGNED_IN when it is unknown, ended, idle for too long, or its
     * person is not active. A background request reads without counting as use.
     */
    async read(token: string | undefined, background: boolean, within: Db | Tx = db): Promise<Viewer> {
      if (!token || token.length > 100) throw new AppError('NOT_SIGNED_IN');
      const hash = tokenHash(token).toString('base64');
      const entry = trusted.get(hash);
      const isFresh = entry && entry.until > performance.now() && notices.areHeard();
      // A background call leaves use to be written down by the next call that is use.
      if (isFresh && (background || !entry.isUseDue)) return entry.viewer;
      const before = revocations;
      const found = await readViewer(within, tokenHash(token), background);
      // What was read while something was revoked, or could have been unheard, may be older than that.
      if (before === revocations && notices.areHeard()) {
        trusted.set(hash, { ...found, until: performance.now() + TRUSTED_MS });
      }
      if (trusted.size > 10_000) trusted.clear();
      return found.viewer;
    },

    /**
     * Starts a session and ends the oldest ones beyond `maxSessions`: the newest sign-in wins. The person's
     * row is locked, so that parallel sign-ins cannot each see room. Removes some that are long past, of anybody.
     */
    async start(ctx: Writing, userId: string, maxSessions: number, origin: Origin): Promise<string> {
      const { db: tx } = ctx;
      await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
      const token = newToken();
      const id = newId();
      await tx
        .insertInto('sessions')
        .values({
          id,
          token_hash: tokenHash(token),
          user_id: userId,
          user_agent: origin.userAgent,
          ip: origin.ip,
          created_at: sql`clock_timestamp()`,
          expires_at: sql`now() + make_interval(hours => ${ABSOLUTE_HOURS})`,
        })
        .execute();
      const kept = tx
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(maxSessions);
      await this.end(ctx, userId, 'signed in elsewhere', (session) => session.where('id', 'not in', kept));
      await removeLongPast(tx);
      return token;
    },

    /** Ends sessions of a person, all of them or those that `which` narrows to, on every instance at once. */
    async end(
      ctx: Writing,
      userId: string,
      because: string,
      which: (query: EndingQuery) => EndingQuery = (query) => query,
    ): Promise<void> {
      await which(endingQuery(ctx.db, userId, because)).execute();
      await notices.send(ctx.db, 'revoked', userId);
      // This instance need not wait until it hears itself.
      ctx.afterCommit(() => forget(userId));
    },
  };
}

/** A use case in its transaction. */
type Writing = Pick<Context, 'afterCommit'> & { db: Tx };

const endingQuery = (tx: Tx, userId: string, because: string) =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, ended_because: because })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
type EndingQuery = ReturnType<typeof endingQuery>;

async function removeLongPast(tx: Tx): Promise<void> {
  const longPast = tx
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .limit(REMOVED_AT_ONCE)
    // Sign-ins at the same time do not wait for each other's.
    .forUpdate()
    .skipLocked();
  await tx.deleteFrom('sessions').where('id', 'in', longPast).execute();
}

const idleTime = sql`make_interval(mins => coalesce((permission_records.record ->> 'sessionTimeout')::int, 60))`;

/**
 * Use is written down at most once a minute (product.md section 7), and four times within a short timeout:
 * otherwise somebody at work would count as idle.
 */
const useWrittenEvery = sql`least(interval '1 minute', ${idleTime} / 4)`;

type Found = {
  viewer: Viewer;
  /** It is time to write down use, and this reading, in the background, was none. */
  isUseDue: boolean;
};

async function readViewer(db: Db | Tx, hash: Buffer, background: boolean): Promise<Found> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('permission_records', 'permission_records.user_id', 'users.id')
    .where('sessions.token_hash', '=', hash)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', sql<string>`now()`)
    .where('users.is_active', '=', true)
    .where(sql<boolean>`sessions.last_used_at > now() - ${idleTime}`)
    .select([
      'sessions.id as sessionId',
      'users.id as userId',
      'users.name',
      'users.email',
      'users.role',
      'users.force_password_change',
      'users.last_login',
      'permission_records.record',
      sql<boolean>`sessions.last_used_at < now() - ${useWrittenEvery}`.as('isStale'),
    ])
    .executeTakeFirst();
  if (!row) throw new AppError('NOT_SIGNED_IN');
  if (row.isStale && !background) {
    await db
      .updateTable('sessions')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', row.sessionId)
      .execute();
  }
  const viewer = {
    userId: row.userId,
    sessionId: row.sessionId,
    role: row.role as Viewer['role'],
    name: row.name,
    email: row.email,
    forcePasswordChange: row.force_password_change,
    lastLogin: row.last_login,
    permissions: PermissionRecord.parse(row.record ?? {}),
  };
  return { viewer, isUseDue: row.isStale && background };
}
