import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inScratchSchema } from '../src/features/backups/scratch-schema.ts';
import { openDatabase, type Connection, type Db } from '../src/platform/db/database.ts';
import { ident } from '../src/platform/db/dedicated-client.ts';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { SCHEMA } from '../src/platform/db/schemas.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { TEST_KEY } from './app.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase } from './database.ts';
import { insertPerson, PASSWORD } from './people.ts';
import { ADMIN, callServer, startServer, type ServerProcess } from './process.ts';

const log = createLog('silent');

type Call = (route: string, change?: object) => Promise<Awaited<ReturnType<typeof callServer>>['body']>;
type Download = (path: string) => Promise<string>;

/** A release, and what a person finds in a database that it filled. */
type Release = {
  /** Its last migration. */
  until: number;
  /** Adds rows as the release stores them, and returns the sign-in of their administrator. */
  fill(db: Db, connection: Connection): Promise<{ email: string; password: string }>;
  /** A table of a later migration, which somebody added by hand. */
  table: string;
  failedMigration: string;
  customerName: string;
  view: string;
  /** The kinds of all notifications, and of those of the administrator. */
  notifications: { before: string[]; after: string[]; ofAdmin: string[] };
  /** What happened to the row and is in its history, newest first. */
  actions: string[];
  /** Reads other parts that later migrations or their jobs convert. */
  converted(call: Call, download: Download, dealId: string): Promise<unknown>;
  expected: object;
};

async function fillAs1_0_0(db: Db): Promise<{ email: string; password: string }> {
  const ada = await insertPerson(db, { name: 'Ada Admin', role: 'admin' });
  const [installation, dealership, dealId] = [newId(), newId(), newId()];
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
  return { email: ada.email, password: PASSWORD };
}

/** Replaces the schema by the one that the program of release 1.1.0 filled and backed up. */
async function fillAs1_1_0(_db: Db, connection: Connection): Promise<{ email: string; password: string }> {
  const source = {
    path: join(import.meta.dirname, '../src/features/backups/release-1.1.0.sql.gz'),
    schemaVersion: 65,
    migrations: await migrationsUntil(65),
    skippedTables: new Set<string>(),
    totalLimit: Infinity,
  };
  await inScratchSchema(connection, source, async (client, schema) => {
    await client.query(`drop schema ${ident(SCHEMA)} cascade`);
    await client.query(`alter schema ${ident(schema)} rename to ${ident(SCHEMA)}`);
    // As the file says: a loaded database belongs to no data folder yet.
    await client.query(`delete from ${ident(SCHEMA)}.data_folder`);
  });
  return { email: 'hand@example.com', password: ADMIN.password };
}

const releases: [version: string, release: Release][] = [
  [
    '1.0.0',
    {
      until: 42,
      fill: fillAs1_0_0,
      table: 'change_sets',
      failedMigration: '61 change_sets',
      customerName: 'Ann',
      view: 'Old Cars alone',
      notifications: { before: ['handedOver'], after: ['transferred'], ofAdmin: ['transferred'] },
      actions: ['deal.created'],
      converted: async (call) => (await call('GET /backups')).items,
      expected: [
        {
          name: 'backup_old.sql.gz',
          copies: [{ destination: 'ssh', state: 'copied', problem: null }],
          isFetchable: true,
        },
      ],
    },
  ],
  [
    '1.1.0',
    {
      until: 65,
      fill: fillAs1_1_0,
      table: 'deal_merges',
      failedMigration: '77 deal_merges',
      customerName: 'From elsewhere',
      view: 'New ones',
      notifications: {
        before: ['comment', 'commentMention', 'shared'],
        after: ['comment', 'commentMention', 'shared'],
        ofAdmin: ['comment'],
      },
      actions: [
        'deal-attachments.added',
        'deal-comments.added',
        'deal-comments.added',
        'deal.updated',
        'deal.shared',
        'deal.created',
      ],
      converted: async (call, download, dealId) => {
        const [file] = (await call(`GET /deals/${dealId}/attachments`)).items;
        return {
          deal: await call(`GET /deals/${dealId}`),
          file,
          content: await download(`/deals/${dealId}/attachments/${file._id}`),
          mail: (await call('GET /email/logs')).items,
        };
      },
      expected: {
        deal: { custom: { custom1: 'o1' }, sharedWith: [{ permissions: 'view' }], emailStatus: 'sent' },
        file: { name: 'contract.txt' },
        content: 'Sold as seen',
        mail: [{ status: 'sent' }],
      },
    },
  ],
];

const migrationsUntil = async (last: number) =>
  (await readMigrations()).filter(({ version }) => version <= last);

describe.each(releases)('a database of release %s', (version, release) => {
  let dataDir: string;
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let opened: ReturnType<typeof openDatabase>;
  let db: Db;
  let signIn: { email: string; password: string };
  beforeEach(async () => {
    [dataDir, database] = await Promise.all([makeDataFolder('upgrade-'), emptyDatabase()]);
    await startFormer();
    opened = openDatabase(database.connection, log, 1);
    ({ db } = opened);
    signIn = await release.fill(db, database.connection);
  });
  afterEach(async () => {
    await opened.close();
    await Promise.all([database.close(), rm(dataDir, { recursive: true, force: true })]);
  });

  /** Does to the database what a start of the release does. Rejects if the release refuses the database. */
  const startFormer = async (): Promise<void> =>
    migrate(database.connection, await migrationsUntil(release.until), log);

  const start = (): Promise<ServerProcess> =>
    startServer(join(dataDir, 'data'), {
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_KEY.toString('base64'),
    });
  const appliedMigrations = async (): Promise<number[]> =>
    (await db.selectFrom('schema_migrations').select('version').orderBy('version').execute()).map(
      (migration) => migration.version,
    );
  const notifications = async (): Promise<string[]> =>
    (await db.selectFrom('notifications').select('kind').orderBy('kind').execute()).map(({ kind }) => kind);

  test(`a start on a database of release ${version} upgrades it, and its people continue with their rows`, async () => {
    const server = await start();
    const { body } = await callServer(server.url, 'POST /auth/login', undefined, signIn);
    const call: Call = async (route, change) =>
      (await callServer(server.url, route, body.token, change)).body;
    const download: Download = async (path) => {
      const headers = { authorization: `Bearer ${body.token}` };
      return (await fetch(`${server.url}/api${path}`, { headers })).text();
    };

    const [deal] = (await call('GET /deals?month=2026-11')).items;
    expect(deal).toMatchObject({ customerName: release.customerName });
    expect(await call(`PATCH /deals/${deal._id}`, { version: deal.version, vehicle: 'Wagon' })).toMatchObject(
      { vehicle: 'Wagon' },
    );
    expect(await call('GET /deal-views')).toMatchObject({ items: [{ name: release.view }] });
    const kinds = (await call('GET /notifications')).items.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(release.notifications.ofAdmin);
    expect(await release.converted(call, download, deal._id)).toMatchObject(release.expected);
    const entries = (await call(`GET /audit-logs?recordId=${deal._id}`)).items;
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['deal.updated', ...release.actions]);
    expect(await server.stop()).toBe(0);
    expect(await appliedMigrations()).toEqual((await readMigrations()).map((migration) => migration.version));
  });

  test(`a failed migration leaves the database of release ${version} as it was, says so in one line, and is repeated by the next start`, async () => {
    const before = await appliedMigrations();
    // A table that somebody added by hand has the name of one of this release.
    await sql`create table ${sql.table(release.table)} (note text)`.execute(db);
    const line = `exit 1: Migration ${release.failedMigration} failed: relation "${release.table}" already exists. Nothing was changed; the former release can be started on this database.\n`;
    await expect(start()).rejects.toThrow(expect.objectContaining({ message: line }));
    expect(await appliedMigrations()).toEqual(before);
    await expect(startFormer()).resolves.toBeUndefined();
    expect(await notifications()).toEqual(release.notifications.before);

    await sql`drop table ${sql.table(release.table)}`.execute(db);
    expect(await (await start()).stop()).toBe(0);
    expect(await notifications()).toEqual(release.notifications.after);
  });
});
