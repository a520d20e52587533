import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import own from '../../../package.json' with { type: 'json' };
import { testApp, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate } from '../../../test/builders.ts';
import { testDatabase } from '../../../test/database.ts';
import { inTransaction, type Context } from '../http/context.ts';
import { newId } from '../ids.ts';
import { createLog } from '../log.ts';
import { migrate, readMigrations } from './migrations.ts';

const onReplaced = vi.fn<(line: string) => void>();
let server: TestApp;
let token: string;
beforeEach(async () => {
  onReplaced.mockClear();
  server = await testApp({}, { onReplaced });
  ({ token } = await server.person({ role: 'admin' }));
});
afterEach(() => server.close());

/** Migrates the database as a newer release does. */
async function update(statements: string): Promise<void> {
  const newer = { version: 9001, name: 'newer', sql: statements, checksum: '' };
  await migrate(server.connection, [...(await readMigrations()), newer], createLog('silent'));
}
const RENAME = 'alter table items rename column name to title';
const status = async (route: string) => (await server.call(route, { token })).status;

test('a release beside a breaking migration of a newer one serves nothing more and reports one line', async () => {
  await update(`-- Breaking: names are titles.\n${RENAME}`);
  await expect.poll(() => onReplaced.mock.calls.length).toBe(1);
  expect(onReplaced.mock.calls[0]![0]).toMatch(
    /^A newer release has changed the database \(migration 9001 newer\)[^\n]+$/,
  );
  for (const route of ['GET /ready', 'GET /dealerships', 'POST /auth/login']) {
    const { status: found, body } = await server.call(route, { token });
    expect([found, body.message], route).toEqual([503, 'The server is being updated.']);
  }
  expect(await status('GET /live')).toBe(200);
});

test('a release beside another migration of a newer one continues', async () => {
  await update('alter table items add column further text');
  expect(await status('GET /ready')).toBe(200);
  expect(await status('GET /item-configurations')).toBe(200);
  expect(onReplaced).not.toHaveBeenCalled();
});

test.each([
  [own.version, 200, 0],
  ['0.9.9', 200, 0],
  ['10.0.0', 503, 1],
])(
  'a release beside a migration that breaks those before %s continues or stops by its own version: %i',
  async (release, expected, lines) => {
    await update(
      `-- Breaking before ${release}: nothing reads it.\nalter table items add column further text`,
    );
    await expect.poll(() => status('GET /ready')).toBe(expected);
    expect(onReplaced).toHaveBeenCalledTimes(lines);
  },
);

/** More than a test app has. */
const CONNECTIONS = 10;

test('a release continues with its prepared statements when a newer one adds a column to each table', async () => {
  const by = { token };
  const dealershipId = await addDealership(server, by);
  const templateId = await addTemplate(server, by);
  const deal = await addDeal(server, by, dealershipId);
  const { body: item } = await server.call('POST /item-configurations', { token, body: { name: 'Wax' } });
  let { version } = deal;
  const work = async (): Promise<Record<string, number>> => {
    const vehicle = `Car ${version}`;
    const calls: [route: string, body?: object][] = [
      [`GET /deals?month=${deal.month}`],
      [`GET /deals/${deal._id}`],
      ['GET /item-configurations'],
      ['GET /email-templates'],
      [`GET /email-templates/${templateId}`],
      ['GET /users'],
      ['GET /dealerships'],
      ['GET /backups'],
      ['GET /exports'],
      ['GET /audit-logs'],
      ['POST /deals', { dealershipId, customerName: vehicle }],
      [
        'POST /deals/bulk/create',
        { rows: [{ key: newId().replaceAll('-', ''), deal: { dealershipId, customerName: vehicle } }] },
      ],
      [`PATCH /deals/${deal._id}`, { version, vehicle }],
      [`POST /deals/${deal._id}/comments`, { body: vehicle }],
      [`PUT /item-configurations/${item._id}`, { name: vehicle }],
    ];
    const statuses: Record<string, number> = {};
    for (const [route, body] of calls) {
      // At the same time, so that each connection of the pool has prepared the statements. A change names its version.
      const times = route.startsWith('P') && !route.startsWith('POST /deals') ? 1 : CONNECTIONS;
      const call = () => server.call(route, { token, ...(body && { body }) });
      const replies = await Promise.all(Array.from({ length: times }, call));
      statuses[route] = Math.max(...replies.map((reply) => reply.status));
      if (route.startsWith('PATCH')) ({ version } = replies[0]!.body);
    }
    return statuses;
  };
  const before = await work();
  expect(Object.entries(before).filter(([, status]) => status >= 300)).toEqual([]);
  await update(`do $$ declare name text; begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace loop
      execute format('alter table %I add column further text', name);
    end loop;
  end $$`);
  expect(await work()).toEqual(before);
  expect(onReplaced).not.toHaveBeenCalled();
});

test('a transaction is repeated when a newer release has added a column that a statement in it returns', async () => {
  const database = await testDatabase();
  // One connection, which has prepared the statement: other tests of this process may have used all names.
  vi.resetModules();
  const { openDatabase } = await import('./database.ts');
  const single = openDatabase(database.connection, createLog('silent'), 1);
  onTestFinished(async () => {
    await single.close();
    await database.close();
  });
  let attempts = 0;
  const read = () =>
    inTransaction({ db: single.db, origin: {} } as Context, async ({ db }) => {
      attempts += 1;
      return db.selectFrom('items').selectAll().execute();
    });
  expect(await read()).toEqual([]);
  await sql`alter table items add column further text`.execute(database.db);
  expect(await read()).toEqual([]);
  expect(attempts).toBe(3);
});

test('a statement that fails after a breaking migration returns 503 and never 500, also before the message about it', async () => {
  await sql`insert into schema_migrations (version, name, checksum, breaking) values (9001, 'newer', '', true)`.execute(
    server.db,
  );
  await sql.raw(RENAME).execute(server.db);
  expect(await server.call('POST /item-configurations', { token, body: { name: 'Wax' } })).toMatchObject({
    status: 503,
    body: { message: 'The server is being updated. Nothing was saved. Please try again in a moment.' },
  });
  expect(onReplaced).toHaveBeenCalledTimes(1);
});
