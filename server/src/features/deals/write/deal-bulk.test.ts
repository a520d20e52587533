import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, closeMonth, newestAudit } from '../../../../test/builders.ts';
import { createClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';

const MANY = 10_000;
const MOVE = 'dataEntry.moveEditedToCurrentMonth';

/** Has all rights on own rows. */
const thisMonth = createClock('Australia/Sydney').businessMonth();
const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dataEntry = { canAddRows: true, canEditRows: true, canDeleteRows: true };
const lead = await server.person({ permissions: { dataEntry, features: { bulkEdit: true } } });
const clerk = await server.person({ permissions: { dataEntry } });
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const bulk = (what: string, body: object, by: Person = lead) =>
  server.call(`POST /deals/bulk/${what}`, { token: by.token, body });
const read = (id: string, by: Person = admin) => server.call(`GET /deals/${id}`, { token: by.token });
const ownRow = async (changes: object = {}): Promise<string> =>
  (await addDeal(server, lead, dealershipId, changes))._id;

const addedAgo = (id: string, time: string) =>
  sql`update deals set created_at = now() - ${time}::interval where id = ${id}`.execute(server.db);

describe('many rows at once', () => {
  test('many rows at once need a session and bulkEdit, except restoring rows that the caller deleted', async () => {
    const { _id: id } = await addDeal(server, clerk, dealershipId);
    await addedAgo(id, '61 minutes');
    for (const [what, change] of Object.entries({
      status: { status: 'Called' },
      month: { month: '2024-05' },
      delete: {},
    })) {
      expect((await server.call(`POST /deals/bulk/${what}`, { body: { ids: [id], ...change } })).status).toBe(
        401,
      );
      expect((await bulk(what, { ids: [id], ...change }, clerk)).status).toBe(403);
    }
    expect((await bulk('restore', { ids: [newId(), newId()] }, clerk)).status).toBe(404);
    const { _id: other } = await addDeal(server, clerk, dealershipId);
    for (const own of [id, other]) await server.call(`DELETE /deals/${own}`, { token: clerk.token });
    expect((await bulk('restore', { ids: [id, other] }, clerk)).body.items).toHaveLength(2);
  });

  test('many rows at once without bulkEdit, the caller deletes only rows that they added in the last hour', async () => {
    const add = async (by: Person) => (await addDeal(server, by, dealershipId))._id;
    const [fresh, hourOld, others] = [await add(clerk), await add(clerk), await add(lead)];
    await addedAgo(fresh, '59 minutes');
    await addedAgo(hourOld, '61 minutes');
    const share = { sharedWith: [{ userId: clerk.id, level: 'write' }] };
    await server.call(`PUT /deals/${others}/sharing`, { token: lead.token, body: share });
    const refused = { status: 403, body: { code: 'INSUFFICIENT_PERMISSIONS' } };
    expect(await bulk('delete', { ids: [fresh, hourOld] }, clerk)).toMatchObject(refused);
    expect(await bulk('delete', { ids: [fresh, others] }, clerk)).toMatchObject(refused);
    expect((await read(fresh)).status).toBe(200);
    expect((await bulk('delete', { ids: [fresh, await add(clerk)] }, clerk)).status).toBe(204);
    expect((await read(fresh)).status).toBe(404);
  });

  test.each([
    ['status', { ids: [] }, 'ids'],
    ['status', { status: 'Nearly' }, 'status'],
    ['month', { month: '2026-13' }, 'month'],
    ['delete', { ids: Array.from({ length: MANY + 1 }, () => newId()) }, 'ids'],
    ['restore', { ids: ['x'] }, 'ids.0'],
  ])('the bulk call %s refuses %.40j', async (what, changes, field) => {
    const valid = { status: { status: 'Called' }, month: { month: '2024-05' } }[what] ?? {};
    const reply = await bulk(what, { ids: [await ownRow()], ...valid, ...changes });
    expect(reply).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
  });

  test.each([
    ['status', { status: 'Called' }],
    ['month', { month: '2024-05' }],
    ['delete', {}],
  ])('the bulk call %s changes all of its rows or none', async (what, change) => {
    const own = await ownRow();
    const { _id: other } = await addDeal(server, admin, dealershipId);
    expect(await bulk(what, { ids: [own, other], ...change })).toMatchObject({
      status: 403,
      body: { details: 'NOT_ROW_OWNER' },
    });
    expect((await bulk(what, { ids: [own, newId()], ...change })).status).toBe(404);
    expect((await read(own)).body).toMatchObject({ version: 1, status: 'Entered', month: thisMonth });
  });

  test.each([
    ['status', { status: 'Called' }],
    ['month', { month: '2024-05' }],
    ['owner', { targetUserId: '' }],
  ])(
    'the bulk call %s with versions leaves alone what has another one by now, and what is gone',
    async (what, change) => {
      const [one, two, gone] = [await ownRow(), await ownRow(), await ownRow()];
      await server.call(`PATCH /deals/${two}`, { token: admin.token, body: { version: 1, notes: 'Ada' } });
      await server.call(`DELETE /deals/${gone}`, { token: admin.token });
      const body = { ids: [one, two, gone], versions: { [one]: 1, [two]: 1, [gone]: 1 }, ...change };
      const reply = await bulk(
        what,
        'targetUserId' in body ? { ...body, targetUserId: lead.id } : body,
        admin,
      );
      expect(reply.status).toBe(200);
      expect(reply.body.items.map((row: { _id: string }) => row._id)).toEqual([one]);
      expect((await read(two)).body).toMatchObject({ version: 2, status: 'Entered', month: thisMonth });
    },
  );

  test('rows are changed and audited once, also when an id is repeated or has no version', async () => {
    const [one, two] = [await ownRow(), await ownRow()];
    const body = { ids: [one, one, two], versions: { [one]: 1 }, status: 'Called' };
    expect((await bulk('status', body)).body.items).toMatchObject([{ _id: one, version: 2 }]);
    expect((await read(two)).body).toMatchObject({ version: 1, status: 'Entered' });
    const entries = server.db.selectFrom('audit_entries').where('record_id', '=', one).select('version');
    expect((await entries.execute()).map(({ version }) => version)).toEqual([1, 2]);
  });

  test('a repeated request with a key gets the rows as they are then, and changes nothing', async () => {
    const ids = [await ownRow(), await ownRow()].toSorted();
    const send = () =>
      server.call('POST /deals/bulk/status', {
        token: lead.token,
        headers: { 'idempotency-key': 'many' },
        body: { ids, status: 'Called' },
      });
    const first = await send();
    expect(first.body.items).toMatchObject(ids.map((_id) => ({ _id, status: 'Called', version: 2 })));
    expect((await send()).body).toEqual(first.body);
    const later = { version: 2, notes: 'Later', status: 'Entered' };
    await server.call(`PATCH /deals/${ids[0]}`, { token: admin.token, body: later });
    await server.call(`DELETE /deals/${ids[1]}`, { token: admin.token });
    expect((await send()).body).toMatchObject({
      items: [{ _id: ids[0], notes: 'Later', version: 3 }],
      total: 1,
    });
  });

  test('deleting many rows needs canDeleteRows', async () => {
    const short = await server.person({
      permissions: { dataEntry: { canAddRows: true }, features: { bulkEdit: true } },
    });
    const { _id } = await addDeal(server, short, dealershipId);
    expect(await bulk('delete', { ids: [_id] }, short)).toMatchObject({ body: { details: 'NO_ROW_DELETE' } });
  });

  test('many rows at once get a status; rows that have it do not change', async () => {
    const [one, two] = [await ownRow(), await ownRow({ status: 'Called' })];
    const { status, body } = await bulk('status', { ids: [one, two], status: 'called' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 2 });
    expect((await read(one)).body).toMatchObject({ status: 'Called', version: 2 });
    expect((await read(two)).body).toMatchObject({ status: 'Called', version: 1 });
    expect(await newestAudit(server, one)).toMatchObject({
      action: 'deal.updated',
      actor_id: lead.id,
      version: 2,
      before: { status: 'Entered' },
      after: { status: 'Called' },
    });
    // A change of the same cell from an earlier version is a conflict.
    const late = { token: lead.token, body: { version: 1, status: 'Deal' } };
    expect((await server.call(`PATCH /deals/${one}`, late)).status).toBe(409);
  });

  test('many rows at once move to another month for users with access to it', async () => {
    const id = await ownRow();
    const here = await server.person({
      permissions: {
        dataEntry: { canAddRows: true, canAccessAllMonths: false },
        features: { bulkEdit: true },
      },
    });
    const { _id: theirs } = await addDeal(server, here, dealershipId);
    expect(await bulk('month', { ids: [theirs], month: '2024-05' }, here)).toMatchObject({
      status: 400,
      body: { errors: { month: 'You may only use the current month' } },
    });
    expect((await bulk('month', { ids: [id], month: '2024-05' })).body.items).toMatchObject([
      { _id: id, month: '2024-05', version: 2 },
    ]);
    expect(await newestAudit(server, id)).toMatchObject({
      before: { month: thisMonth },
      after: { month: '2024-05' },
    });
  });

  test('many rows at once are deleted and restored unchanged', async () => {
    const ids = [await ownRow({ notes: 'Rang' }), await ownRow()];
    expect((await bulk('delete', { ids })).status).toBe(204);
    expect((await read(ids[0]!)).status).toBe(404);
    expect(await newestAudit(server, ids[0]!)).toMatchObject({
      action: 'deal.deleted',
      before: { notes: 'Rang' },
      after: null,
    });
    const back = await bulk('restore', { ids });
    expect(back.body.total).toBe(2);
    expect((await read(ids[0]!)).body).toMatchObject({ notes: 'Rang', version: 3 });
    expect(await newestAudit(server, ids[0]!)).toMatchObject({
      action: 'deal.restored',
      after: { notes: 'Rang' },
    });
  });
});

describe('a deleted row can be restored', () => {
  const deletedAgo = async (hours: number, by: Person): Promise<string> => {
    const id = await ownRow();
    await bulk('delete', { ids: [id] }, by);
    await sql`update deals set deleted_at = now() - make_interval(mins => ${Math.round(hours * 60)}) where id = ${id}`.execute(
      server.db,
    );
    return id;
  };

  test.each([
    ['for the user who deleted it, within the hour', 0.9, () => lead, () => lead, 200],
    ['for nobody else', 0.1, () => admin, () => lead, 404],
    ['not for them after an hour', 1.1, () => lead, () => lead, 404],
    ['for administrators within 30 days', 24 * 29.9, () => lead, () => admin, 200],
    ['for nobody after 30 days', 24 * 30.1, () => lead, () => admin, 404],
  ])('a deleted row can be restored: %s', async (_what, hours, deletedBy, restoredBy, status) => {
    const id = await deletedAgo(hours, deletedBy());
    expect((await bulk('restore', { ids: [id] }, restoredBy())).status).toBe(status);
    expect((await read(id)).status).toBe(status);
  });

  test('a deleted row can be restored once: a row that is not deleted returns 404', async () => {
    expect((await bulk('restore', { ids: [await ownRow()] }, admin)).status).toBe(404);
  });
});

describe('editing a row of an earlier month', () => {
  const setMove = (owner: string, value: boolean) =>
    server.call(`PUT /settings/user/${owner}/${MOVE}`, { token: admin.token, body: { value } });
  const patch = (id: string, body: object) => server.call(`PATCH /deals/${id}`, { token: lead.token, body });

  test('editing a row of an earlier month leaves it there unless the setting is on', async () => {
    const id = await ownRow({ month: '2024-05' });
    expect((await patch(id, { version: 1, notes: 'x' })).body.month).toBe('2024-05');
    expect((await newestAudit(server, id))?.before).toEqual({ notes: '' });
  });

  test('editing a row of an earlier month moves it to the current month in the same change, if the editor or the company has set that', async () => {
    const id = await ownRow({ month: '2024-05' });
    await setMove('company', true);
    const moved = await patch(id, { version: 1, notes: 'x' });
    expect(moved.body).toMatchObject({ month: thisMonth, notes: 'x', version: 2 });
    expect(await newestAudit(server, id)).toMatchObject({
      before: { notes: '', month: '2024-05' },
      after: { notes: 'x', month: thisMonth },
    });
    expect((await patch(id, { version: 2, month: '2024-05' })).body).toMatchObject({ month: '2024-05' });
    expect((await patch(id, { version: 3, notes: 'x' })).body).toMatchObject({
      month: '2024-05',
      version: 3,
    });
    await setMove(lead.id, false);
    expect((await patch(id, { version: 3, notes: 'y' })).body).toMatchObject({ month: '2024-05' });
    await setMove(lead.id, true);
    const later = await ownRow({ month: '2099-05' });
    expect((await patch(later, { version: 1, notes: 'x' })).body.month).toBe('2099-05');
  });

  test('editing a row of an earlier month moves it also in a bulk change', async () => {
    await setMove(lead.id, true);
    const [old, now] = [await ownRow({ month: '2024-05' }), await ownRow()];
    await bulk('status', { ids: [old, now], status: 'Called' });
    expect(await newestAudit(server, old)).toMatchObject({
      before: { status: 'Entered', month: '2024-05' },
      after: { status: 'Called', month: thisMonth },
    });
    expect(await newestAudit(server, now)).toMatchObject({ after: { status: 'Called' } });
  });

  test('editing a row of a closed month leaves it there, in a cell and in a bulk change, and fields without money are saved', async () => {
    await setMove(lead.id, true);
    const month = '2023-02';
    const [one, two] = [await ownRow({ month }), await ownRow({ month })];
    const open = await ownRow({ month: '2024-05' });
    await closeMonth(server, admin, month);
    expect((await patch(one, { version: 1, notes: 'x' })).body).toMatchObject({ month, notes: 'x' });
    expect((await patch(one, { version: 2, saleAmount: 5 })).body.code).toBe('MONTH_CLOSED');
    const changed = await bulk('status', { ids: [one, two, open], status: 'Called' });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect((await read(two)).body).toMatchObject({ month, status: 'Called' });
    expect((await read(open)).body).toMatchObject({ month: thisMonth, status: 'Called' });
    expect(await newestAudit(server, two)).toMatchObject({ after: { status: 'Called' } });
  });
});

test('the options name the closed months that the caller may open', async () => {
  const month = '2023-03';
  await ownRow({ month });
  await closeMonth(server, admin, month);
  const options = async (by: Person) => (await server.call('GET /deals/options', { token: by.token })).body;
  expect((await options(lead)).closedMonths).toContain(month);
  const current = { permissions: { dataEntry: { canAccessAllMonths: false } } };
  expect((await options(await server.person(current))).closedMonths).toEqual([]);
});

test(`${MANY} rows are changed, deleted and restored in one call each`, async () => {
  const ids = Array.from({ length: MANY }, () => newId());
  await sql`
    insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
    select id, '01930000-0000-7000-8000-000000000001', ${dealershipId}, 'Ann', '2024-06',
      ${lead.id}, ${lead.id}, ${lead.id}
    from unnest(${ids}::uuid[]) as made (id)`.execute(server.db);
  const shared = Object.fromEntries(ids.map((id) => [id, 4]));
  for (const [what, change] of [
    ['status', { status: 'Called' }],
    ['month', { month: '2024-07' }],
    ['share', { sharedWith: [{ userId: clerk.id, permissions: 'view' }] }],
    ['share', { sharedWith: [], unshare: [clerk.id], versions: shared }],
    ['delete', {}],
    ['restore', {}],
  ] as const) {
    expect((await bulk(what, { ids, ...change })).status, what).toBeLessThan(300);
  }
});
