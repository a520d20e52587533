import { inject } from 'vitest';
import { LIMITS, openDatabase, type Connection, type Database } from '../src/platform/db/database.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { openFaultyLine, type FaultyLine } from './faulty-line.ts';
import { administer } from './postgres.global.ts';

/** Long enough that no test fails because a busy machine has no free connection. */
const WAIT_MS = 60_000;

export type TestDatabase = Database & { connection: Connection };

async function createDatabase(template: string) {
  const { server } = inject('postgres');
  const database = `test_${newId().replaceAll('-', '')}`;
  // Copies the files, which takes half the processor time of the default: that writes each page to the log too.
  await administer(server, `create database ${database} template ${template} strategy file_copy`);
  return {
    connection: { ...server, database },
    drop: async () => {
      // Without `with (force)`, which may not end an autovacuum worker; a plain drop ends it.
      await administer(
        server,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${database}' and usename = current_user`,
      );
      await administer(server, `drop database ${database}`);
    },
  };
}

/** The product's limits except the statement timeout, which depends on the machine. */
const TEST_LIMITS = { ...LIMITS, statement_timeout: '0' };

/** Creates a migrated database. `close` drops it. */
export async function testDatabase(limits = TEST_LIMITS): Promise<TestDatabase> {
  const { connection, drop } = await createDatabase(inject('postgres').template);
  const opened = openDatabase(connection, createLog('silent'), 6, WAIT_MS, limits);
  return {
    db: opened.db,
    stall: opened.stall,
    connections: opened.connections,
    connection,
    async close() {
      await opened.close();
      await drop();
    },
  };
}

/** Creates an empty database without a schema, for tests of migrations, or a copy of one without connections. */
export async function emptyDatabase(template = 'template1') {
  const { connection, drop } = await createDatabase(template);
  return {
    connection,
    name: connection.database,
    url: urlOf(connection),
    close: drop,
  };
}

/** Creates a migrated database for tests that start the program on it, which would take most of a second to migrate it. */
export const migratedDatabase = () => emptyDatabase(inject('postgres').template);

/** Opens a line to the server of a database, and returns it with the connection that leads through it. */
export async function lineTo(
  connection: Connection,
  rewrite?: Parameters<typeof openFaultyLine>[1],
): Promise<{ line: FaultyLine; connection: Connection }> {
  if ('connectionString' in connection) throw new TypeError('The tests connect by parameters');
  const { host, port } = connection;
  const line = await openFaultyLine(host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : port, rewrite);
  return { line, connection: { ...connection, host: '127.0.0.1', port: line.port } };
}

/** Returns a connection as a URL, as in DATABASE_URL. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { database, port, ...rest } = connection;
  return `postgresql:///${database}?${new URLSearchParams({ ...rest, port: String(port) }).toString()}`;
}
