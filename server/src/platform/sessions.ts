import { sessionDefaults } from '@forecourt/contract/permission-defaults';
import { sql, type RawBuilder } from 'kysely';
import type { Entry } from './audit.ts';
import type { Db, Tx } from './db/database.ts';
import { prepared } from './db/prepared.ts';
import { CHANNEL } from './db/schemas.ts';
import { createStatementBatcher } from './db/statement-batcher.ts';
import type { Origin, Viewer, TxContext } from './http/context.ts';
import { AppError } from './http/errors.ts';
import { newId, newToken, tokenHash } from './ids.ts';
import type { EventBus } from './live/event-bus.ts';
import type { Log } from './log.ts';
import {
  isLive,
  VIEWER_COLUMNS,
  readLive,
  readImpersonated,
  sessionLimit,
  toViewer,
  viewerOfRow,
  viewerOf,
  type ReadViewer,
} from './viewers.ts';

/** A session ends after this time even if it is in use (docs/product/people-and-permissions.md, Sessions). */
const ABSOLUTE_HOURS = 12;

/** How long a viewer is cached while revocations can be received. */
const CACHE_MS = 5000;

/** Days for which an ended session is stored after its expiry. A later sign-in deletes it. */
const RETENTION_DAYS = 30;
/** Maximum sessions deleted by one sign-in, to keep it fast. */
const MAX_DELETED = 100;

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Sessions of signed-in users. Every request reads its viewer here; a viewer is cached for at most 5 s, and dropped at
 * once if an instance revokes it. While revocations cannot be received, every request reads the database, and earlier
 * entries are not used afterwards.
 */
export function createSessions(db: Db, eventBus: EventBus, log: Log) {
  const cache = new Map<string, ReadViewer & { until: number }>();
  /** Batched, because hundreds of live streams read their sessions every few seconds. */
  const readBatched = createStatementBatcher((hashes: readonly Buffer[]) => readLive(db, hashes), {
    maxItems: 500,
    recordOf: (hash) => hash.toString('base64'),
  });
  let revocations = 0;
  const invalidate = (userId: string): void => {
    revocations += 1;
    for (const [key, { viewer }] of cache) {
      if ([viewer.userId, viewer.viewedBy?.userId].includes(userId)) cache.delete(key);
    }
  };
  const invalidateAll = (): void => {
    revocations += 1;
    cache.clear();
  };
  eventBus.on('revoked', invalidate);
  eventBus.on('restored', invalidateAll);
  eventBus.on('custom-fields', invalidateAll);
  eventBus.on('resumed', invalidateAll);

  /**
   * Returns a function that reads the viewer of a token, for a stream that authenticates before each delivery: the
   * token is hashed once. Throws like `read`.
   */
  function reader(token: string | undefined, { background, viewing = '' }: Reading): () => Promise<Viewer> {
    const hash = token && token.length <= 100 ? tokenHash(token) : undefined;
    const key = (hash?.toString('base64') ?? '') + viewing;
    return async () => {
      if (!hash) throw new AppError('NOT_SIGNED_IN');
      const entry = cache.get(key);
      const isFresh = entry && entry.until > performance.now() && eventBus.isListening();
      // The next request that counts as use records it.
      if (isFresh && (background || !entry.isUseDue)) return entry.viewer;
      const before = revocations;
      const row = await viewerOfRow(db, await readBatched('', hash), hash, background, log);
      if (viewing !== '') row.viewer = await readImpersonated(db, viewing, row.viewer);
      // A viewer that was read during a revocation (perhaps of a missed message) may be older than it.
      if (before === revocations && eventBus.isListening()) {
        // Random, because a thousand viewers that expire at the same time would delay the events of their streams.
        const cachedMs = CACHE_MS * (0.5 + Math.random() / 2);
        cache.set(key, { ...row, until: performance.now() + cachedMs });
      }
      if (cache.size > 10_000) cache.clear();
      return row.viewer;
    };
  }

  return {
    reader,

    /**
     * Returns the viewer of a token. Throws NOT_SIGNED_IN if it is unknown, ended or idle for too long, or its user is
     * inactive. A background request does not count as use. With `viewing`, returns the user whom an administrator
     * impersonates; throws VIEW_ENDED if the impersonation has ended.
     */
    read: (token: string | undefined, reading: Reading): Promise<Viewer> => reader(token, reading)(),

    /** Returns the viewer of a session by its id; does not count as use. Throws NOT_SIGNED_IN. */
    viewerOf: (sessionId: string): Promise<Viewer> => viewerOf(db, sessionId, log),

    /**
     * Starts a session, updates the user's last login, and ends the oldest sessions above the limit, so that the newest
     * sign-in wins. The caller has locked the user, so that parallel sign-ins cannot exceed the limit.
     */
    async start(
      ctx: SessionContext,
      userId: string,
      origin: Origin,
      { entry = null, failures = null }: Partial<StartedWith> = {},
    ): Promise<{ token: string; viewer: Viewer }> {
      const token = newToken();
      const { userAgent, ip } = origin;
      const [session] = await insertSession(ctx.db, {
        id: newId(),
        userId,
        hash: tokenHash(token),
        userAgent,
        ip,
        entry,
        failures,
      });
      if (session!.hasEnded) ctx.afterCommit(() => invalidate(userId));
      return { token, viewer: toViewer(session!, session!.sessionId, log) };
    },

    /** Applies changed permissions of a user on every instance at once, and ends sessions above the limit. */
    async applyPermissions(ctx: SessionContext, userId: string): Promise<void> {
      await endAboveLimit(ctx.db, userId, sql.lit(0)).execute();
      await this.refresh(ctx, userId);
    },

    /** Returns the live sessions of a user, most recently used first. */
    list: (tx: Db | Tx, userId: string): Promise<LiveSession[]> =>
      tx
        .selectFrom('sessions')
        .leftJoin('permission_records', 'permission_records.user_id', 'sessions.user_id')
        .where('sessions.user_id', '=', userId)
        .where(isLive)
        .orderBy('last_used_at', 'desc')
        .orderBy('sessions.id', 'desc')
        .select(['id', 'user_agent', 'ip', 'created_at', 'last_used_at', 'expires_at'])
        .execute(),

    /** Ends sessions of a user, all of them or those selected by `which`, on every instance at once. */
    async end(
      ctx: SessionContext,
      userId: string,
      because: string,
      which: (query: EndingQuery) => EndingQuery = (query) => query,
    ): Promise<void> {
      await which(endingQuery(ctx.db, userId, because)).execute();
      await this.refresh(ctx, userId);
    },

    /** Makes every instance read the user and their permissions again. */
    async refresh(ctx: SessionContext, userId: string): Promise<void> {
      await eventBus.send(ctx.db, 'revoked', userId);
      // This instance does not wait for its own message.
      ctx.afterCommit(() => invalidate(userId));
    },
  };
}

type Reading = {
  background: boolean;
  /** The id of an impersonation, from the header X-View-As. */
  viewing?: string | undefined;
};

export type LiveSession = {
  id: string;
  user_agent: string;
  ip: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
};

/** The parts of a context that changes of sessions need. */
type SessionContext = Pick<TxContext, 'db' | 'afterCommit'>;

const endingQuery = (tx: Db | Tx, userId: string, because: string) =>
  tx
    .updateTable('sessions')
    .set({ ended_at: sql`now()`, end_reason: because })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
type EndingQuery = ReturnType<typeof endingQuery>;

/** Ends the user's oldest live sessions above the limit, with room for `more` new ones. */
const endAboveLimit = (tx: Db | Tx, userId: string, more: RawBuilder<number>) => {
  const allowed = sql<number>`coalesce(
    (select ${sessionLimit('maxSessions')} from permission_records where user_id = ${userId}),
    ${sql.lit(sessionDefaults.maxSessions)}) - ${more}`;
  const above = tx
    .selectFrom('sessions')
    .leftJoin('permission_records', 'permission_records.user_id', 'sessions.user_id')
    .select('sessions.id')
    .where('sessions.user_id', '=', userId)
    .where(isLive)
    .orderBy('sessions.created_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .offset(allowed);
  // A list in an array is read once; by a join it may be read again for each row.
  return endingQuery(tx, userId, 'signed in elsewhere').where(sql<boolean>`id = any(array(${above}))`);
};

const expired = (db: Db | Tx) =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<', sql<string>`now() - make_interval(days => ${sql.lit(RETENTION_DAYS)})`)
    .limit(sql.lit(MAX_DELETED))
    // Concurrent sign-ins do not wait for each other's rows.
    .forUpdate()
    .skipLocked();

/** What the statement of a new session also writes: its audit entry, and the end of failed attempts. */
export type StartedWith = {
  entry: Entry | null;
  failures: { account: string; ids: readonly number[] } | null;
};
type NewSession = { id: string; userId: string; hash: Buffer; userAgent: string; ip: string } & StartedWith;

/** Period of failed sign-ins, as in `record_sign_in_failure` (docs/product/people-and-permissions.md, Sign-in). */
const FAILURES_SINCE = sql`now() - interval '15 minutes'`;

/** Deletes all failures of an account, those with these ids, and expired ones of any user. */
export function deleteFailures(db: Db | Tx, { account, ids }: { account: string; ids: readonly number[] }) {
  const failures = db.selectFrom('sign_in_failures').select('id');
  const old = failures
    .where('created_at', '<', sql<string>`${FAILURES_SINCE}`)
    .forUpdate()
    .skipLocked();
  // A list of ids uses the index; separate conditions would scan every row.
  return db
    .deleteFrom('sign_in_failures')
    .where(
      sql<boolean>`id = any(${ids}::bigint[] || array(${failures.where('subject', '=', account)}) || array(${old}))`,
    );
}

/**
 * Inserts a session, updates the user's last login, ends sessions above the limit, and deletes some old sessions of any
 * user. Returns the user with the new session, and whether a session was ended.
 */
const insertSession = prepared((db, { id, userId, hash, userAgent, ip, entry, failures }: NewSession) =>
  db
    .with('removed', (query) =>
      query.deleteFrom('sessions').where(sql<boolean>`id = any(array(${expired(db)}))`),
    )
    .with('ended', () => endAboveLimit(db, userId, sql.lit(1)).returning('id'))
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
    .with('audited', () => (entry ? db.insertInto('audit_entries').values(entry) : (sql`(select)` as never)))
    .with('cleared', () => (failures ? deleteFailures(db, failures) : (sql`(select)` as never)))
    .selectFrom('users')
    .crossJoin('started')
    .leftJoin('two_step', 'two_step.user_id', 'users.id')
    .leftJoin('permission_records', 'permission_records.user_id', 'users.id')
    .select([...VIEWER_COLUMNS, 'started.id as sessionId'])
    // Most sign-ins end no session, so they publish nothing.
    .select(
      sql<boolean>`(select pg_notify(${sql.lit(CHANNEL)}, 'revoked ' || users.id) where exists (select from ended)) is not null`.as(
        'hasEnded',
      ),
    ),
);
