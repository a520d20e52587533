import {
  Kysely,
  PostgresDialect,
  sql,
  type DeleteResult,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type Transaction,
  type UpdateResult,
} from 'kysely';
import pg from 'pg';
import { urlsOf } from '../database-url.ts';
import type { Log } from '../log.ts';
import { BUSY_WAIT_MS, createConnectionSlots, WAIT_MS, type LockWait } from './connection-slots.ts';
import { HostsClient } from './hosts-client.ts';
import { namedStatements } from './named-statements.ts';
import type { Tables } from './schema.generated.ts';
import { EXTENSION_SCHEMA, SCHEMA } from './schemas.ts';
import { createStallWatch, type StallWatch } from './stalls.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Ends the query of a write: `.$call(affectsRows)`. Returns whether any row was inserted, changed or deleted. */
export async function affectsRows(write: {
  executeTakeFirst(): Promise<InsertResult | UpdateResult | DeleteResult>;
}): Promise<boolean> {
  const result = await write.executeTakeFirst();
  if ('numUpdatedRows' in result) return result.numUpdatedRows > 0n;
  return ('numDeletedRows' in result ? result.numDeletedRows : (result.numInsertedOrUpdatedRows ?? 0n)) > 0n;
}

/** Ends a query: `.$call(countRows)`. */
export async function countRows<D, T extends keyof D, O>(
  query: SelectQueryBuilder<D, T, O>,
): Promise<number> {
  const counted = query.clearSelect().select(sql`count(*)`.as('count'));
  return (await counted.$castTo<{ count: number }>().executeTakeFirstOrThrow()).count;
}

/** Serialises transactions by a name, for limits counted before an insert and for rows that do not exist yet. */
export async function lockName(db: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** Lets a transaction wait for work outside the database for longer than 15 s. */
export async function allowIdle(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}

/** Ends a query: `.$call(valuesOf('id'))` returns a column of all rows. */
export const valuesOf =
  <K extends string>(column: K) =>
  async <V>(query: { execute(): Promise<Record<K, V>[]> }): Promise<V[]> =>
    (await query.execute()).map((row) => row[column]);

/** What a pooler in front of PostgreSQL is known to do, and the connection to the server behind it. */
type Pooler = {
  direct: Connection;
  /** Whether the pooler keeps prepared statements apart by client. */
  hasNamedStatements: boolean;
};

/** A URL of PostgreSQL or of a pooler, or the socket of the embedded server. Of several hosts it is the primary, or a replica. */
export type Connection =
  | { connectionString: string; pooler?: Pooler; isReplica?: true }
  | { host: string; port: number; user: string; database: string };

const OID = { int8: 20, numeric: 1700, timestamptz: 1184, date: 1082 };

/** Converts `2026-11-20 01:02:03.45678+00`, also with a `T`, to `2026-11-20T01:02:03.456Z`, 2.3 times faster than a Date object. */
export const toInstant = (text: string): string => {
  const fraction = /\.(\d+)\+/.exec(text)?.[1] ?? '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
};

/** Escapes the wildcards of LIKE. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (special) => `\\${special}`);

/** The database's time, this many seconds from now. */
export const secondsFromNow = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/** Formats a timestamp inside JSON like `toInstant`, because type parsers do not apply there. */
export const jsonInstant = (time: RawBuilder<unknown>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const parsers: Record<number, (text: string) => unknown> = {
  [OID.int8]: Number,
  // A number is exact to the cent within numeric(12, 2). Sums are only computed in SQL.
  [OID.numeric]: Number,
  [OID.timestamptz]: toInstant,
  [OID.date]: (text) => text,
};

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
};

/**
 * Settings of every session, regardless of the defaults of server, database or role. JIT costs more than it saves:
 * statements are short, and without statistics their estimated cost is far too high.
 */
export const SETTINGS = {
  search_path: `${SCHEMA},${EXTENSION_SCHEMA}`,
  jit: 'off',
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  idle_session_timeout: '0',
};

/** Limits for a slow database, in milliseconds (docs/product/security.md, Slow or locked database). */
export const LIMITS = {
  statement_timeout: '10000',
  lock_timeout: '3000',
  idle_in_transaction_session_timeout: '15000',
};

/** For work that may take long, such as a migration. */
export const NO_LIMITS: typeof LIMITS = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/**
 * Without them PostgreSQL notices the loss of an instance's machine after two hours, until which a session that waits
 * keeps its locks. They have no effect on a socket.
 */
const SERVER_KEEP_ALIVE = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
};

/**
 * Returns the connection with all settings as startup options, which cost no round trip. They override `ALTER ROLE`,
 * `ALTER DATABASE` and the same settings in the URL's `options`. A pooler refuses or drops them: behind it they are
 * settings of the role (`preparePooler`).
 */
export function withSettings(
  connection: Connection,
  limits: typeof LIMITS & Partial<typeof SETTINGS> = LIMITS,
) {
  const options = Object.entries({ ...SETTINGS, ...SERVER_KEEP_ALIVE, ...limits })
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');
  if (!('connectionString' in connection)) return { ...connection, options };
  // Set in the URL, because `pg` prefers its parameters to other options.
  const urls = urlsOf(connection.connectionString).map((text) => {
    if (connection.pooler) return text;
    const url = new URL(text);
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${options}`.trim());
    return url.href;
  });
  const connectionString = urls[0]!;
  const { isReplica } = connection;
  return urls.length === 1
    ? { connectionString }
    : { connectionString, urls, Client: HostsClient, ...(isReplica && { isReplica }) };
}

/** The application name of sessions that serve requests. Other sessions have another name. */
export const REQUESTS = 'forecourt';

/** Detects a dead machine within 20 s while a connection waits, even for a statement without a limit. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Returns pg's configuration for a dedicated connection, such as the listening one. */
export const clientConfig = (connection: Connection, limits = LIMITS): pg.ClientConfig => ({
  ...withSettings(connection, limits),
  types,
  ...KEEP_ALIVE,
  // A busy machine may need seconds to start a session.
  connectionTimeoutMillis: 10_000,
  application_name: REQUESTS,
});

/**
 * Collects statistics of every table of the current schema. Autovacuum never does that for small tables, and too late
 * for tables that were just filled.
 */
export const ANALYZE_TABLES = `do $$ declare name regclass; begin
  for name in select oid from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace loop
    execute format('analyze %s', name);
  end loop;
end $$`;

/** Number of connections, and of callers that wait for one. */
type Connections = { inUse: number; idle: number; waiting: number };

export type Database = {
  db: Db;
  /** Returns why statements currently get no response. */
  stall: StallWatch['current'];
  /** The connections for requests. */
  connections: () => Connections;
  close(): Promise<void>;
};

/** The timeout of statements about other sessions. */
const MONITOR_MS = 3000;

/** Selects a session of the product whose commit has waited for a standby for this many milliseconds. */
const UNCONFIRMED = `
  select from pg_stat_activity
  where wait_event = 'SyncRep' and datname = current_database() and usename = current_user
    and query_start < now() - make_interval(secs => $1 / 1000.0)
  limit 1`;

/**
 * Selects which of these sessions wait, directly or behind others, for a lock of a session that serves no request.
 * Requests that wait for each other end soon.
 */
export const LOCK_WAITS = `
  with recursive waits as materialized (
    select pid, pg_blocking_pids(pid) as blockers from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()
  ), locked_out as (
    select pid from waits where 0 = any(blockers) or exists (
      select from pg_stat_activity holder
      where holder.pid = any(blockers) and holder.application_name <> '${REQUESTS}')
    union
    select waits.pid from waits join locked_out on locked_out.pid = any(waits.blockers)
  )
  select pid, (select relname from pg_locks join pg_class on pg_class.oid = relation
    where pg_locks.pid = locked_out.pid and not granted limit 1) as "table"
  from locked_out where pid = any($1)`;

/** Opens a pool, which connects on the first query. Waiting longer than `waitMs` for a connection throws. */
export function openDatabase(
  connection: Connection,
  log: Log,
  size = 10,
  waitMs = WAIT_MS,
  limits = LIMITS,
): Database {
  const spare = Math.ceil(size / 2);
  let isClosing = false;
  const pooler = 'connectionString' in connection ? connection.pooler : undefined;
  const openPool = (to: Connection, max: number, config: pg.PoolConfig = {}): pg.Pool => {
    const pool = new pg.Pool({
      ...clientConfig(to, limits),
      ...config,
      // The slots limit the wait for a free connection, so this limits the time to open one.
      connectionTimeoutMillis: Math.max(waitMs, BUSY_WAIT_MS),
      max,
      idleTimeoutMillis: 30_000,
    });
    // The next query opens another connection. Without listeners an error would end the process, both for an idle
    // connection and for one in a transaction. While the pool closes, a stopping database may end its connections
    // first.
    const logLost = (error: Error): void => {
      if (!isClosing) log.warn({ reason: error.message }, 'database connection lost');
    };
    pool.on('error', logLost);
    pool.on('connect', (client) => client.on('error', logLost));
    return pool;
  };
  // Connects only while all other connections are in use.
  const monitor = openPool(pooler?.direct ?? connection, 1, { query_timeout: MONITOR_MS });
  const slots = createConnectionSlots(
    size,
    spare,
    // Behind a pooler it is not known in which session a statement runs.
    async (pids) => (pooler ? [] : (await monitor.query<LockWait>(LOCK_WAITS, [pids])).rows),
    waitMs,
  );
  const stalls = createStallWatch(Number(limits.statement_timeout), async (waitedMs) => {
    const { rowCount } = await monitor.query(UNCONFIRMED, [waitedMs]);
    return rowCount !== 0;
  });
  const pool = openPool(connection, size + spare);
  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: namedStatements(pool, slots, stalls, pooler?.hasNamedStatements ?? true),
    }),
  });
  return {
    db,
    stall: stalls.current,
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: slots.waiting() + pool.waitingCount,
    }),
    async close() {
      isClosing = true;
      await db.destroy();
      await monitor.end();
    },
  };
}
