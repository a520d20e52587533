import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/database.ts';
import { createLog } from '../log.ts';
import { clientConfig } from './database.ts';
import { migrate, readMigrations, type Migration } from './migrations.ts';

const log = createLog('silent');
let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.close());

async function query<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
  const client = new pg.Client(clientConfig(database.connection));
  await client.connect();
  const { rows } = await client.query<R>(text);
  await client.end();
  return rows;
}

const migration = (version: number, sql: string): Migration => ({
  version,
  name: `m${version}`,
  sql,
  checksum: sql,
});

test('several instances that start at once migrate once', async () => {
  const migrations = await readMigrations();
  await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection, migrations, log)));
  const applied = await query<{ version: number }>('select version from schema_migrations order by version');
  expect(applied.map((row) => row.version)).toEqual(migrations.map((one) => one.version));
});

test('a migration that fails leaves nothing of itself, and the next start goes on from there', async () => {
  const good = migration(1, 'create table one (id int)');
  const bad = migration(2, 'create table two (id int); select 1 / 0');
  await expect(migrate(database.connection, [good, bad], log)).rejects.toThrow('division by zero');
  expect(await query("select to_regclass('one') as one, to_regclass('two') as two")).toEqual([
    { one: 'one', two: null },
  ]);
  await migrate(database.connection, [good, migration(2, 'create table two (id int)')], log);
  expect(await query("select to_regclass('two') as two")).toEqual([{ two: 'two' }]);
});

test('a database of a newer release is refused and left alone', async () => {
  await migrate(database.connection, [migration(1, 'select 1'), migration(2, 'select 2')], log);
  await expect(migrate(database.connection, [migration(1, 'select 1')], log)).rejects.toThrow(
    'newer release (migration 2 m2)',
  );
});

test('an applied migration that was edited afterwards is refused', async () => {
  await migrate(database.connection, [migration(1, 'select 1')], log);
  await expect(migrate(database.connection, [migration(1, 'select 3')], log)).rejects.toThrow(
    'Migration 1 m1 differs',
  );
});
