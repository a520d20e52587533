import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testApp, type TestApp } from '../../../test/app.ts';
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
