import { defaultRecord } from '@forecourt/contract/permissions';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from './db/database.ts';
import { prepared } from './db/prepared.ts';
import { createTogether } from './db/together.ts';
import type { Context, Origin, Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
import { newId, newToken, tokenHash } from './ids.ts';
import { CHANNEL, type Notices } from './live/notices.ts';
import {
  isLive,
  PERSON,
  readLive,
  readViewed,
  toViewer,
  viewerBehind,
  viewerOf,
  type Found,
} from './viewers.ts';

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
  /** Hundreds of live streams ask anew every few seconds: who comes meanwhile is read together. */
  const readTogether = createTogether((hashes: readonly Buffer[]) => readLive(db, hashes), {
    most: 500,
    recordOf: (hash) => hash.toString('base64'),
  });
  let revocations = 0;
  const forget = (userId: string): void => {
    revocations += 1;
    for (const [key, { viewer }] of trusted) {
      if ([viewer.userId, viewer.viewedBy?.userId].includes(userId)) trusted.delete(key);
    }
  };
  const forgetAll = (): void => {
    revocations += 1;
    trusted.clear();
  };
  notices.on('revoked', forget);
  notices.on('restored', forgetAll);
  notices.on('resumed', forgetAll);

  return {
    /**
     * The viewer behind a token. Throws NOT_SIGNED_IN when it is unknown, ended, idle for too long, or its
     * person is not active. A background request reads without counting as use. With `viewing` an
     * administrator is answered as the person whom they look at the product as; VIEW_ENDED once that is over.
     */
    async read(token: string | undefined, { background, viewing = '' }: Reading): Promise<Viewer> {
      if (!token || token.length > 100) throw new AppError('NOT_SIGNED_IN');
      const hash = tokenHash(token);
      const key = hash.toString('base64') + viewing;
      const entry = trusted.get(key);
      const isFresh = entry && entry.until > performance.now() && notices.areHeard();
      // A background call leaves use to be written down by the next call that is use.
      if (isFresh && (background || !entry.isUseDue)) return entry.viewer;
      const before = revocations;
      const found = await viewerBehind(db, await readTogether('', hash), hash, background);
      if (viewing !== '') found.viewer = await readViewed(db, viewing, found.viewer);
      // What was read while something was revoked, or could have been unheard, may be older than that.
      if (before === revocations && notices.areHeard()) {
        trusted.set(key, { ...found, until: performance.now() + TRUSTED_MS });
      }
      if (trusted.size > 10_000) trusted.clear();
      return found.viewer;
    },

    /** The viewer of a session that has not ended, by its id, without counting as use. Throws NOT_SIGNED_IN. */
    viewerOf: (sessionId: string): Promise<Viewer> => viewerOf(db, sessionId),

    /**
     * Starts a session, which is a person's newest login, and ends the oldest ones beyond what they may have: the
     * newest sign-in wins. The caller has locked the person's row, so that parallel sign-ins cannot each see room.
     */
    async start(ctx: Writing, userId: string, origin: Origin): Promise<{ token: string; viewer: Viewer }> {
      const token = newToken();
      const { userAgent, ip } = origin;
      const [session] = await started(ctx.db, { id: newId(), userId, hash: tokenHash(token), userAgent, ip });
      if (session!.hasEnded) ctx.afterCommit(() => forget(userId));
      return { token, viewer: toViewer(session!, session!.sessionId) };
    },

    /** Makes new rights of a person hold on every instance at once, and ends the sessions beyond what they may have. */
    async applyRights(ctx: Writing, userId: string): Promise<void> {
      await endingBeyond(ctx.db, userId, sql.lit(0)).execute();
      await this.refresh(ctx, userId);
    },

    /** The sessions of a person that a request could still use, the one used last first. */
    list: (within: Db | Tx, userId: string): Promise<LiveSession[]> =>
      within
        .selectFrom('sessions')
        .leftJoin('permission_records', 'permission_records.user_id', 'sessions.user_id')
        .where('sessions.user_id', '=', userId)
        .where(isLive)
        .orderBy('last_used_at', 'desc')
        .orderBy('sessions.id', 'desc')
        .select(['id', 'user_agent', 'ip', 'created_at', 'last_used_at', 'expires_at'])
        .execute(),

    /** Ends sessions of a person, all of them or those that `which` narrows to, on every instance at once. */
    async end(
      ctx: Writing,
      userId: string,
      because: string,
      which: (query: EndingQuery) => EndingQuery = (query) => query,
    ): Promise<void> {
      await which(endingQuery(ctx.db, userId, because)).execute();
      await this.refresh(ctx, userId);
    },

    /** Ends nothing: every instance reads anew who a person is and what they may do. */
    async refresh(ctx: Writing, userId: string): Promise<void> {
      await notices.send(ctx.db, 'revoked', userId);
      // This instance need not wait until it hears itself.
      ctx.afterCommit(() => forget(userId));
    },
  };
}

type Reading = {
  background: boolean;
  /** The id of a viewing, as the header X-View-As carries it. */
  viewing?: string | undefined;
};

/** What is kept about a sign-in that has not ended, in the database's words. */
export type LiveSession = {
  id: string;
  user_agent: string;
  ip: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
};

/** A use case in its transaction. */
type Writing = Pick<Context, 'afterCommit'> & { db: Tx };

const endingQuery = (tx: Db | Tx, userId: string, because: string) =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, ended_because: because })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
type EndingQuery = ReturnType<typeof endingQuery>;

/**
 * Ends the oldest sessions of a person beyond what their permissions allow, once so many more have begun. Those that
 * have run out need no end.
 */
const endingBeyond = (tx: Db | Tx, userId: string, more: RawBuilder<number>) => {
  const allowed = sql<number>`coalesce((
    select (record ->> 'maxSessions')::int from permission_records where user_id = ${userId}
  ), ${sql.lit(defaultRecord.maxSessions)}) - ${more}`;
  const kept = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(allowed);
  return endingQuery(tx, userId, 'signed in elsewhere')
    .where('expires_at', '>', sql<string>`now()`)
    .where('id', 'not in', kept);
};

type NewSession = { id: string; userId: string; hash: Buffer; userAgent: string; ip: string };

/**
 * A new session, its person's last login and the end of those sessions that it takes the place of; removes some that are
 * long past, of anybody. Answers the person as they are then, and whether any was ended, of which every instance hears.
 */
const started = prepared((db, { id, userId, hash, userAgent, ip }: NewSession) =>
  db
    .with('removed', (query) =>
      query.deleteFrom('sessions').where('id', 'in', (eb) =>
        eb
          .selectFrom('sessions')
          .select('id')
          .where('expires_at', '<', sql<string>`now() - make_interval(days => ${sql.lit(KEPT_DAYS)})`)
          .limit(sql.lit(REMOVED_AT_ONCE))
          // Sign-ins at the same time do not wait for each other's.
          .forUpdate()
          .skipLocked(),
      ),
    )
    .with('ended', () => endingBeyond(db, userId, sql.lit(1)).returning('id'))
    .with('started', (query) =>
      query
        .insertInto('sessions')
        .values({
          id,
          token_hash: hash,
          user_id: userId,
          user_agent: userAgent,
          ip,
          created_at: sql`clock_timestamp()`,
          expires_at: sql`now() + make_interval(hours => ${sql.lit(ABSOLUTE_HOURS)})`,
        })
        .returning('id'),
    )
    .with('users', (query) =>
      query
        .updateTable('users')
        .set({ last_login: sql`now()` })
        .where('id', '=', userId)
        .returningAll(),
    )
    .selectFrom('users')
    .crossJoin('started')
    .leftJoin('two_step', 'two_step.user_id', 'users.id')
    .leftJoin('permission_records', 'permission_records.user_id', 'users.id')
    .select([...PERSON, 'started.id as sessionId'])
    // Most sign-ins end nothing: then no instance has to hear of them.
    .select(
      sql<boolean>`(select pg_notify(${sql.lit(CHANNEL)}, 'revoked ' || users.id) where exists (select from ended)) is not null`.as(
        'hasEnded',
      ),
    ),
);
