import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp } from '../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership, addTemplate } from '../../../test/builders.ts';
import { emptyDatabase, testDatabase } from '../../../test/database.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { openMailServer } from '../../../test/smtp.ts';
import { claimDataFolder, folderPlace } from '../../platform/data-folder.ts';
import { NO_LIMITS, openDatabase, type Database, type Db } from '../../platform/db/database.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { migrate, readMigrations, type Migration } from '../../platform/db/migrations.ts';
import { createFileStore } from '../../platform/files/file-store.ts';
import { createLog } from '../../platform/log.ts';
import { callToEnd, catalogueOf, digestOf, makeOne, writeElsewhere } from './backups.fixture.ts';
import { FINAL } from './closed-months.fixture.ts';
import { fillRandomly, wipe } from './random-rows.fixture.ts';

const SETS = process.env.LONG_TESTS ? 100 : 3;

const server = await testApp();
const files = createFileStore(server.dataDir);
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
afterAll(() => server.close());

const restore = (name: string) => callToEnd(server, admin, `POST /backups/${name}/restore`);

/** A restore rewrites the restoring administrator's own row. */
const comparable = async () => {
  const { users: _users, ...digests } = await digestOf(server.db);
  return digests;
};

test(
  `${SETS} random data sets come back as they were: back up, wipe, restore`,
  { timeout: 300_000 + SETS * 20_000 },
  async () => {
    const random = seededRandom('round-trip');
    for (let set = 1; set <= SETS; set += 1) {
      await wipe(server.db);
      await fillRandomly(server.db, files, random);
      const before = await comparable();
      for (const table of FINAL) expect(before[table], table).not.toMatch(/^0 rows/);
      const name = await makeOne(server, admin);
      await wipe(server.db);
      expect(await comparable()).not.toEqual(before);
      const { status, body } = await restore(name);
      expect([status, body]).toMatchObject([
        200,
        { preRestoreBackup: expect.stringMatching(/^pre_restore_/) },
      ]);
      expect(await comparable(), `set ${set}`).toEqual(before);
    }
    process.stdout.write(`round trips: ${SETS} data sets, ${SETS} equal digests\n`);
  },
);

test('after a restore rows can be added and changed as before: counters, triggers and references exist', async () => {
  await fillRandomly(server.db, files, seededRandom('round-trip-after'));
  const name = await makeOne(server, admin);
  await restore(name);
  const { rows: withoutStatistics } = await sql`
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'forecourt'::regnamespace and reltuples < 0`.execute(server.db);
  expect(withoutStatistics).toEqual([]);
  await fillRandomly(server.db, files, seededRandom('round-trip-after-2'));
  const deal = server.db.selectFrom('deals').select('id').limit(1);
  await expect(
    server.db.updateTable('deals').set({ owner_id: ABSENT_ID }).where('id', '=', deal).execute(),
  ).rejects.toMatchObject({ code: '23503' });
  await expect(server.db.deleteFrom('audit_entries').execute()).rejects.toThrow('cannot be changed');
});

const NO_TIME_LIMITS = Object.keys({ ...NO_LIMITS, idle_session_timeout: '0' })
  .map((name) => `-c ${name}=0`)
  .join(' ');
const hasPsql = spawnSync('psql', ['--version']).status === 0;

/** Loads a backup into an empty database, with the rights of its owner and no others. */
async function loadWithPsql(file: string, empty: Awaited<ReturnType<typeof emptyDatabase>>): Promise<void> {
  const role = await withClient(empty.connection, async (client) => {
    const { rows } = await client.query<{ isSuperuser: string; database: string }>(
      `select current_setting('is_superuser') as "isSuperuser", current_database() as database`,
    );
    if (rows[0]!.isSuperuser === 'off') return '';
    await client.query(`grant create on database ${rows[0]!.database} to pg_database_owner`);
    return '-c role=pg_database_owner';
  });
  execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '--single-transaction', empty.url], {
    input: gunzipSync(await readFile(file)),
    stdio: ['pipe', 'ignore', 'pipe'],
    env: {
      ...process.env,
      // These of the tests' hostile defaults are the operator's to change.
      PGOPTIONS: `${NO_TIME_LIMITS} -c default_transaction_read_only=off ${role}`,
    },
  });
}

/** Objects of kinds that no code here names, tables that reference each other and themselves, and triggers that refuse rows. */
const LATER: Migration = {
  version: 9999,
  name: 'later',
  checksum: 'later',
  sql: `
    create type mood as enum ('calm', 'loud');
    create table bands (id int primary key, mood mood not null default 'calm', exclude using gist (int4range(id, id + 1) with &&));
    create table members (id int primary key, band_id int references bands, mentor_id int references members);
    alter table bands add column leader_id int references members;
    insert into bands values (1);
    insert into members values (1, 1, 2), (2, 1, null);
    update bands set leader_id = 1;
    create view loud_bands as select id from bands where mood = 'loud';
    create statistics members_by_band (dependencies) on id, band_id from members;
    create function refuse_rows() returns trigger language plpgsql as $$
      begin raise exception 'A trigger has fired'; end $$;
    create trigger refuse_rows before insert or update or delete on bands for each row execute function refuse_rows();
    create trigger refuse_truncate before truncate on bands execute function refuse_rows();
  `,
};

// Skipped where psql is not installed.
describe.skipIf(!hasPsql)('a backup loaded by psql into an empty database', () => {
  let empty: Awaited<ReturnType<typeof emptyDatabase>>;
  let loaded: Database;
  beforeAll(async () => {
    await wipe(server.db);
    await fillRandomly(server.db, files, seededRandom('psql'));
    await claimDataFolder(server.connection, folderPlace(server.dataDir));
    const file = join(server.dataDir, 'backups', await makeOne(server, admin));
    // The copy belongs to no folder yet, so that it may be used with a new one.
    await server.db.deleteFrom('data_folder').execute();
    empty = await emptyDatabase();
    await loadWithPsql(file, empty);
    loaded = openDatabase(empty.connection, createLog('silent'), 6);
  });
  afterAll(async () => {
    await loaded.close();
    await empty.close();
  });

  test('a backup loaded by psql into an empty database has the same rows', async () => {
    expect(await digestOf(loaded.db)).toEqual(await digestOf(server.db));
  });

  test.each<[string, Migration[], number]>([
    ['of an earlier release', [], 10],
    ['of a later release, with new kinds of objects, rows of migrations, and triggers', [LATER], Infinity],
  ])(
    'psql restores a backup %s with the same schema and the same rows in all tables',
    async (_release, later, until) => {
      const [path, copy] = [join(server.dataDir, `${until}.sql.gz`), await emptyDatabase()];
      let there: unknown;
      const read = async (db: Db) => [await catalogueOf(db), await digestOf(db, new Set())];
      await writeElsewhere(path, {
        until,
        later,
        key: TEST_KEY,
        fill: async (db) => {
          there = await read(db);
        },
      });
      await loadWithPsql(path, copy);
      const opened = openDatabase(copy.connection, createLog('silent'), 2);
      expect(await read(opened.db)).toEqual(there);
      await migrate(copy.connection, [...(await readMigrations()), ...later], createLog('silent'));
      await opened.close();
      await copy.close();
    },
  );

  test('a backup loaded by psql into an empty database has the same schema: columns, collations, constraints, indexes, triggers, functions, storage', async () => {
    const migrated = await testDatabase();
    const form = await catalogueOf(migrated.db);
    await migrated.close();
    expect(await catalogueOf(loaded.db)).toEqual(form);
    // Also one whose tables were swapped by restores.
    expect(await catalogueOf(server.db)).toEqual(form);
    expect(form.length).toBeGreaterThan(500);
  });

  test('a backup loaded by psql into an empty database is migrated when an earlier release wrote it', async () => {
    for (const statement of [
      'drop collation natural_order',
      'alter table deals reset (fillfactor)',
      'alter table export_chunks rename to export_pieces',
      'alter table export_pieces alter column content set storage extended',
      'alter table template_images alter column content set storage extended',
      'alter table email_attachments alter column content set storage extended',
      'delete from schema_migrations where version = 36',
    ])
      await sql.raw(statement).execute(loaded.db);
    await migrate(empty.connection, await readMigrations(), createLog('silent'));
    // As migration 43 does, which is recorded here.
    await sql.raw('alter table export_pieces rename to export_chunks').execute(loaded.db);
    expect(await catalogueOf(loaded.db)).toEqual(await catalogueOf(server.db));
  });

  test('a backup loaded by psql into an empty database works as before: rows are listed in order, added, changed, found and sent', async () => {
    const mail = await openMailServer();
    const database = { ...loaded, connection: empty.connection, close: async () => {} };
    const copy = await testApp({ UNDO_SEND_SECONDS: 0 }, { database });
    try {
      const by = await copy.person({ role: 'admin', name: 'Cora Copy' });
      const ask = async (route: string, body?: object) => {
        const reply = await copy.call(route, { token: by.token, body });
        expect(reply.status, `${route} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
        return reply.body;
      };
      const smtp = { smtpHost: '127.0.0.1', smtpPort: mail.port, smtpSecure: false };
      const signIn = { smtpUser: 'u', smtpPassword: 'p', smtpFromEmail: by.email };
      await ask(`PUT /email-settings/user/${by.id}`, { ...smtp, ...signIn });
      const templateId = await addTemplate(copy, by, { name: 'Daily' });
      const flags = { includeInTo: true, includeInCc: false, active: true };
      const contacts = [{ name: 'Sam', email: 'sam@dealer.example', templateName: 'Daily', ...flags }];
      const dealershipId = await addDealership(copy, by, { defaultEmailTemplateId: templateId, contacts });
      for (const customerName of ['Zora 10', 'Zora 9'])
        await addDeal(copy, by, dealershipId, { customerName });
      const { items } = await ask('GET /deals?search=zora&sort=customerName&order=asc');
      expect(items.map((deal: { customerName: string }) => deal.customerName)).toEqual(['Zora 9', 'Zora 10']);
      const [{ _id: dealId, version }] = items;
      await ask(`PATCH /deals/${dealId}`, { version, notes: 'Rang' });
      await ask(`POST /email-templates/${templateId}/send`, { dealId });
      await mail.whenArrived(1);
      expect(await ask('GET /audit-logs/verify')).toMatchObject({ problems: [], next: null });
    } finally {
      await copy.close();
      await mail.close();
    }
  });
});
