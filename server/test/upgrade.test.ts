import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Db } from '../src/platform/db/database.ts';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { TEST_KEY } from './app.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase } from './database.ts';
import { insertPerson, PASSWORD } from './people.ts';
import { callServer, startServer, type ServerProcess } from './process.ts';

/** Release 1.0.0 has the migrations up to this one. */
const LAST_OF_1_0_0 = 42;
const log = createLog('silent');

let dataDir: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let opened: ReturnType<typeof openDatabase>;
let db: Db;
let email: string;
const dealId = newId();
beforeEach(async () => {
  [dataDir, database] = await Promise.all([makeDataFolder('upgrade-'), emptyDatabase()]);
  await startFormer();
  opened = openDatabase(database.connection, log, 1);
  ({ db } = opened);
  email = await fill();
});
afterEach(async () => {
  await opened.close();
  await Promise.all([database.close(), rm(dataDir, { recursive: true, force: true })]);
});

/** Does to the database what a start of release 1.0.0 does. Rejects if that release refuses the database. */
async function startFormer(): Promise<void> {
  const migrations = await readMigrations();
  const former = migrations.filter(({ version }) => version <= LAST_OF_1_0_0);
  await migrate(database.connection, former, log);
}

/** Adds rows as release 1.0.0 stores them, and returns the email address of their administrator. */
async function fill(): Promise<string> {
  const ada = await insertPerson(db, { name: 'Ada Admin', role: 'admin' });
  const [installation, dealership] = [newId(), newId()];
  const keyCheck = createSecrets(TEST_KEY).seal('this database belongs to this key', {
    table: 'installation',
    column: 'key_check',
    recordId: installation,
  });
  const arrangement = { filters: { statusId: null, dealershipId: dealership, ownerId: null }, sort: null };
  const statements = [
    sql`insert into installation (id, key_check) values (${installation}, ${keyCheck})`,
    sql`insert into dealerships (id, name, address, owner_id) values (${dealership}, 'Old Cars', '1 Street', ${ada.id})`,
    sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
      select ${dealId}, id, ${dealership}, 'Ann', '2026-11', ${ada.id}, ${ada.id}, ${ada.id} from statuses limit 1`,
    sql`insert into deal_views (id, owner_id, name, is_shared, arrangement)
      values (${newId()}, ${ada.id}, 'Old Cars alone', true, ${JSON.stringify({ ...arrangement, columns: [] })})`,
    sql`insert into notifications (id, user_id, kind, record_id) values (${newId()}, ${ada.id}, 'handedOver', ${dealId})`,
    sql`insert into audit_entries (actor_id, actor_name, ip, request_id, action, entity, record_id)
      values (${ada.id}, 'Ada Admin', '', 'of 1.0.0', 'deal.created', 'deal', ${dealId})`,
    sql`insert into backups (id, name, origin, finished_at, is_local, remote, copy_path)
      values (${newId()}, 'backup_old.sql.gz', 'made', now(), false, 'copied', '/copies/office_backup_old.sql.gz')`,
  ];
  for (const statement of statements) await statement.execute(db);
  return ada.email;
}

const start = (): Promise<ServerProcess> =>
  startServer(join(dataDir, 'data'), {
    DATABASE_URL: database.url,
    SECRET_KEY: TEST_KEY.toString('base64'),
  });
const appliedMigrations = async (): Promise<number[]> =>
  (await db.selectFrom('schema_migrations').select('version').orderBy('version').execute()).map(
    ({ version }) => version,
  );

test('a start on a database of release 1.0.0 upgrades it, and its people continue with their rows', async () => {
  const server = await start();
  const { body } = await callServer(server.url, 'POST /auth/login', undefined, { email, password: PASSWORD });
  const call = async (route: string, change?: object) =>
    (await callServer(server.url, route, body.token, change)).body;

  const [deal] = (await call('GET /deals?month=2026-11')).items;
  expect(deal).toMatchObject({ _id: dealId, customerName: 'Ann' });
  expect(await call(`PATCH /deals/${dealId}`, { version: 1, vehicle: 'Ute' })).toMatchObject({
    vehicle: 'Ute',
  });
  expect(await call('GET /deal-views')).toMatchObject({ items: [{ name: 'Old Cars alone' }] });
  expect((await call('GET /notifications')).items).toMatchObject([{ kind: 'transferred' }]);
  expect((await call('GET /backups')).items).toMatchObject([
    {
      name: 'backup_old.sql.gz',
      copies: [{ destination: 'ssh', state: 'copied', problem: null }],
      isFetchable: true,
    },
  ]);
  const entries = (await call(`GET /audit-logs?recordId=${dealId}`)).items;
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(['deal.updated', 'deal.created']);
  expect(await server.stop()).toBe(0);
  expect(await appliedMigrations()).toEqual((await readMigrations()).map(({ version }) => version));
});

test('a failed migration leaves the database of release 1.0.0 as it was, says so in one line, and is repeated by the next start', async () => {
  const before = await appliedMigrations();
  // A table that somebody added by hand has the name of one of this release.
  await sql`create table change_sets (note text)`.execute(db);
  await expect(start()).rejects.toThrow(
    /^exit 1: Migration 61 change_sets failed: relation "change_sets" already exists\. Nothing was changed; the former release can be started on this database\.\n$/,
  );
  expect(await appliedMigrations()).toEqual(before);
  await expect(startFormer()).resolves.toBeUndefined();
  expect((await sql`select kind from notifications`.execute(db)).rows).toEqual([{ kind: 'handedOver' }]);

  await sql`drop table change_sets`.execute(db);
  expect(await (await start()).stop()).toBe(0);
  expect((await sql`select kind from notifications`.execute(db)).rows).toEqual([{ kind: 'transferred' }]);
});
