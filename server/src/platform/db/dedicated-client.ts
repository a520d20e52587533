import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { clientConfig, NO_LIMITS, type Connection, type Tx } from './database.ts';
import { HostsClient } from './hosts-client.ts';
import type { Tables } from './schema.generated.ts';
import { EXTENSION_SCHEMA, SCHEMA } from './schemas.ts';

/** Settings that only backups need. `transaction_timeout` exists since PostgreSQL 17. */
const SETTINGS = `
  set synchronize_seqscans = off; set maintenance_work_mem = '128MB'; set row_security = off;
  select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout';`;

export const ident = (name: string): string => pg.escapeIdentifier(name);

/** Sets the search path to this schema and that of the extensions. */
export const useSchema = async (client: pg.Client, schema: string): Promise<void> => {
  await client.query(`set search_path = ${ident(schema)}, ${ident(EXTENSION_SCHEMA)}`);
};

/** Returns the client's open transaction as a `Tx`. */
export function transactionOf(client: pg.Client): Tx {
  const connection = { query: client.query.bind(client), release: () => {} };
  const pool = { options: {}, connect: async () => connection, end: async () => {} };
  // Only Kysely's own transactions have the type `Transaction`.
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) as Tx;
}

/**
 * Runs `work` on a connection of its own, for work that is long or has many statements, such as a backup. The
 * connection closes when `work` settles, which rolls back uncommitted changes. `signal` closes it at once.
 */
export async function withClient<R>(
  connection: Connection,
  work: (client: pg.Client) => Promise<R>,
  { schema = SCHEMA, signal }: { schema?: string; signal?: AbortSignal | undefined } = {},
): Promise<R> {
  signal?.throwIfAborted();
  const client = new HostsClient({
    ...clientConfig(connection, NO_LIMITS),
    application_name: 'forecourt work',
  });
  const lost = Promise.withResolvers<never>();
  // Without a listener a lost connection would end the process.
  client.on('error', (error) => lost.reject(error));
  lost.promise.catch(() => {});
  const abort = (): void => {
    lost.reject(signal?.reason as Error);
    void client.end().catch(() => {});
  };
  try {
    await client.connect();
    signal?.addEventListener('abort', abort, { once: true });
    await client.query(SETTINGS);
    await useSchema(client, schema);
    return await Promise.race([work(client), lost.promise]);
  } finally {
    signal?.removeEventListener('abort', abort);
    await client.end().catch(() => {});
  }
}
