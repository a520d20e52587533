import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from './platform/config.ts';
import { REQUESTS, type Connection } from './platform/db/database.ts';
import { startEmbeddedPostgres } from './platform/db/embedded/embedded.ts';
import { createLog } from './platform/log.ts';
import { StartError } from './platform/start-error.ts';
import { directConnection } from './run.ts';

/** How long sessions of a stopped instance may still exist. */
const GONE_MS = 3000;

/**
 * Returns the connection to the database of a program that is stopped. Starts the embedded one, which no other instance
 * may use. Throws a `StartError` if there is none.
 * @param running stops the embedded database
 */
export async function openStoppedDatabase(
  config: Config,
  running: AsyncDisposableStack,
): Promise<Connection> {
  const external = directConnection(config);
  if (external) return external;
  const dataDir = resolve(config.DATA_DIR);
  if (!(await stat(join(dataDir, 'postgres')).catch(() => undefined)))
    throw new StartError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the start.`,
    );
  const own = await startEmbeddedPostgres({ dataDir, pgBin: config.PG_BIN, log: createLog('warn') });
  return running.adopt(own, (postgres) => postgres.stop()).connection;
}

/**
 * Prevents starts until the transaction ends, because a start reads `installation` before and after it opens its
 * sessions. Throws a `StartError` while an instance runs.
 */
export async function lockOut(client: pg.Client): Promise<void> {
  const until = performance.now() + GONE_MS;
  const inUse = new StartError('Forecourt is running on this database. Stop all instances first.');
  await client.query(`set local lock_timeout = ${GONE_MS}`);
  await client.query('lock table installation in access exclusive mode').catch((error: { code?: string }) => {
    throw error.code === '55P03' ? inUse : error;
  });
  for (;;) {
    await client.query('select pg_stat_clear_snapshot()');
    // A pooler keeps idle sessions of stopped instances. An instance that runs has others as well.
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'forecourt%' and (application_name <> '${REQUESTS}' or state <> 'idle')`,
    );
    if (rowCount === 0) return;
    if (performance.now() > until) throw inUse;
    await pause(100);
  }
}
