import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { catalogueOf } from '../src/features/backups/backups.fixture.ts';
import { clientConfig, openDatabase } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log.ts';
import { emptyDatabase, testDatabase } from './database.ts';
import { readSchemaScript } from './schema-script.ts';
import { readTableTypes } from './table-types.ts';

const NOTE = '-- What the migrations result in. Written by `npm run schema`; never edited by hand.\n';

const database = await testDatabase();
const client = new pg.Client(clientConfig(database.connection));
await client.connect();
afterAll(async () => {
  await client.end();
  await database.close();
});

// `npm run schema` rewrites both files after a new migration.
test('schema.sql and the table types match the result of the migrations', async () => {
  const script = NOTE + (await readSchemaScript(client));
  await expect(script).toMatchFileSnapshot('../schema.sql');
  await expect(await readTableTypes(client)).toMatchFileSnapshot('../src/platform/db/schema.generated.ts');
});

test('every id column has a foreign key, or a comment with the reason', async () => {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname || '.' || attname as name
    from pg_attribute a join pg_class c on c.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
      and attname ~ '_(id|by)$' and (atttypid in ('uuid'::regtype, 'bigint'::regtype) or attname = 'record_id')
      and col_description(c.oid, attnum) is null
      and not exists (select from pg_constraint where contype = 'f' and conrelid = c.oid and attnum = any(conkey))`);
  expect(rows).toEqual([]);
});

const INDEXED = { deals: 10, audit_entries: 4 };

test('docs/architecture.md has the query of each index of the tables with the most writes', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');
  for (const [table, most] of Object.entries(INDEXED)) {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
       where indrelid = $1::regclass order by relname`,
      [table],
    );
    const named = [...page.matchAll(/^\| `(\w+)` \| .{10,}/gm)].map(([, name]) => name!);
    expect(rows.map(({ name }) => name)).toEqual(
      named.filter((name) => name.startsWith(`${table}_`)).toSorted(),
    );
    expect(rows.length).toBeLessThanOrEqual(most);
  }
});

test('schema.sql loaded into an empty database gives the same catalogue', async () => {
  const empty = await emptyDatabase();
  const loading = new pg.Client(clientConfig(empty.connection));
  await loading.connect();
  await loading.query(readFileSync(join(import.meta.dirname, '../schema.sql'), 'utf8'));
  await loading.end();
  const loaded = openDatabase(empty.connection, createLog('silent'), 2);
  expect(await catalogueOf(loaded.db)).toEqual(await catalogueOf(database.db));
  await loaded.close();
  await empty.close();
});
