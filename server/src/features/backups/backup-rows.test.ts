import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership } from '../../../test/builders.ts';
import { anotherInstance, callToEnd, makeOne, writeElsewhere } from './backups.fixture.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({
  name: 'Kim Clerk',
  permissions: { dataEntry: { canAddRows: true, canEditRows: true } },
});
afterAll(() => server.close());

let dealershipId: string;
beforeEach(async () => {
  await sql`truncate deals, backups cascade`.execute(server.db);
  dealershipId = await addDealership(server, admin, { name: 'Harbour New Cars' });
});

const search = async (name: string, filter: object = {}) => {
  const { status, body } = await callToEnd(server, admin, `POST /backups/${name}/rows`, filter);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const copy = (name: string, rows: string[]) =>
  callToEnd(server, admin, `POST /backups/${name}/rows/copy`, { rows });
const get = async (id: string) => (await server.call(`GET /deals/${id}`, { token: admin.token })).body;
const patch = async (id: string, changes: object, by = admin) => {
  const { version } = await get(id);
  const reply = await server.call(`PATCH /deals/${id}`, { token: by.token, body: { version, ...changes } });
  expect([reply.status, reply.body]).toMatchObject([200, {}]);
};
const remove = async (id: string) =>
  expect((await server.call(`DELETE /deals/${id}`, { token: admin.token })).status).toBe(204);
/** What belongs to the row itself, and not to its last change. */
const valuesOf = ({
  version: _version,
  updatedAt: _at,
  updatedByName: _by,
  ...values
}: object & Record<string, unknown>) => values;

test('an administrator copies back a changed, a deleted and a purged row as one change, and takes it back', async () => {
  const item = await server.call('POST /item-configurations', {
    token: admin.token,
    body: { name: 'Tint', price: 300 },
  });
  const items = [{ itemId: item.body._id, quantity: 2 }];
  const add = (customerName: string) =>
    addDeal(server, clerk, dealershipId, { customerName, vehicle: 'Mazda 3', items, status: 'Deal' });
  const [changed, deleted, purged, same] = [
    await add('Cho'),
    await add('Del'),
    await add('Pur'),
    await add('Sam'),
  ];
  const transfer = { targetUserId: admin.id };
  await server.call(`POST /deals/${purged._id}/transfer`, { token: admin.token, body: transfer });
  const before = await Promise.all(
    [changed, deleted, purged].map(async ({ _id }) => valuesOf(await get(_id))),
  );
  const name = await makeOne(server, admin);

  await patch(changed._id, {
    vehicle: 'Kia',
    items: [],
    saleAmount: 5,
    status: 'Called',
    notes: 'Wrong row',
  });
  await remove(deleted._id);
  await remove(purged._id);
  await sql`delete from deals where id = ${purged._id}`.execute(server.db);
  await sql`insert into deal_merges values (${purged._id}, ${same._id})`.execute(server.db);
  const added = await addDeal(server, clerk, dealershipId, { customerName: 'New since' });

  const { items: found, total } = await search(name);
  expect(total).toBe(4);
  expect(
    Object.fromEntries(found.map(({ customerName, state }: Record<string, string>) => [customerName, state])),
  ).toEqual({ Cho: 'different', Del: 'missing', Pur: 'missing', Sam: 'same' });
  const { changes } = found.find(({ _id }: { _id: string }) => _id === changed._id);
  expect(changes).toContainEqual({ field: 'vehicle', before: 'Kia', after: 'Mazda 3' });
  expect(changes).toContainEqual({ field: 'notes', before: 'Wrong row', after: null });

  const ids = [changed._id, deleted._id, purged._id, same._id];
  const { status, body } = await copy(name, ids);
  expect([status, body]).toMatchObject([200, { copied: 3, refused: [] }]);
  expect(await Promise.all(ids.slice(0, 3).map(async (id) => valuesOf(await get(id))))).toEqual(before);
  expect((await sql`select from deal_merges`.execute(server.db)).rows).toEqual([]);
  expect(await get(same._id)).toMatchObject({ version: 1 });
  expect(await get(added._id)).toMatchObject({ version: 1 });

  const set = await server.call(`GET /changes/${body.changeSetId}`, { token: admin.token });
  expect(set.body).toMatchObject({
    total: 3,
    changeSet: { kind: 'backup', title: 'Copied 3 rows from a backup', byName: 'Ada Admin' },
  });
  expect((await copy(name, ids)).body).toMatchObject({ changeSetId: null, copied: 0, refused: [] });

  const back = await server.call(`POST /changes/${body.changeSetId}/revert`, {
    token: admin.token,
    body: {},
  });
  expect(back.body).toMatchObject({ reverted: 3, left: [], refused: [] });
  expect(await get(changed._id)).toMatchObject({
    vehicle: 'Kia',
    items: [],
    status: 'Called',
    saleAmount: 5,
  });
  for (const { _id } of [deleted, purged]) expect(await get(_id)).toMatchObject({ code: 'NOT_FOUND' });
});

test('a copied row gets the dealership and status of the same name, and keeps who may see it today', async () => {
  const status = await server.call('POST /status-configurations', {
    token: admin.token,
    body: { name: 'Test drive', color: '#2f6db5' },
  });
  const { _id } = await addDeal(server, admin, dealershipId, { customerName: 'Ann', status: 'Test drive' });
  const share = { sharedWith: [{ userId: clerk.id, permissions: 'view' }] };
  await server.call(`POST /deals/${_id}/share`, { token: admin.token, body: share });
  const name = await makeOne(server, admin);
  await sql`delete from deals where id = ${_id}`.execute(server.db);
  await sql`delete from dealerships where id = ${dealershipId}`.execute(server.db);
  await server.call(`DELETE /status-configurations/${status.body._id}`, { token: admin.token });
  const newDealership = await addDealership(server, admin, { name: 'harbour new cars' });

  expect((await search(name)).items).toMatchObject([
    { state: 'missing', reason: 'The status “Test drive” no longer exists.' },
  ]);
  expect((await copy(name, [_id])).body).toMatchObject({
    changeSetId: null,
    refused: [{ dealId: _id, reason: 'The status “Test drive” no longer exists.' }],
  });
  await server.call('POST /status-configurations', {
    token: admin.token,
    body: { name: 'Test Drive', color: '#2f6db5' },
  });
  expect((await copy(name, [_id])).body).toMatchObject({ copied: 1, refused: [] });
  expect(await get(_id)).toMatchObject({
    status: 'Test Drive',
    dealershipId: newDealership,
    sharedWith: [],
  });
});

test('a row that somebody changes after the search in a backup is refused, and keeps the change', async () => {
  const changed = await addDeal(server, clerk, dealershipId, { customerName: 'Ann' });
  const restored = await addDeal(server, clerk, dealershipId, { customerName: 'Bob' });
  const untouched = await addDeal(server, clerk, dealershipId, { customerName: 'Cid' });
  const name = await makeOne(server, admin);
  for (const { _id } of [changed, untouched]) await patch(_id, { notes: 'Rang' });
  await remove(restored._id);
  const found: { _id: string; version: number | null }[] = (await search(name)).items;
  const versions = Object.fromEntries(found.map(({ _id, version }) => [_id, version]));

  await patch(changed._id, { saleAmount: 990 });
  await server.call('POST /deals/bulk/restore', { token: admin.token, body: { ids: [restored._id] } });
  await patch(restored._id, { saleAmount: 880 });
  const { body } = await callToEnd(server, admin, `POST /backups/${name}/rows/copy`, {
    rows: Object.keys(versions),
    versions,
  });
  expect(body.copied).toBe(1);
  expect(new Set(body.refused.map(({ dealId }: { dealId: string }) => dealId))).toEqual(
    new Set([changed._id, restored._id]),
  );
  expect(await get(changed._id)).toMatchObject({ saleAmount: 990, notes: 'Rang' });
  expect(await get(restored._id)).toMatchObject({ saleAmount: 880 });
  expect(await get(untouched._id)).toMatchObject({ notes: '' });
});

test('a search in a backup takes month, dealership and text, and names a field that is wrong', async () => {
  const other = await addDealership(server, admin, { name: 'Coast Used Cars' });
  await addDeal(server, admin, dealershipId, { customerName: 'Ann Lee', month: '2026-10' });
  await addDeal(server, admin, dealershipId, { customerName: 'Bob Lee', month: '2026-09' });
  await addDeal(server, admin, other, { customerName: 'Cid Lee', month: '2026-10' });
  const name = await makeOne(server, admin);
  const found = async (filter: object) =>
    (await search(name, filter)).items
      .map(({ customerName }: { customerName: string }) => customerName)
      .toSorted();
  expect(await found({ month: '2026-10' })).toEqual(['Ann Lee', 'Cid Lee']);
  expect(await found({ month: '2026-10', dealershipId })).toEqual(['Ann Lee']);
  expect(await found({ search: 'bob' })).toEqual(['Bob Lee']);
  expect(await found({ search: 'nobody' })).toEqual([]);
  const wrong = await callToEnd(server, admin, `POST /backups/${name}/rows`, { month: 'October' });
  expect(wrong).toMatchObject({ status: 400, body: { errors: { month: expect.any(String) } } });
  expect((await copy(name, [])).status).toBe(400);
  expect((await copy(name, [ABSENT_ID])).body).toMatchObject({ changeSetId: null, copied: 0 });
});

test('rows of a backup of another installation are not copied', async () => {
  const name = 'old_company.sql.gz';
  const path = join(server.dataDir, 'backups', name);
  await writeElsewhere(path, { key: randomBytes(32), fill: async () => {} });
  const other = await anotherInstance(server);
  await other.cleanUp();
  await other.close();
  expect((await callToEnd(server, admin, `POST /backups/${name}/rows`)).body.code).toBe('BACKUP_FOREIGN');
});
