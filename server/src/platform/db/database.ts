import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { namedStatements } from './named-statements.ts';
import type { Tables } from './schema.generated.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** How to reach PostgreSQL: a URL, or the socket of the embedded one. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };

/** The schemas that names are looked up in; migrations never name one (restore loads into others). */
export const SCHEMA = 'forecourt';
export const EXTENSION_SCHEMA = 'extensions';

const OID = { int8: 20, numeric: 1700, timestamptz: 1184, date: 1082 };

/** `2026-11-20 01:02:03.45678+00` to `2026-11-20T01:02:03.456Z`, without a Date object (2.3 times faster). */
const toInstant = (text: string): string => {
  const fraction = /\.(\d+)\+/.exec(text)?.[1] ?? '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
};

const parsers: Record<number, (text: string) => unknown> = {
  [OID.int8]: Number,
  // Exact to the cent within numeric(12, 2); sums are made in SQL only.
  [OID.numeric]: Number,
  [OID.timestamptz]: toInstant,
  [OID.date]: (text) => text,
};

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
};

/** Session settings of every connection: limits for slow databases (security.md L5), one zone, one search path. */
const options = [
  `search_path=${SCHEMA},${EXTENSION_SCHEMA}`,
  'timezone=UTC',
  'datestyle=ISO',
  'statement_timeout=10000',
  'lock_timeout=3000',
  'idle_in_transaction_session_timeout=15000',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** What `pg` needs for a connection of its own, such as the one that listens. */
export const clientConfig = (connection: Connection): pg.ClientConfig => ({
  ...connection,
  options,
  types,
  keepAlive: true,
  connectionTimeoutMillis: 2000,
  application_name: 'forecourt',
});

export type Database = { db: Db; close(): Promise<void> };

/** Opens a pool. Nothing connects before the first query; a wait of 2 s for a connection is an error. */
export function openDatabase(connection: Connection, log: Log, max = 10): Database {
  const pool = new pg.Pool({ ...clientConfig(connection), max, idleTimeoutMillis: 30_000 });
  // The next query opens another connection. Without listeners the process would end, both for a connection that
  // waits in the pool and for one that is lent to a transaction just then.
  const lost = (error: Error): void => log.warn({ reason: error.message }, 'database connection lost');
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: namedStatements(pool) }) });
  return { db, close: () => db.destroy() };
}
