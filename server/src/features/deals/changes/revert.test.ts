import type { ResponseBody } from '@forecourt/contract/api';
import type { ChangeSet, RevertBody } from '@forecourt/contract/deal-changes';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp, type Person } from '../../../../test/app.ts';
import { ABSENT_ID, addDealership, changePermissions, emailValues } from '../../../../test/builders.ts';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { createAuditService } from '../../audit/audit.service.ts';
import { createDealPurge } from '../trash/deleted-deals.service.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const harbour = await addDealership(server, admin, { name: 'Harbour Used Cars' });
const valley = await addDealership(server, admin, { name: 'Valley New Cars' });
for (const [name, value] of Object.entries({ newSales: 10, usedSales: 5 }))
  await server.call(`PUT /settings/user/company/commission.${name}`, { token: admin.token, body: { value } });
afterAll(() => server.close());

const CLERK = {
  canAddRows: true,
  canEditRows: true,
  canDeleteRows: true,
  canAccessAllMonths: true,
  canChangeOwnership: true,
};
const newClerk = (dataEntry: object = {}, features: object = { bulkEdit: true }, name = 'Cleo Clerk') =>
  server.person({ name, permissions: { dataEntry: { ...CLERK, ...dataEntry }, features } as never });

type Set = string;
let keys = 0;
/** Names a new change set of this kind. */
const newSet = (kind: string): Set => `${kind} ${(keys += 1)}`;

async function callIn(set: Set, by: Person, route: string, body?: object) {
  const reply = await server.call(route, {
    token: by.token,
    ...(body && { body }),
    headers: { 'x-change-set': set },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply;
}
async function addRows(by: Person, rows: object[], set = newSet('paste')): Promise<string[]> {
  const body = {
    rows: rows.map((deal) => ({
      key: newId().replaceAll('-', ''),
      deal: { dealershipId: harbour, customerName: 'Ann Example', ...deal },
    })),
  };
  const reply = await callIn(set, by, 'POST /deals/bulk/create', body);
  expect(JSON.stringify(reply.body)).not.toContain('refusal');
  return reply.body.items.map(({ deal }: { deal: { _id: string } }) => deal._id);
}
const read = async (id: string, by: Person = admin) =>
  (await server.call(`GET /deals/${id}`, { token: by.token })).body;
/** Changes a row in its current version. */
const patch = async (set: Set, by: Person, id: string, body: object) =>
  callIn(set, by, `PATCH /deals/${id}`, { version: (await read(id)).version, ...body });
async function newest(by: Person, query = ''): Promise<ChangeSet> {
  const { body } = await server.call(`GET /changes?limit=1${query}`, { token: by.token });
  return body.items[0];
}
const call = (route: string, set: string, by: Person, body: RevertBody = {}, headers = {}) =>
  server.call(`POST /changes/${set}/${route}`, { token: by.token, body, headers });
type Preview = ResponseBody<'POST /changes/:id/revert/preview'>;
type Reverted = ResponseBody<'POST /changes/:id/revert'>;
async function preview(set: string, by: Person, body: RevertBody = {}): Promise<Preview> {
  const reply = await call('revert/preview', set, by, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}
/** Takes back a set, after its preview, which must say the same. */
async function revert(set: string, by: Person, body: RevertBody = {}): Promise<Reverted> {
  const { rows, ...announced } = await preview(set, by, body);
  const reply = await call('revert', set, by, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const { changeSetId, ...done } = reply.body as Reverted;
  expect(done).toEqual(announced);
  expect(rows.filter(({ effect }) => effect !== null)).toHaveLength(done.reverted);
  expect(changeSetId === null).toBe(done.reverted === 0);
  return reply.body;
}

/** Returns everything that is stored about rows, except versions and times of the write. */
async function stored(ids: readonly string[]) {
  const { rows } = await sql<Record<string, unknown>>`
    select deals.id, to_jsonb(deals) - '{version,field_versions,updated_at,updated_by,deleted_at,deleted_by,closed_at}'::text[] as row,
      deleted_at is not null as is_deleted,
      (select jsonb_agg(to_jsonb(deal_items) order by position) from deal_items where deal_id = deals.id) as items,
      (select jsonb_object_agg(user_id, level) from shares where entity = 'deal' and record_id = deals.id) as shares
    from deals where id = any(${[...ids]}::uuid[]) order by id`.execute(server.db);
  return rows;
}

const itemOf = async (name: string, price: number): Promise<string> =>
  (await server.call('POST /item-configurations', { token: admin.token, body: { name, price } })).body._id;

describe('a change set', () => {
  test('a person takes back a paste over rows and a paste of rows, and takes that back, and every value is as before', async () => {
    const clerk = await newClerk();
    const paint = await itemOf('Paint protection', 300);
    const film = await itemOf('Tint film', 450);
    const ids = await addRows(clerk, [
      { items: [{ itemId: paint, quantity: 2 }], costAmount: 100 },
      { saleAmount: 5000, notes: 'Rang', followUpAt: '2026-12-01T09:30:00.000Z' },
      {},
    ]);
    // A rate that no setting has any more.
    await sql`update deals set commission_rate = 7.25 where id = ${ids[1]}`.execute(server.db);
    const before = await stored(ids);
    const set = newSet('paste');
    const [first, second, third] = ids as [string, string, string];
    await patch(set, clerk, first, {
      items: [
        { itemId: film, quantity: 1 },
        { itemId: paint, quantity: 1, unitPrice: 280.5 },
      ],
      status: 'Called',
    });
    await patch(set, clerk, second, { dealershipId: valley, saleAmount: 6000, notes: '', followUpAt: null });
    await patch(set, clerk, third, { vehicle: 'Ute', month: '2025-01', deliveryDate: '2026-11-30' });
    await patch(set, clerk, third, { vehicle: 'Van' });
    const added = await addRows(clerk, [{ customerName: 'Bob Example' }, {}], set);
    const all = [...ids, ...added];
    const after = await stored(all);

    const { _id: pasted } = await newest(clerk);
    const seen = await preview(pasted, clerk);
    expect(seen).toMatchObject({ reverted: 5, left: [], refused: [] });
    expect(seen.rows.map(({ effect }) => effect)).toEqual([
      'changed',
      'changed',
      'changed',
      'deleted',
      'deleted',
    ]);
    expect(seen.rows[2]).toMatchObject({ _id: third, customerName: 'Ann Example', emailedAt: null });
    expect(seen.rows[2]!.changes).toEqual(
      expect.arrayContaining([
        { field: 'vehicle', before: 'Van', after: null },
        { field: 'month', before: '2025-01', after: (before[2]!.row as { month: string }).month },
      ]),
    );
    const { changeSetId } = await revert(pasted, clerk);
    expect(await stored(ids)).toEqual(before);
    expect((await stored(added)).map((row) => row.is_deleted)).toEqual([true, true]);
    expect(await newest(clerk)).toMatchObject({
      _id: changeSetId,
      kind: 'revert',
      title: 'Took back changes of 5 rows',
      rows: 5,
      changed: 3,
      deleted: 2,
      abilities: { revert: true },
    });
    // What is back already is neither changed again nor counted.
    expect(await revert(pasted, clerk)).toEqual({
      changeSetId: null,
      reverted: 0,
      left: [],
      refused: [],
    });

    const again = await revert(changeSetId!, clerk);
    expect(await stored(all)).toEqual(after);
    await revert(again.changeSetId!, clerk);
    expect(await stored(ids)).toEqual(before);
    const filtered = await server.call('GET /changes?kind=revert', { token: clerk.token });
    expect(filtered.body.items).toHaveLength(3);
  });

  test('a person takes back chosen rows of a set only', async () => {
    const clerk = await newClerk();
    const ids = await addRows(clerk, [{}, {}]);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/status', { ids, status: 'Called' });
    const { _id: set } = await newest(clerk);
    expect(await revert(set, clerk, { rows: [ids[1]!] })).toMatchObject({ reverted: 1 });
    expect([(await read(ids[0]!)).status, (await read(ids[1]!)).status]).toEqual(['Called', 'Entered']);
  });

  test('a person takes back a deletion, also when its rows were changed in the same set', async () => {
    const clerk = await newClerk();
    const ids = await addRows(clerk, [{ notes: 'Rang' }, { notes: 'Rang' }]);
    const before = await stored(ids);
    const set = newSet('edit');
    await patch(set, clerk, ids[0]!, { notes: 'Met' });
    await callIn(set, clerk, 'POST /deals/bulk/delete', { ids });
    const after = await stored(ids);
    const { _id } = await newest(clerk);
    const { changeSetId } = await revert(_id, clerk);
    expect(await stored(ids)).toEqual(before);
    await revert(changeSetId!, clerk);
    expect(await stored(ids)).toEqual(after);
  });

  test('a person takes back an action with its undo and redo as one', async () => {
    const clerk = await newClerk();
    const [paste, undo] = [newSet('paste'), newSet('undo')];
    const ids = await addRows(clerk, [{}, {}], paste);
    const { _id } = await newest(clerk);
    await callIn(`${undo} ${paste}`, clerk, 'POST /deals/bulk/delete', { ids });
    expect(await revert(_id, clerk)).toMatchObject({ reverted: 0 });
    const redone = await addRows(clerk, [{}], `${newSet('paste')} ${paste}`);
    expect(await revert(_id, clerk)).toMatchObject({ reverted: 1 });
    expect(await stored(redone)).toMatchObject([{ is_deleted: true }]);
  });

  test('an administrator takes back a transfer and shares, with the rate of the former owner', async () => {
    const [clerk, other] = [await newClerk(), await newClerk({}, {}, 'Olga Other')];
    const ids = await addRows(clerk, [{ saleAmount: 1000 }, { saleAmount: 1000 }]);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/share', {
      ids: [ids[0]],
      sharedWith: [{ userId: other.id, permissions: 'view' }],
    });
    await sql`update deals set commission_rate = 3 where id = ${ids[0]}`.execute(server.db);
    const before = await stored(ids);
    const set = newSet('bulk');
    const share = [{ userId: admin.id, permissions: 'write' }];
    await callIn(set, clerk, 'POST /deals/bulk/share', { ids, sharedWith: share });
    await callIn(set, clerk, 'POST /deals/bulk/owner', { ids, targetUserId: other.id, keepSharing: true });
    const after = await stored(ids);
    const { _id } = await newest(clerk);
    expect((await revert(_id, clerk)).refused).toEqual(
      ids.map((dealId) => ({ dealId, reason: expect.stringContaining('may transfer this row') })),
    );
    const { changeSetId } = await revert(_id, admin);
    expect(await stored(ids)).toEqual(before);
    await revert(changeSetId!, admin);
    expect(await stored(ids)).toEqual(after);
  });

  test('an administrator takes back a share of rows of which one is still shared with somebody who has left', async () => {
    const [clerk, left] = [await newClerk(), await newClerk({}, {}, 'Lou Left')];
    const ids = await addRows(clerk, [{}, {}]);
    const share = (set: string, rows: string[], userId: string) =>
      callIn(set, clerk, 'POST /deals/bulk/share', {
        ids: rows,
        sharedWith: [{ userId, permissions: 'view' }],
      });
    await share(newSet('bulk'), [ids[0]!], left.id);
    await sql`update users set is_active = false where id = ${left.id}`.execute(server.db);
    const before = await stored(ids);
    await share(newSet('bulk'), ids, admin.id);
    const { _id } = await newest(clerk);
    expect(await revert(_id, admin)).toMatchObject({ reverted: 2, refused: [] });
    expect(await stored(ids)).toEqual(before);
  });
});

describe('a change since', () => {
  test('a value that somebody has changed since stays and is listed with its author, unless it is named', async () => {
    const [clerk, other] = [await newClerk(), await newClerk()];
    const [id] = (await addRows(clerk, [{ notes: 'Rang', vehicle: 'Ute' }])) as [string];
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/share', {
      ids: [id],
      sharedWith: [{ userId: other.id, permissions: 'write' }],
    });
    const set = newSet('fill');
    await patch(set, clerk, id, { notes: 'Met', vehicle: 'Van' });
    const { _id } = await newest(clerk);
    await patch(newSet('edit'), other, id, { notes: 'Sold', dealNumber: 'D-1' });
    const left = [{ dealId: id, field: 'notes', by: 'Cleo Clerk', at: expect.any(String) }];
    expect((await preview(_id, clerk)).rows[0]).toMatchObject({
      effect: 'changed',
      changes: [{ field: 'vehicle', before: 'Van', after: 'Ute' }],
      left: [{ field: 'notes', before: 'Sold', after: 'Rang', by: 'Cleo Clerk' }],
    });
    const { changeSetId } = await revert(_id, clerk);
    expect(await read(id)).toMatchObject({ notes: 'Sold', vehicle: 'Ute', dealNumber: 'D-1' });
    // Only what was changed since is left.
    expect(await revert(_id, clerk)).toEqual({
      changeSetId: null,
      reverted: 0,
      left,
      refused: [],
    });
    await revert(_id, clerk, { overwrite: [{ dealId: id, fields: ['notes'] }] });
    expect(await read(id)).toMatchObject({ notes: 'Rang', dealNumber: 'D-1' });
    await revert(changeSetId!, clerk);
    expect(await read(id)).toMatchObject({ notes: 'Rang', vehicle: 'Van' });
  });

  test('a row that somebody has changed since it was added is deleted only with the names of these fields', async () => {
    const clerk = await newClerk();
    const [id, plain] = (await addRows(clerk, [{ notes: 'Rang' }, {}])) as [string, string];
    const { _id } = await newest(clerk);
    await patch(newSet('edit'), admin, id, { notes: 'Met', vehicle: 'Ute' });
    await patch(newSet('edit'), admin, plain, { notes: 'Met' });
    await patch(newSet('edit'), admin, plain, { notes: '' });
    const fields = (result: { left: { field: string }[] }) =>
      result.left.map(({ field }) => field).toSorted();
    const first = await revert(_id, clerk, { overwrite: [{ dealId: id, fields: ['notes'] }] });
    expect([first.reverted, fields(first), first.left[0]!.by]).toEqual([1, ['vehicle'], 'Ada Admin']);
    expect(await stored([id, plain])).toMatchObject([{ is_deleted: false }, { is_deleted: true }]);
    const { changeSetId } = await revert(_id, clerk, {
      overwrite: [{ dealId: id, fields: ['notes', 'vehicle'] }],
    });
    await revert(changeSetId!, clerk);
    expect(await read(id)).toMatchObject({ notes: 'Met', vehicle: 'Ute' });
  });

  test('a named value that somebody has changed after the preview stays and is listed', async () => {
    const clerk = await newClerk();
    const other = await newClerk({}, {}, 'Olga Other');
    const ids = (await addRows(clerk, [{ notes: 'Rang' }])) as [string];
    const share = async (by: Person, ...sharedWith: object[]) =>
      callIn(newSet('bulk'), by, 'POST /deals/bulk/share', { ids, sharedWith });
    const set = newSet('bulk');
    await patch(set, clerk, ids[0], { notes: 'Met' });
    const level = (permissions: string) => ({ userId: other.id, permissions });
    await callIn(set, clerk, 'POST /deals/bulk/share', { ids, sharedWith: [level('view')] });
    const { _id } = await newest(clerk);
    await patch(newSet('edit'), admin, ids[0], { notes: 'Sold' });
    await share(admin, level('write'));
    const { version, left } = (await preview(_id, clerk)).rows[0]!;
    expect(left.map(({ field }) => field)).toEqual(['notes', 'sharedWith']);
    const overwrite = [{ dealId: ids[0], fields: left.map(({ field }) => field) as 'notes'[], version }];
    await patch(newSet('edit'), other, ids[0], { notes: 'Lost' });
    await share(admin, level('view'), { userId: admin.id, permissions: 'view' });
    const before = await stored(ids);
    expect(await revert(_id, clerk, { overwrite })).toMatchObject({
      reverted: 0,
      left: [
        { field: 'notes', by: 'Olga Other' },
        { field: 'sharedWith', by: 'Ada Admin' },
      ],
    });
    expect(await stored(ids)).toEqual(before);
    const seen = (await preview(_id, clerk)).rows[0]!.version;
    expect(await revert(_id, clerk, { overwrite: [{ ...overwrite[0]!, version: seen }] })).toMatchObject({
      reverted: 1,
      left: [],
    });
    expect(await read(ids[0])).toMatchObject({ notes: 'Rang' });
  });

  test('the preview of an added row lists a later change that emptied a value', async () => {
    const clerk = await newClerk();
    const [id] = (await addRows(clerk, [{ notes: 'Rang', saleAmount: 100 }])) as [string];
    const { _id } = await newest(clerk);
    await patch(newSet('edit'), admin, id, { notes: '', saleAmount: null });
    const { left } = (await preview(_id, clerk)).rows[0]!;
    expect(left).toMatchObject([
      { field: 'saleAmount', before: null, after: null, by: 'Ada Admin' },
      { field: 'notes', before: null, after: null, by: 'Ada Admin' },
    ]);
    const fields = left.map(({ field }) => field) as ('notes' | 'saleAmount')[];
    expect(await revert(_id, clerk, { overwrite: [{ dealId: id, fields }] })).toMatchObject({ reverted: 1 });
  });

  test('a rate stays with the sale amount that somebody has changed since', async () => {
    const clerk = await newClerk();
    const [id] = (await addRows(clerk, [{ saleAmount: 100 }])) as [string];
    await sql`update deals set commission_rate = null where id = ${id}`.execute(server.db);
    await patch(newSet('fill'), clerk, id, { dealershipId: valley, saleAmount: 200 });
    await sql`update deals set commission_rate = 9 where id = ${id}`.execute(server.db);
    const { _id } = await newest(clerk);
    await patch(newSet('edit'), admin, id, { saleAmount: 300 });
    const { commissionRate } = await read(id);
    const { left } = await revert(_id, clerk);
    expect(left.map(({ field }) => field)).toEqual(['saleAmount']);
    expect(await read(id)).toMatchObject({ dealershipId: harbour, saleAmount: 300, commissionRate });
  });

  test('a row that somebody has deleted since is refused with their name to an administrator, and not listed for others', async () => {
    const clerk = await newClerk();
    const ids = await addRows(clerk, [{}, {}]);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/status', { ids, status: 'Called' });
    const { _id } = await newest(clerk);
    await callIn(newSet('bulk'), admin, 'POST /deals/bulk/delete', { ids: [ids[0]] });
    expect(await preview(_id, clerk)).toMatchObject({ reverted: 1, refused: [], rows: [{ _id: ids[1] }] });
    expect(await revert(_id, admin)).toMatchObject({
      reverted: 1,
      refused: [{ dealId: ids[0], reason: 'Ada Admin has since deleted this row.' }],
    });
    const { _id: deletion } = await newest(admin, `&dealId=${ids[0]}&kind=bulk`);
    expect(await revert(deletion, admin)).toMatchObject({ reverted: 1 });
  });

  test('two people change rows while they are taken back: no change is lost', async () => {
    const [clerk, other] = [await newClerk(), admin];
    const ids = await addRows(
      clerk,
      Array.from({ length: 40 }, () => ({ notes: 'Rang' })),
    );
    const set = newSet('fill');
    for (const id of ids) await patch(set, clerk, id, { notes: 'Met' });
    const { _id } = await newest(clerk);
    const versions = await Promise.all(ids.map(async (id) => (await read(id)).version as number));
    const edits = ids.map(
      (id, index) => async () =>
        callIn(newSet('edit'), other, `PATCH /deals/${id}`, { version: versions[index], vehicle: 'Ute' }),
    );
    const [done] = await Promise.all([
      call('revert', _id, clerk),
      ...edits.toReversed().map((edit) => edit()),
      call('revert', _id, other),
    ]);
    expect(done.status).toBe(200);
    for (const id of ids) expect(await read(id)).toMatchObject({ notes: 'Rang', vehicle: 'Ute' });
  });
});

describe('a right', () => {
  test('a person without bulkEdit takes back a paste of several rows, and that, also after days', async () => {
    const clerk = await newClerk({}, {});
    await addRows(clerk, [{}, {}]);
    const paste = await newest(clerk);
    expect(paste.abilities).toEqual({ revert: true });
    await sql`update deals set created_at = created_at - interval '1 day'`.execute(server.db);
    const { changeSetId } = await revert(paste._id, clerk);
    await sql`update deals set deleted_at = deleted_at - interval '1 day' where created_by = ${clerk.id}`.execute(
      server.db,
    );
    expect(await revert(changeSetId!, clerk)).toMatchObject({ reverted: 2, refused: [] });
  });

  test('a person who has no bulkEdit any more takes back one row of an action or an import, and is refused for more', async () => {
    const clerk = await newClerk();
    const given = [0, 1].map(() => ({ dealershipId: harbour, customerName: 'Ann Example' }));
    const imported = await callIn(newSet('import'), clerk, 'POST /deals/import', { rows: given });
    const ids = imported.body.items.map(({ _id }: { _id: string }) => _id);
    await changePermissions(server, admin, clerk, { features: { bulkEdit: false } });
    const set = await newest(clerk);
    expect(set.abilities).toEqual({ revert: 'NO_BULK_EDIT' });
    for (const route of ['revert', 'revert/preview'])
      expect(await call(route, set._id, clerk)).toMatchObject({
        status: 403,
        body: { details: 'NO_BULK_EDIT' },
      });
    // Also a day later, when an undo needs bulkEdit.
    await sql`update deals set created_at = created_at - interval '1 day'`.execute(server.db);
    expect(await revert(set._id, clerk, { rows: [ids[0]!] })).toMatchObject({ reverted: 1 });
    const restored = await newest(clerk);
    await sql`update deals set deleted_at = deleted_at - interval '1 day' where id = ${ids[0]}`.execute(
      server.db,
    );
    expect(await revert(restored._id, clerk)).toMatchObject({ reverted: 1 });
  });

  test('rows that the person may no longer change or delete are refused, and the others are taken back', async () => {
    const clerk = await newClerk();
    const ids = await addRows(clerk, [{}, {}]);
    const { _id: paste } = await newest(clerk);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/status', { ids, status: 'Called' });
    const { _id: bulk } = await newest(clerk);
    await sql`update deals set owner_id = ${admin.id}, created_by = ${admin.id} where id = ${ids[0]}`.execute(
      server.db,
    );
    expect(await revert(bulk, clerk)).toMatchObject({
      reverted: 1,
      refused: [{ dealId: ids[0], reason: expect.stringContaining('may change this row') }],
    });
    await changePermissions(server, admin, clerk, { dataEntry: { canDeleteRows: false } });
    const { refused } = await revert(paste, clerk, { rows: [ids[1]!] });
    expect(refused).toEqual([{ dealId: ids[1], reason: 'You may not delete this row.' }]);
  });

  test('hidden columns are neither shown nor changed, and derived amounts follow their source', async () => {
    const clerk = await newClerk();
    const [id] = (await addRows(clerk, [{ notes: 'Rang', saleAmount: 100 }])) as [string];
    await sql`update deals set commission_rate = 4 where id = ${id}`.execute(server.db);
    await patch(newSet('fill'), clerk, id, { notes: 'Met', saleAmount: 4711, dealershipId: valley });
    const { _id } = await newest(clerk);
    await changePermissions(server, admin, clerk, {
      dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns: ['notes'] } },
    });
    const seen = await preview(_id, clerk);
    expect(JSON.stringify(seen)).not.toMatch(/4711|Valley|Harbour|Ann|sale|ealership/);
    expect(
      await call('revert', _id, clerk, { overwrite: [{ dealId: id, fields: ['saleAmount'] }] }),
    ).toMatchObject({
      status: 400,
      body: { errors: { 'overwrite.0.fields': 'You may not see this column' } },
    });
    await revert(_id, clerk);
    expect(await read(id)).toMatchObject({ notes: 'Rang', saleAmount: 4711, dealershipId: valley });
    await changePermissions(server, admin, clerk, {
      dataEntry: {
        columnVisibility: { viewAllColumns: false, visibleColumns: ['notes', 'saleAmount', 'dealershipId'] },
      },
    });
    expect(await revert(_id, clerk)).toMatchObject({ reverted: 1 });
    expect(await read(id)).toMatchObject({ saleAmount: 100, commissionRate: 4, commission: 4 });
  });

  test('an added row with a later change in a hidden column is refused', async () => {
    const clerk = await newClerk();
    const [id] = (await addRows(clerk, [{}])) as [string];
    const { _id } = await newest(clerk);
    await patch(newSet('edit'), admin, id, { notes: 'Secret' });
    await changePermissions(server, admin, clerk, {
      dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns: ['vehicle'] } },
    });
    const seen = await preview(_id, clerk);
    expect(seen).toMatchObject({ reverted: 0, left: [], refused: [{ dealId: id }] });
    expect(JSON.stringify(seen)).not.toMatch(/notes|Secret/);
  });

  test('rows outside the scope of the person are neither listed nor counted, and cannot be named', async () => {
    const clerk = await newClerk();
    const ids = await addRows(clerk, [{}, { dealershipId: valley, customerName: 'Hidden Example' }]);
    const { _id } = await newest(clerk);
    await changePermissions(server, admin, clerk, {
      dataEntry: { columnVisibility: { restrictedDealerships: [valley] } },
    });
    const seen = await preview(_id, clerk);
    expect([seen.reverted, seen.rows.length, JSON.stringify(seen).includes('Hidden')]).toEqual([1, 1, false]);
    for (const rows of [[ids[1]!], [ABSENT_ID]])
      expect(await call('revert', _id, clerk, { rows })).toMatchObject({
        status: 400,
        body: { errors: { 'rows.0': 'Must be a row of this change that you may see' } },
      });
    await revert(_id, clerk);
    expect(await stored(ids)).toMatchObject([{ is_deleted: true }, { is_deleted: false }]);
  });

  test('a row does not go back to a value that is hidden from the person, and the value is not shown', async () => {
    const clerk = await newClerk();
    const [id] = (await addRows(clerk, [{ dealershipId: valley }])) as [string];
    await patch(newSet('fill'), clerk, id, { dealershipId: harbour });
    const { _id } = await newest(clerk);
    await changePermissions(server, admin, clerk, {
      dataEntry: { columnVisibility: { restrictedDealerships: [valley] } },
    });
    const seen = await preview(_id, clerk);
    expect(seen).toMatchObject({ reverted: 0, refused: [{ reason: expect.stringContaining('go back to') }] });
    expect(JSON.stringify(seen)).not.toContain('Valley');
  });

  test('a person is refused a set of somebody else, an unknown set, a set of 91 days and a malformed body, and nothing is written', async () => {
    const clerk = await newClerk();
    const [id] = (await addRows(clerk, [{ notes: 'Rang' }])) as [string];
    await patch(newSet('fill'), clerk, id, { notes: 'Met' });
    const { _id } = await newest(clerk);
    const entries = () =>
      server.db.selectFrom('audit_entries').select('id').where('record_id', '=', id).execute();
    const count = (await entries()).length;
    expect((await call('revert', _id, await newClerk())).status).toBe(404);
    expect((await call('revert', ABSENT_ID, clerk)).status).toBe(404);
    for (const [body, field] of [
      [{ rows: [] }, 'rows'],
      [{ rows: ['x'] }, 'rows.0'],
      [{ overwrite: [{ dealId: ABSENT_ID, fields: [] }] }, 'overwrite.0.dealId'],
      [{ overwrite: [{ dealId: id, fields: ['nothing'] }] }, 'overwrite.0.fields.0'],
    ] as const)
      expect(await call('revert', _id, clerk, body as never)).toMatchObject({
        status: 400,
        body: { errors: { [field]: expect.any(String) } },
      });
    await sql`update change_sets set created_at = created_at - interval '90 days 1 minute' where id = ${_id}`.execute(
      server.db,
    );
    for (const route of ['revert', 'revert/preview'])
      expect(await call(route, _id, clerk)).toMatchObject({
        status: 409,
        body: { message: 'Changes can be taken back for 90 days. Nothing was changed.' },
      });
    expect((await server.call(`GET /changes/${_id}`, { token: clerk.token })).body.changeSet).toMatchObject({
      abilities: { revert: 'SET_TOO_OLD' },
    });
    expect(await entries()).toHaveLength(count);
  });

  test('a repeated request with the same key takes back once, and no caller can name a set of this kind', async () => {
    const clerk = await newClerk();
    const [id] = (await addRows(clerk, [{ notes: 'Rang' }])) as [string];
    await patch(newSet('fill'), clerk, id, { notes: 'Met' });
    const { _id } = await newest(clerk);
    const send = () => call('revert', _id, clerk, {}, { 'idempotency-key': `revert-${id}` });
    const [one, other] = [await send(), await send()];
    expect(one.body).toMatchObject({ reverted: 1 });
    expect(other.body).toEqual(one.body);
    const named = await server.call(`PATCH /deals/${id}`, {
      token: clerk.token,
      body: { version: 3, notes: 'x' },
      headers: { 'x-change-set': 'revert 1' },
    });
    expect(named.status).toBe(400);
  });
});

describe('a value that is gone', () => {
  test('a status is found by its name or a former one, and refused with its row when it is gone', async () => {
    const clerk = await newClerk();
    const add = async (name: string) =>
      (
        await server.call('POST /status-configurations', {
          token: admin.token,
          body: { name, color: '#336699' },
        })
      ).body;
    const [rang, lost] = [await add('Rang once'), await add('Lost once')];
    const ids = await addRows(clerk, [{ status: 'Rang once' }, { status: 'Lost once' }]);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/status', { ids, status: 'Called' });
    const { _id } = await newest(clerk);
    const renamed = await server.call(`PUT /status-configurations/${rang._id}`, {
      token: admin.token,
      body: { ...rang, name: 'Rang twice' },
    });
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
    const gone = await server.call(`DELETE /status-configurations/${lost._id}`, { token: admin.token });
    expect(gone.status, JSON.stringify(gone.body)).toBeLessThan(300);
    expect(await revert(_id, clerk)).toMatchObject({
      reverted: 1,
      refused: [{ dealId: ids[1], reason: 'The status “Lost once” no longer exists.' }],
    });
    expect(await read(ids[0]!)).toMatchObject({ status: 'Rang twice' });
  });

  test('a row is refused if the name of its earlier status, or of the one it got, is now that of another status', async () => {
    const clerk = await newClerk();
    const send = async (route: string, body: object) => {
      const reply = await server.call(route, { token: admin.token, body });
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      return reply.body;
    };
    const quoted = await send('POST /status-configurations', { name: 'Quoted', color: '#336699' });
    const ids = await addRows(clerk, [{ status: 'Quoted' }, {}, {}]);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/status', { ids: ids.slice(1), status: 'Quoted' });
    const { _id: given } = await newest(clerk);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/status', { ids: [ids[0]], status: 'Called' });
    const { _id: taken } = await newest(clerk);
    await send(`PUT /status-configurations/${quoted._id}`, { ...quoted, name: 'Offer sent' });
    await send('POST /status-configurations', { name: 'quoted', color: '#993366' });
    await callIn(newSet('bulk'), admin, 'POST /deals/bulk/status', { ids: [ids[2]], status: 'quoted' });
    const before = await stored(ids);
    const reason = 'The name of its status before or after this change was used by more than one status.';
    expect(await revert(taken, clerk)).toMatchObject({ reverted: 0, refused: [{ dealId: ids[0], reason }] });
    const { reverted, refused } = await revert(given, clerk);
    // In the order of the entries, which a change of many rows does not promise.
    expect([reverted, new Map(refused.map((one) => [one.dealId, one.reason]))]).toEqual([
      0,
      new Map(ids.slice(1).map((id) => [id, reason])),
    ]);
    expect(await stored(ids)).toEqual(before);
  });

  test('custom fields go back exactly, and a retired field, a retired option and an inactive person are refused', async () => {
    const clerk = await newClerk();
    const helper = await newClerk({}, {}, 'Hal Helper');
    const addField = async (name: string, type: string, changes: object = {}) =>
      (await server.call('POST /custom-fields', { token: admin.token, body: { name, type, ...changes } }))
        .body;
    const put = async ({ _id }: { _id: string }, changes: object) => {
      const { body } = await server.call(`GET /custom-fields/${_id}`, { token: admin.token });
      const reply = await server.call(`PUT /custom-fields/${_id}`, {
        token: admin.token,
        body: { ...body, ...changes },
      });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    };
    const colour = await addField('Colour', 'select', { options: [{ name: 'Red' }, { name: 'Blue' }] });
    const person = await addField('Helper', 'person');
    const plain = await addField('Key tag', 'text');
    const rows = [{ [plain.key]: 'K1' }, { [colour.key]: 'o1' }, { [person.key]: helper.id }].map(
      (custom) => ({ custom }),
    );
    const ids = await addRows(clerk, rows);
    const before = await stored(ids);
    const set = newSet('fill');
    await patch(set, clerk, ids[0]!, { custom: { [plain.key]: null, [colour.key]: 'o2' } });
    await patch(set, clerk, ids[1]!, { custom: { [colour.key]: 'o2' } });
    await patch(set, clerk, ids[2]!, { custom: { [person.key]: null } });
    const { _id } = await newest(clerk);
    const { changeSetId } = await revert(_id, clerk);
    expect(await stored(ids)).toEqual(before);
    await revert(changeSetId!, clerk);
    const options = [
      { id: 'o1', name: 'Red', active: false },
      { id: 'o2', name: 'Blue', active: true },
    ];
    await put(colour, { options });
    await put(plain, { active: false });
    await sql`update users set is_active = false where id = ${helper.id}`.execute(server.db);
    const { refused, reverted } = await revert(_id, clerk);
    expect([reverted, refused.map(({ reason }) => reason)]).toEqual([
      0,
      [
        'The field “Key tag” is no longer in use.',
        '“Colour” no longer accepts the earlier value.',
        'Hal Helper is no longer active.',
      ],
    ]);
    await put(colour, { active: false });
    await put(person, { active: false });
  });

  test('a revert refuses a row with redacted entries, and neither counts nor finds a purged row', async () => {
    const clerk = await newClerk();
    const ids = await addRows(clerk, [{}, { customerName: 'Purged Paul' }]);
    await callIn(newSet('bulk'), clerk, 'POST /deals/bulk/delete', { ids });
    const { _id } = await newest(clerk);
    const redacted = await server.call('POST /audit-logs/redact', {
      token: admin.token,
      body: { recordId: ids[0], reason: 'Asked for it' },
    });
    expect(redacted.status, JSON.stringify(redacted.body)).toBe(200);
    await sql`update deals set deleted_at = deleted_at - interval '31 days' where id = ${ids[1]}`.execute(
      server.db,
    );
    const auditLog = createAuditService(createSecrets(TEST_KEY));
    await createDealPurge({ db: server.db, log: createLog('silent'), redact: auditLog.redactPurged }).purge();
    const done = await revert(_id, admin);
    expect(done).toMatchObject({
      reverted: 0,
      refused: [{ dealId: ids[0], reason: expect.stringContaining('removed from the audit log') }],
    });
    expect(await call('revert', _id, admin, { rows: [ids[1]!] })).toMatchObject({ status: 400 });
  });
});

test('an email about a row since the set is announced with its time to a person who sees that column', async () => {
  const clerk = await newClerk();
  const [id] = (await addRows(clerk, [{ notes: 'Rang' }])) as [string];
  await patch(newSet('fill'), clerk, id, { notes: 'Met' });
  const { _id } = await newest(clerk);
  const sentAt = new Date().toISOString();
  const email = emailValues(clerk.id, harbour, { status: 'sent', sent_at: sentAt });
  await server.db
    .insertInto('emails')
    .values(email as never)
    .execute();
  await server.db
    .insertInto('email_deals')
    .values({ email_id: (email as { id: string }).id, deal_id: id, deal_version: 2 } as never)
    .execute();
  expect((await preview(_id, clerk)).rows[0]).toMatchObject({ emailedAt: sentAt });
});

test.runIf(process.env.LONG_TESTS)(
  'a set of 10,000 rows is previewed and taken back in a time that is near that of the change itself, in parts',
  async () => {
    const clerk = await newClerk();
    const rows = Array.from({ length: 10_000 }, () => ({
      dealershipId: harbour,
      customerName: 'Ann Example',
    }));
    await callIn(newSet('import'), clerk, 'POST /deals/import', { rows });
    const found = await server.db.selectFrom('deals').select('id').where('owner_id', '=', clerk.id).execute();
    const times = new Map<string, number>();
    const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await work();
      times.set(name, performance.now() - start);
      return result;
    };
    const ids = found.map(({ id }) => id);
    const status = () => callIn(newSet('bulk'), clerk, 'POST /deals/bulk/status', { ids, status: 'Called' });
    await timed('change', status);
    const { _id } = await newest(clerk);
    expect((await timed('preview', () => preview(_id, clerk))).rows).toHaveLength(10_000);
    expect((await timed('revert', () => call('revert', _id, clerk))).body.reverted).toBe(10_000);
    const ratios = ['preview', 'revert'].map((name) => times.get(name)! / times.get('change')!);
    process.stdout.write(
      `revert of 10,000 rows by the change: preview, revert ${ratios.map((one) => one.toFixed(2)).join(', ')}\n`,
    );
    expect(ratios[0]).toBeLessThan(1.5);
    expect(ratios[1]).toBeLessThan(3);
  },
);
