import type { RestoreCheck } from '@forecourt/contract/backups';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership, changePermissions } from '../../../test/builders.ts';
import { uploadFile } from '../../../test/uploads.ts';
import { callToEnd, makeOne } from './backups.fixture.ts';

let server: TestApp;
let admin: Person;
let clerk: Person;
let dealership: string;
beforeEach(async () => {
  server = await testApp();
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  clerk = await server.person({ name: 'Cleo Clerk' });
  dealership = await addDealership(server, admin);
});
afterEach(() => server.close());

const call = async (route: string, body?: object, by = admin) => {
  const reply = await server.call(route, { token: by.token, body });
  expect(reply.status, `${route}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
};

/** Closes a month after all its open checks were waived. */
async function close(month: string): Promise<void> {
  for (const { key, count } of (await call(`GET /months/${month}`)).checks)
    if (count > 0) await call(`POST /months/${month}/waive`, { check: key, rows: count, reason: 'Agreed' });
  await call(`POST /months/${month}/close`);
}

/** Returns, for each kind that a restore would change, how many records are added, removed and changed by it, and how many the backup has. */
async function differences(name: string): Promise<Record<string, readonly number[]>> {
  const { body } = await callToEnd(server, admin, `POST /backups/${name}/check`);
  return Object.fromEntries(
    (body as RestoreCheck).counts
      .map(({ kind, ...of }) => [kind, [of.comesBack, of.disappears, of.changes, of.inBackup]] as const)
      .filter(([, [comesBack, disappears, changes]]) => comesBack + disappears + changes > 0),
  );
}

const addStatementNote = (text: string) =>
  sql`insert into statement_notes (id, statement_id, kind, text, created_by)
    select gen_random_uuid(), id, 'query', ${text}, ${admin.id} from statements limit 1`.execute(server.db);

test('the preview of a restore counts the closed months and statements that it would add, remove or change', async () => {
  await addDeal(server, admin, dealership, { month: '2024-01', status: 'Deal', saleAmount: 1100 });
  const beforeClose = await makeOne(server, admin);
  expect(await differences(beforeClose)).toEqual({});
  await close('2024-01');
  const { rows } = await sql<{ count: number }>`select count(*)::int from statements`.execute(server.db);
  const statements = rows[0]!.count;
  expect(statements).toBeGreaterThan(0);
  expect(await differences(beforeClose)).toEqual({
    closedMonths: [0, 1, 0, 0],
    statements: [0, statements, 0, 0],
  });

  const afterClose = await makeOne(server, admin);
  expect(await differences(afterClose)).toEqual({});
  await addStatementNote('One row is missing');
  expect(await differences(afterClose)).toEqual({ statements: [0, 0, 1, statements] });

  await call('POST /months/2024-01/reopen', { reason: 'A row was forgotten' });
  expect(await differences(afterClose)).toEqual({
    closedMonths: [1, 0, 0, 1],
    statements: [0, 0, 1, statements],
  });
  await close('2024-01');
  expect(await differences(afterClose)).toEqual({
    closedMonths: [0, 0, 1, 1],
    statements: [0, statements, 1, statements],
  });
});

test('the preview of a restore names contacts on the Do not contact list that would disappear or come back', async () => {
  const add = async (value: string): Promise<string> =>
    (await call('POST /do-not-contact', { values: [value], reason: 'Asked us' })).items[0]._id;
  await add('stays@example.com');
  const removed = await add('removed@example.com');
  const name = await makeOne(server, admin);
  expect(await differences(name)).toEqual({});
  await call(`DELETE /do-not-contact/${removed}`);
  await add('new@example.com');
  await add('newer@example.com');
  expect(await differences(name)).toEqual({ doNotContact: [1, 2, 0, 2] });
});

test('the preview of a restore names comments, files and permissions that would disappear, come back or change', async () => {
  const { _id: id } = await addDeal(server, admin, dealership);
  const comment = (body: string) => call(`POST /deals/${id}/comments`, { body });
  const attach = async (filename: string): Promise<string> =>
    (await uploadFile(server, admin, `/deals/${id}/attachments`, filename, { filename })).body._id;
  const [changed, deleted] = [await comment('Changed'), await comment('Deleted')];
  const file = await attach('removed.txt');
  const name = await makeOne(server, admin);
  expect(await differences(name)).toEqual({});
  await call(`PATCH /deals/${id}/comments/${changed._id}`, { body: 'Other', version: changed.version });
  await call(`DELETE /deals/${id}/comments/${deleted._id}`);
  for (const text of ['One', 'Two', 'Three']) await comment(text);
  await call(`DELETE /deals/${id}/attachments/${file}`);
  await attach('new.txt');
  await attach('newer.txt');
  await changePermissions(server, admin, clerk, { dataEntry: { canAddRows: true } });
  expect(await differences(name)).toEqual({
    comments: [1, 3, 1, 2],
    attachments: [1, 2, 0, 1],
    permissions: [0, 0, 1, expect.any(Number)],
  });
});
