import { defaultRecord } from '@forecourt/contract/permissions';
import { sql } from 'kysely';
import type { Db, Tx } from './db/database.ts';
import type { Context, Origin, Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
import { newId, newToken, tokenHash } from './ids.ts';
import type { Notices } from './live/notices.ts';
import { isLive, readViewed, readViewer, type Found } from './viewers.ts';

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
    async read(
      token: string | undefined,
      { background, viewing = '', within = db }: Reading,
    ): Promise<Viewer> {
      if (!token || token.length > 100) throw new AppError('NOT_SIGNED_IN');
      const key = tokenHash(token).toString('base64') + viewing;
      const entry = trusted.get(key);
      const isFresh = entry && entry.until > performance.now() && notices.areHeard();
      // A background call leaves use to be written down by the next call that is use.
      if (isFresh && (background || !entry.isUseDue)) return entry.viewer;
      const before = revocations;
      const found = await readViewer(within, { hash: tokenHash(token) }, background);
      if (viewing !== '') found.viewer = await readViewed(within, viewing, found.viewer);
      // What was read while something was revoked, or could have been unheard, may be older than that.
      if (before === revocations && notices.areHeard()) {
        trusted.set(key, { ...found, until: performance.now() + TRUSTED_MS });
      }
      if (trusted.size > 10_000) trusted.clear();
      return found.viewer;
    },

    /** The viewer of a session that has not ended, by its id, without counting as use. Throws NOT_SIGNED_IN. */
    viewerOf: async (sessionId: string): Promise<Viewer> =>
      (await readViewer(db, { sessionId }, true)).viewer,

    /**
     * Starts a session, which is a person's newest login, and ends the oldest ones beyond what they may have: the
     * newest sign-in wins. The caller has locked the person's row, so that parallel sign-ins cannot each see room.
     */
    async start(ctx: Writing, userId: string, origin: Origin): Promise<string> {
      const token = newToken();
      await insertSession(ctx.db, { userId, hash: tokenHash(token), origin });
      // Most sign-ins end nothing: then nobody has to hear of them.
      if ((await endOldest(ctx.db, userId)) > 0) await this.refresh(ctx, userId);
      return token;
    },

    /** Makes new rights of a person hold on every instance at once, and ends the sessions beyond what they may have. */
    async applyRights(ctx: Writing, userId: string): Promise<void> {
      await endOldest(ctx.db, userId);
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
  within?: Db | Tx;
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

const endingQuery = (tx: Tx, userId: string, because: string) =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, ended_because: because })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
type EndingQuery = ReturnType<typeof endingQuery>;

/** A new session and its person's last login; removes some that are long past, of anybody. */
async function insertSession(
  tx: Tx,
  { userId, hash, origin }: { userId: string; hash: Buffer; origin: Origin },
): Promise<void> {
  await tx
    .with('removed', (query) =>
      query.deleteFrom('sessions').where('id', 'in', (eb) =>
        eb
          .selectFrom('sessions')
          .select('id')
          .where('expires_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
          .limit(REMOVED_AT_ONCE)
          // Sign-ins at the same time do not wait for each other's.
          .forUpdate()
          .skipLocked(),
      ),
    )
    .with('seen', (query) =>
      query
        .updateTable('users')
        .set({ last_login: sql`now()` })
        .where('id', '=', userId),
    )
    .insertInto('sessions')
    .values({
      id: newId(),
      token_hash: hash,
      user_id: userId,
      user_agent: origin.userAgent,
      ip: origin.ip,
      created_at: sql`clock_timestamp()`,
      expires_at: sql`now() + make_interval(hours => ${ABSOLUTE_HOURS})`,
    })
    .execute();
}

/** Ends the oldest sessions of a person beyond what their permissions allow; answers how many. */
async function endOldest(tx: Tx, userId: string): Promise<number> {
  const allowed = sql<number>`coalesce((
    select (record ->> 'maxSessions')::int from permission_records where user_id = ${userId}
  ), ${defaultRecord.maxSessions})`;
  const kept = tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(allowed);
  const { numUpdatedRows } = await endingQuery(tx, userId, 'signed in elsewhere')
    .where('id', 'not in', kept)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
