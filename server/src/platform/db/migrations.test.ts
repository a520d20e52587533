import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import own from '../../../package.json' with { type: 'json' };
import { contractionsOf } from '../../../test/contractions.ts';
import { emptyDatabase, lineTo } from '../../../test/database.ts';
import { createLog } from '../log.ts';
import { clientConfig } from './database.ts';
import { breaksBefore, isBreaking, migrate, readMigrations, type Migration } from './migrations.ts';

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

/** Migrates to the version before this one, and returns all migrations. */
async function migrateBefore(version: number): Promise<Migration[]> {
  const migrations = await readMigrations();
  await migrate(
    database.connection,
    migrations.filter((one) => one.version < version),
    log,
  );
  return migrations;
}

test('the start migrates once when several instances start at the same time', async () => {
  const migrations = await readMigrations();
  await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection, migrations, log)));
  const applied = await query<{ version: number }>('select version from schema_migrations order by version');
  expect(applied.map((row) => row.version)).toEqual(migrations.map((one) => one.version));
});

test('no index depends on an ICU collation, so that another build of PostgreSQL needs no index built again', async () => {
  await migrate(database.connection, await readMigrations(), log);
  const indexes = await query(
    `select indexrelid::regclass::text as name from pg_index, unnest(indcollation) as used
     where exists (select from pg_collation where oid = used and collprovider = 'i')`,
  );
  expect(indexes).toEqual([]);
});

/** Later migrations keep the former release running: docs/developing.md, A new migration. */
const LAST_FREE = 78;

/** Returns why a migration may not follow the newest release; undefined if it may. */
function objectionTo(one: Pick<Migration, 'sql'>): string | undefined {
  const [contraction] = contractionsOf(one.sql);
  if (isBreaking(one)) {
    const release = breaksBefore(one);
    if (release === null) return 'begins with `-- Breaking: `, so that every earlier release stops';
    const isReleased = release.localeCompare(own.version, 'en', { numeric: true }) <= 0;
    return isReleased ? undefined : `breaks releases before ${release}, which is not released`;
  }
  if (contraction === undefined || one.sql.startsWith('-- Not breaking: ')) return undefined;
  return `does not say in its first line who still works after: ${contraction}`;
}

test('each new migration lets the former release work, or removes what a release has stopped using', async () => {
  const objections = (await readMigrations())
    .filter(({ version }) => version > LAST_FREE)
    .flatMap((one) => objectionTo(one) ?? []);
  expect(objections).toEqual([]);
});

describe('the check of new migrations', () => {
  test.each([
    'drop table items',
    'drop function set_deal_closed_at()',
    'drop trigger record_item_change on deal_items',
    'alter table items drop column name',
    'alter table items drop name',
    'alter table items add column a text, drop column name',
    'alter table items rename column name to title',
    'alter table items rename to parts',
    'alter index items_name_key rename to items_title_key',
    'alter table items drop constraint items_name_key',
    'alter table items alter column price set not null',
    'alter table items alter price type integer',
    'alter table items alter column price set data type integer',
    'alter table items add column a text not null',
    "alter table items add column a text not null default '', add column b text not null",
    'alter table items add column a text unique',
    'alter table items add constraint positive check (price > 0)',
    'alter table items add check (price > 0)',
    'create unique index items_by_price on items (price)',
    'do $$ begin drop table items; end $$',
    '-- create table items\ndrop table items',
  ])('the check of new migrations objects to: %s', (sql) => {
    expect(objectionTo({ sql })).toContain('does not say in its first line');
    expect(objectionTo({ sql: `-- Not breaking: nothing uses it.\n${sql}` })).toBeUndefined();
    expect(
      objectionTo({ sql: `-- Breaking before ${own.version}: it does not use it.\n${sql}` }),
    ).toBeUndefined();
  });

  test.each([
    "alter table items add column a text not null default ''",
    'alter table items add column a numeric(12, 2), add column b uuid references users',
    'alter table items add column a bigint not null generated always as identity',
    'alter table items alter column price drop not null, alter column name drop default',
    'alter table items drop constraint items_price_check',
    'create table parts (id uuid primary key, name text not null unique);\ncreate unique index parts_name on parts (name)',
    'create table parts (id uuid);\nalter table parts add check (id is not null)',
    'drop index items_price',
    'create index items_price on items (price)',
    'create function f() returns trigger language plpgsql as $$ begin drop table items; end $$',
    '-- drop table items\ncomment on table items is 1',
  ])('the check of new migrations accepts: %s', (sql) => {
    expect(objectionTo({ sql })).toBeUndefined();
  });

  test('the check of new migrations objects to a break of all releases, and of one that is not released', () => {
    expect(objectionTo({ sql: '-- Breaking: names are titles.' })).toContain('every earlier release stops');
    expect(objectionTo({ sql: '-- Breaking before 99.0.0: nobody reads it.' })).toContain('not released');
  });
});

test('the job queue has the schema with which the last release works: another one needs a migration that is marked as breaking', async () => {
  const { pgboss } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../../../node_modules/pg-boss/package.json'), 'utf8'),
  );
  expect(pgboss.schema).toBe(46);
});

test('a migration whose name is not a number and words is refused, and not left out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, '0001_copies_to_s3.sql'), '');
  expect(await readMigrations(folder)).toMatchObject([{ version: 1, name: 'copies_to_s3' }]);
  await writeFile(join(folder, '0002-copies.sql'), '');
  await expect(readMigrations(folder)).rejects.toThrow('0002-copies.sql must have a name');
});

test('docs/developing.md explains each number without a migration', async () => {
  const versions = (await readMigrations()).map(({ version }) => version);
  const gaps = Array.from({ length: versions.at(-1)! }, (_, index) => index + 1)
    .filter((number) => !versions.includes(number))
    .map((number) => String(number).padStart(4, '0'));
  const page = await readFile(join(import.meta.dirname, '../../../../docs/developing.md'), 'utf8');
  const [, named] = /^Seven numbers have no file \(([^)]+)\)/m.exec(page)!;
  expect(named!.split(', ')).toEqual(gaps);
});

describe('commission', () => {
  const user = '01930000-0000-7000-8000-0000000000aa';
  const dealership = '01930000-0000-7000-8000-0000000000bb';

  /** Migrates to the version before this one, and inserts a row with the status No deal. */
  async function installedBefore(version: number): Promise<Migration[]> {
    const migrations = await migrateBefore(version);
    await query(`
      insert into users (id, name, email, role) values ('${user}', 'Ada', 'ada@example.com', 'admin');
      insert into dealerships (id, name, address, owner_id) values ('${dealership}', 'New', '1 Pier Street', '${user}');
      insert into deals
        (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by, commission_rate)
      select gen_random_uuid(), id, '${dealership}', 'Ann', '2026-01', '${user}', '${user}', '${user}', 0
      from statuses where name = 'No deal'`);
    return migrations;
  }
  const counting = () =>
    query<{ name: string; counts: boolean | null }>(
      'select name, counts_for_commission as counts from statuses order by position',
    );

  test('commission of a new installation counts deals with the status Deal only', async () => {
    await migrate(database.connection, await readMigrations(), log);
    const counted = (await counting()).filter(({ counts }) => counts !== false);
    expect(counted).toEqual([{ name: 'Deal', counts: true }]);
  });

  test('commission of an installation with deals remains undecided for every status', async () => {
    await migrate(database.connection, await installedBefore(31), log);
    const statuses = await counting();
    expect(statuses).toHaveLength(6);
    expect(statuses.every(({ counts }) => counts === null)).toBe(true);
  });

  const audited = (action: string, before: string, after: string) =>
    `insert into audit_entries (actor_name, ip, request_id, action, entity, record_id, before, after)
     values ('Ada', '', '', 'setting.${action}', 'setting', '00000000-0000-0000-0000-000000000000', ${before}, ${after})`;

  test.each([
    ['nothing was ever set', 'select 1', null],
    [
      'the current rate never changed',
      "insert into settings (name, value) values ('commission.newSales', '8')",
      null,
    ],
    ['somebody set 0', "insert into settings (name, value) values ('commission.newSales', '0')", 0],
    [
      'another user set 0 for themselves',
      `insert into users (id, name, email, role) values ('${user.replace('aa', 'ac')}', 'Bob', 'bob@example.com', 'user');
       insert into settings (user_id, name, value) values ('${user.replace('aa', 'ac')}', 'commission.newSales', '0')`,
      null,
    ],
    [
      'the audit log contains a 0',
      audited('updated', `'{"commission.newSales": 0}'`, `'{"commission.newSales": 8}'`),
      0,
    ],
    [
      'the audit log contains all rates, and none was 0',
      `${audited('created', 'null', `'{"commission.newSales": 7}'`)};
       insert into settings (name, value, version) values ('commission.newSales', '8', 2)`,
      null,
    ],
    [
      'a former rate is unknown',
      "insert into settings (name, value, version) values ('commission.newSales', '8', 2)",
      0,
    ],
  ])('a stored rate of 0 where %s', async (_, installed, rate) => {
    const migrations = await installedBefore(32);
    await query(installed);
    await migrate(database.connection, migrations, log);
    expect(await query('select commission_rate::float8 as rate from deals')).toEqual([{ rate }]);
  });
});

test('a renaming migration leaves the digests of audit entries as they were', async () => {
  const migrations = await migrateBefore(43);
  await query(`insert into audit_entries (actor_name, ip, request_id, action, entity, after)
    values ('Ada', '192.0.2.1', 'r', 'deal.created', 'deal', '{"vehicle": "Ute"}')`);
  await query(`insert into audit_sealed select id, 1, audit_digest(entry, audit_values_digest(salt, before, after))
    from audit_entries as entry`);
  await migrate(database.connection, migrations, log);
  expect(
    await query(`select audit_digest(entry, audit_values_digest(salt, before, after)) = digest as same
      from audit_entries as entry join audit_seal_entries on entry_id = entry.id`),
  ).toEqual([{ same: true }]);
});

test('a migration counts the audit entries that are sealed, by quarter of an hour and by person', async () => {
  const migrations = await migrateBefore(73);
  await query(`insert into audit_entries (created_at, actor_id, actor_name, ip, request_id, action, entity)
    select '2026-03-01 10:14:59.9Z'::timestamptz + n * interval '100 ms', gen_random_uuid(), '', '', '', 'item.updated', 'item'
    from generate_series(0, 3) as n`);
  await query(`insert into audit_seal_entries select id, 1, '' from audit_entries order by id limit 3`);
  await migrate(database.connection, migrations, log);
  expect(
    await query(`select thousand::int, extract(minute from quarter)::int as minute, entries, by_people, first_id::int,
      last_id::int from audit_counts order by first_id`),
  ).toEqual([
    { thousand: 0, minute: 0, entries: 1, by_people: 1, first_id: 1, last_id: 1 },
    { thousand: 0, minute: 15, entries: 2, by_people: 2, first_id: 2, last_id: 3 },
  ]);
  expect(
    await query('select thousand::int, actions, last_id::int from audit_people order by last_id'),
  ).toEqual([1, 2, 3].map((last_id) => ({ thousand: 0, actions: 1, last_id })));
});

test('a migration renames the kinds of stored notifications', async () => {
  const migrations = await migrateBefore(60);
  await query(`
    with ada as (
      insert into users (id, name, email, role) values (gen_random_uuid(), 'Ada', 'ada@example.com', 'admin') returning id
    )
    insert into notifications (id, user_id, kind, record_id)
    select gen_random_uuid(), ada.id, kind, gen_random_uuid()
    from ada, unnest(array['handedOver', 'mailParked', 'shared']) as kind`);
  await migrate(database.connection, migrations, log);
  expect(await query('select kind from notifications order by kind')).toEqual([
    { kind: 'mailHeld' },
    { kind: 'shared' },
    { kind: 'transferred' },
  ]);
});

test('a failed migration rolls back those before it in the same start, and the next start applies all', async () => {
  const first = migration(1, 'create table one (id int)');
  const good = migration(2, 'create table two (id int)');
  const bad = migration(3, 'create table three (id int); select 1 / 0');
  const tables = () =>
    query("select to_regclass('one') as one, to_regclass('two') as two, to_regclass('three') as three");
  await migrate(database.connection, [first], log);
  await expect(migrate(database.connection, [first, good, bad], log)).rejects.toThrow(
    'Migration 3 m3 failed: division by zero. Nothing was changed',
  );
  expect(await tables()).toEqual([{ one: 'one', two: null, three: null }]);
  await migrate(database.connection, [first, good, migration(3, 'create table three (id int)')], log);
  expect(await tables()).toEqual([{ one: 'one', two: 'two', three: 'three' }]);
});

test('the start rejects a database of a newer release without changing it', async () => {
  await migrate(database.connection, [migration(1, 'select 1'), migration(2, 'select 2')], log);
  await expect(migrate(database.connection, [migration(1, 'select 1')], log)).rejects.toThrow(
    'newer release (migration 2 m2)',
  );
});

test('the start rejects an applied migration that was edited afterwards', async () => {
  await migrate(database.connection, [migration(1, 'select 1')], log);
  await expect(migrate(database.connection, [migration(1, 'select 3')], log)).rejects.toThrow(
    'Migration 1 m1 differs',
  );
});

describe('a pooler', () => {
  const replace = (from: Buffer, to: Buffer) => (chunk: Buffer) => {
    const at = chunk.indexOf(from);
    if (at >= 0) to.copy(chunk, at);
    return chunk;
  };
  /** The id of the session in the message BackendKeyData, after its type and length. */
  const KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

  test.each([
    // Beyond `jit`, whose default a server may have off as well.
    [
      'that changes one setting',
      { toServer: replace(Buffer.from('timezone=UTC'), Buffer.from('timezone=GMT')) },
    ],
    ['that shares its sessions', { toClient: replace(KEY, Buffer.from([...KEY, 1, 2, 3, 4])) }],
  ])('a pooler %s is refused in one line, and nothing is changed', async (_case, rewrite) => {
    const { line, connection } = await lineTo(database.connection, rewrite);
    try {
      await expect(migrate(connection, await readMigrations(), log)).rejects.toThrow(
        /^The database address leads to a pooler\. [^\n]+$/,
      );
      expect(await query("select 1 from pg_namespace where nspname = 'forecourt'")).toEqual([]);
    } finally {
      await line.close();
    }
  });
});

test('records breaking migrations also in a database whose earlier release had no mark of them', async () => {
  const first = migration(1, 'create table one (id int)');
  await migrate(database.connection, [first], log);
  await query('alter table schema_migrations drop column breaking, drop column breaks_before');
  const later = [
    migration(2, '-- Breaking: one is two.\nalter table one rename to two'),
    migration(3, '-- Breaking before 1.2.0: two has no reader.\ndrop table two'),
  ];
  await migrate(database.connection, [first, ...later], log);
  expect(
    await query('select version, breaking, breaks_before from schema_migrations order by version'),
  ).toEqual([
    { version: 1, breaking: false, breaks_before: null },
    { version: 2, breaking: true, breaks_before: null },
    { version: 3, breaking: true, breaks_before: '1.2.0' },
  ]);
});
