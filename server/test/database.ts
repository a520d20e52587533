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
    drop: () => administer(server, `drop database ${database} with (force)`),
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
    /** The same as the URL that DATABASE_URL would carry. */
    url: urlOf(connection),
    close: drop,
  };
}

const urlOf = ({
  host,
  port,
  user,
  password = '',
  database,
}: {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}) =>
  `postgresql:///${database}?${new URLSearchParams({ host, port: String(port), user, password }).toString()}`;
