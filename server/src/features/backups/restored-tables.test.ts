import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { MERGED, EMPTIED, preservedTables, skippedTables } from './restored-tables.ts';

const database = await testDatabase();
afterAll(() => database.close());

const names = async (query: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> =>
  (await query.execute(database.db)).rows.map(({ name }) => name);

test('every table with special treatment in a restore exists', async () => {
  const tables = await names(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  expect(tables).toEqual(expect.arrayContaining([...preservedTables(false), ...MERGED, ...EMPTIED]));
});

test('a skipped table is also skipped by each former name', async () => {
  const renames = (await readMigrations()).flatMap(({ sql }) => [
    ...sql.matchAll(/^alter table (\w+) rename to (\w+)/gm),
  ]);
  const skipped = skippedTables(false);
  const former = renames.filter(([, , name]) => skipped.has(name!)).map(([, name]) => name!);
  expect(former.length).toBeGreaterThan(3);
  expect([...skipped]).toEqual(expect.arrayContaining(former));
});

// Replacing tables would fail on these references.
test('no preserved table references a replaced one', async () => {
  const stays = [...preservedTables(false)];
  const references = await names(sql`
    select conrelid::regclass || ' to ' || confrelid::regclass as name from pg_constraint
    where contype = 'f' and conrelid::regclass::text = any(${stays}) and confrelid::regclass::text <> all(${stays})`);
  expect(references).toEqual([]);
});

test('merged tables reference restored users only', async () => {
  const carried = await names(sql`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'users'::regclass and conrelid::regclass::text = any(${[...MERGED]}) order by 1`);
  expect(carried).toEqual([...MERGED].toSorted());
});

test('the schema contains no object that a restore does not replace', async () => {
  const unknown = await names(sql`
    select relkind::text || ' ' || relname as name from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind not in ('r', 'i', 'c')
      and not (relkind = 'S' and exists (select from pg_depend where objid = c.oid and deptype = 'i'))
    union all
    select 'type ' || typname from pg_type where typnamespace = current_schema()::regnamespace and typtype in ('d', 'e', 'r')
    union all
    select 'policy ' || polname from pg_policy
    union all
    select 'virtual ' || attname from pg_attribute a join pg_class c on c.oid = attrelid
    where relnamespace = current_schema()::regnamespace and attgenerated = 'v'`);
  expect(unknown).toEqual([]);
});
