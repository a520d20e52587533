import { inject } from 'vitest';
import { openDatabase, type Connection, type Database } from '../src/platform/db/database.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { administer } from './postgres.global.ts';

export type TestDatabase = Database & { connection: Connection };

async function createDatabase(template: string) {
  const { server } = inject('postgres');
  const database = `test_${newId().replaceAll('-', '')}`;
  await administer(server, `create database ${database} template ${template}`);
  return {
    connection: { ...server, database },
    drop: async () => {
      // Not `with (force)`: that may not end an autovacuum worker, which a plain drop sends away by itself.
      await administer(
        server,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${database}' and usename = current_user`,
      );
      await administer(server, `drop database ${database}`);
    },
  };
}

/** A migrated database of the caller's own. `close` drops it. */
export async function testDatabase(): Promise<TestDatabase> {
  const { connection, drop } = await createDatabase(inject('postgres').template);
  const opened = openDatabase(connection, createLog('silent'), 6);
  return {
    db: opened.db,
    connection,
    async close() {
      await opened.close();
      await drop();
    },
  };
}

/** An empty database without a schema, for tests of migrations. */
export async function emptyDatabase() {
  const { connection, drop } = await createDatabase('template1');
  return {
    connection,
    url: urlOf(connection),
    close: drop,
  };
}

/** The same as the URL that DATABASE_URL would carry. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString;
  const { database, port, ...rest } = connection;
  return `postgresql:///${database}?${new URLSearchParams({ ...rest, port: String(port) }).toString()}`;
}
