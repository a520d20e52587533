import pg from 'pg';
import { clientConfig, EXTENSION_SCHEMA, SCHEMA, type Connection } from './database.ts';

/** Values come as PostgreSQL writes them, and work may take as long as it takes. */
const SETTINGS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set extra_float_digits = 1; set bytea_output = hex; set intervalstyle = postgres;
  set synchronize_seqscans = off; set maintenance_work_mem = '128MB'; set row_security = off;`;

/** A schema's or table's name inside a statement. */
export const ident = (name: string): string => pg.escapeIdentifier(name);

/** Names are looked up in this schema from now on, and in that of the extensions. */
export const useSchema = async (client: pg.Client, schema: string): Promise<void> => {
  await client.query(`set search_path = ${ident(schema)}, ${ident(EXTENSION_SCHEMA)}`);
};

/**
 * A connection of its own for work that is long or spans many statements, such as a backup. It is closed when
 * `work` is over, however that ends; so what it had begun and not committed is gone. `signal` closes it at once.
 */
export async function withClient<R>(
  connection: Connection,
  work: (client: pg.Client) => Promise<R>,
  { schema = SCHEMA, signal }: { schema?: string; signal?: AbortSignal | undefined } = {},
): Promise<R> {
  signal?.throwIfAborted();
  const client = new pg.Client(clientConfig(connection));
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
