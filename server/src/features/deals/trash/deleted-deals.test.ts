import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { TEST_KEY, testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership } from '../../../../test/builders.ts';
import { createLog } from '../../../platform/log.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { createAuditService } from '../../audit/audit.service.ts';
import { createDealPurge } from './deleted-deals.service.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dataEntry = { canAddRows: true, canEditRows: true, canDeleteRows: true };
const clerk = await server.person({ name: 'Kim Clerk', permissions: { dataEntry } });
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const list = (query = '', by: Person = admin) =>
  server.call(`GET /deals/deleted${query}`, { token: by.token });

/** Adds a row of Kim's that she deleted `days` ago. */
async function deletedRow(customerName: string, days = 0): Promise<string> {
  const { _id: id } = await addDeal(server, clerk, dealershipId, {
    customerName,
    customerNumber: '(0412) 345 678',
  });
  await server.call(`DELETE /deals/${id}`, { token: clerk.token });
  await sql`update deals set deleted_at = deleted_at - make_interval(days => ${days}) where id = ${id}`.execute(
    server.db,
  );
  return id;
}

test('the list of deleted rows is allowed for administrators only', async () => {
  expect((await server.call('GET /deals/deleted')).status).toBe(401);
  expect((await list('?limit=0')).status).toBe(400);
  expect((await list('', clerk)).status).toBe(403);
});

test('the list of deleted rows has their users and the end of the restore period, newest first, and finds them by search', async () => {
  const older = await deletedRow('Olga Older', 12);
  const newer = await deletedRow('Nils Newer', 1);
  await deletedRow('Gus Gone', 31);
  const { body } = await list();
  expect(body.items.map(({ _id }: { _id: string }) => _id)).toEqual([newer, older]);
  expect(body).toMatchObject({ total: 2, page: 1, totalPages: 1 });
  const [first] = body.items;
  expect(first).toMatchObject({
    customerName: 'Nils Newer',
    deletedByName: 'Kim Clerk',
    ownerName: 'Kim Clerk',
  });
  expect(Date.parse(first.restorableUntil) - Date.parse(first.deletedAt)).toBe(30 * 24 * 3_600_000);
  for (const search of ['olga', '0412345678'])
    expect((await list(`?search=${search}`)).body.items.at(-1)).toMatchObject({ _id: older });
  expect((await list('?search=100%25')).body.total).toBe(0);
  expect((await list('?limit=1&page=2')).body.items).toMatchObject([{ _id: older }]);

  await server.call('POST /deals/bulk/restore', { token: admin.token, body: { ids: [older, newer] } });
  expect((await list()).body.total).toBe(0);
  expect((await server.call(`GET /deals/${older}`, { token: admin.token })).body.customerName).toBe(
    'Olga Older',
  );
});

test('after 30 days a row is purged: its audit entries keep their digest, and nothing else changes', async () => {
  const kept = await deletedRow('Kept Kate', 29);
  const gone = await deletedRow('Purged Paul', 31);
  const auditLog = createAuditService(createSecrets(TEST_KEY));
  const purge = createDealPurge({ db: server.db, log: createLog('silent'), redact: auditLog.redactPurged });
  await Promise.all([purge.purge(), purge.purge()]);

  const there = await server.db.selectFrom('deals').where('id', 'in', [kept, gone]).select('id').execute();
  expect(there).toEqual([{ id: kept }]);
  const entries = await server.db
    .selectFrom('audit_entries')
    .where('record_id', '=', gone)
    .orderBy('id')
    .select(['action', 'before', 'after', 'actor_name'])
    .execute();
  expect(entries).toMatchObject([
    { action: 'deal.created', before: null, after: null, actor_name: 'Kim Clerk' },
    { action: 'deal.deleted', before: null, after: null },
    { action: 'audit.blanked', after: { reason: 'Deleted 30 days ago' }, actor_name: 'System' },
  ]);
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from audit_entries
    where concat(before, after) like '%Purged Paul%') as found`.execute(server.db);
  expect(rows).toEqual([{ found: false }]);
  expect(
    (await server.call('POST /deals/bulk/restore', { token: admin.token, body: { ids: [gone] } })).status,
  ).toBe(404);
});
