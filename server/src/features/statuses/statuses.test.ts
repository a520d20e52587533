import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership, newestAudit } from '../../../test/builders.ts';

const SEEDED = ['Entered', 'Called', 'Deal', 'No deal', 'Deal Not Entered', 'To Call'];

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
const dealership = await addDealership(server, admin);
afterAll(() => server.close());

type Row = {
  _id: string;
  name: string;
  order: number;
  version: number;
  isDefault: boolean;
  countsForCommission: boolean | null;
};
let count = 0;
const status = (changes: object = {}) => ({ name: `Stage ${(count += 1)}`, color: '#2f6fb2', ...changes });
const call = (route: string, by: Person, body?: object) => server.call(route, { token: by.token, body });
const list = async (by = admin): Promise<Row[]> => (await call('GET /status-configurations', by)).body.items;
const names = async (by = admin) => (await list(by)).map(({ name }) => name);
const named = async (name: string) => (await list()).find((row) => row.name === name)!;
const get = (id: string, by = admin) => call(`GET /status-configurations/${id}`, by);
const post = (body: object, by = admin) => call('POST /status-configurations', by, body);
const put = (id: string, body: object, by = admin) => call(`PUT /status-configurations/${id}`, by, body);
const remove = (id: string, replacement?: string, by = admin) =>
  call(`DELETE /status-configurations/${id}${replacement ? `?replacement=${replacement}` : ''}`, by);
const add = async (changes: object = {}) => (await post(status(changes))).body;
const grant = (person: Person, ids: string[]) =>
  call(`PUT /permissions/user/${person.id}`, admin, {
    resources: { statusConfigurations: { canEdit: ids } },
  });
const restrict = (person: Person, restrictedStatuses: string[]) =>
  call(`PUT /permissions/user/${person.id}`, admin, {
    dataEntry: { columnVisibility: { restrictedStatuses } },
  });

describe('viewing statuses', () => {
  test('viewing statuses requires a session, and the page Data Entry or the view permission', async () => {
    expect((await server.call('GET /status-configurations')).status).toBe(401);
    const without = { pages: { dataEntry: false } };
    const stranger = await server.person({ permissions: without });
    const viewer = await server.person({
      permissions: { ...without, statusConfiguration: { viewStatuses: true } },
    });
    expect((await call('GET /status-configurations', stranger)).status).toBe(403);
    expect(await names(viewer)).toEqual(SEEDED);
  });

  test('viewing statuses returns the six in the order of the cycle, one of them the default', async () => {
    expect(await names(clerk)).toEqual(SEEDED);
    expect((await list()).filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Entered' }]);
    expect((await get(ABSENT_ID)).status).toBe(404);
  });

  test('viewing statuses hides a restricted one', async () => {
    const person = await server.person();
    const { _id } = await named('No deal');
    await restrict(person, [_id]);
    expect(await names(person)).toEqual(SEEDED.filter((name) => name !== 'No deal'));
    expect((await get(_id, person)).status).toBe(404);
    expect((await put(_id, status(), person)).status).toBe(404);
  });

  test('viewing statuses counts the visible rows with it', async () => {
    const { _id, name } = await add();
    await addDeal(server, admin, dealership, { status: name });
    const other = await addDealership(server, admin);
    await addDeal(server, admin, other, { status: name });
    const barred = await server.person();
    await call(`PUT /permissions/user/${barred.id}`, admin, {
      dataEntry: { columnVisibility: { restrictedDealerships: [other] } },
    });
    expect((await get(_id)).body.usage).toBe(2);
    expect((await get(_id, barred)).body.usage).toBe(1);
  });
});

describe('adding a status', () => {
  test.each([
    [{ name: ' ' }, { name: 'Status name is required' }],
    [{ name: 'x'.repeat(61) }, { name: 'Must be at most 60 characters' }],
    [{ color: 'red' }, { color: 'Must be a colour such as #2f6fb2' }],
    [{ color: '#fff' }, { color: 'Must be a colour such as #2f6fb2' }],
    [{ name: 'ENTERED' }, { name: 'There is already a status with this name' }],
    [{ isDefault: true, active: false }, { active: expect.any(String) }],
  ])('adding a status rejects %j', async (changes, errors) => {
    expect(await post(status(changes))).toMatchObject({ status: 400, body: { errors } });
  });

  test('adding a status appends it to the cycle and is audited', async () => {
    const { status: code, body } = await post(status({ color: '#ABCDEF', isClosed: true }));
    expect(code).toBe(201);
    expect(body).toMatchObject({
      color: '#abcdef',
      active: true,
      isDefault: false,
      isClosed: true,
      usage: 0,
    });
    expect((await list()).at(-1)).toEqual(body);
    expect(await newestAudit(server, body._id)).toMatchObject({
      action: 'status.created',
      actor_id: admin.id,
      version: 1,
      after: { name: body.name, isClosed: true },
    });
  });
});

describe('changing a status', () => {
  test('changing a status is for administrators and users who were granted it', async () => {
    const [own, other] = [await add(), await add()];
    const editor = await server.person();
    await grant(editor, [own._id]);
    expect((await server.call(`PUT /status-configurations/${own._id}`, { body: status() })).status).toBe(401);
    expect((await put(own._id, { name: 'x', color: 'blue' }, editor)).status).toBe(400);
    expect(await put(own._id, status(), clerk)).toMatchObject({
      status: 403,
      body: { details: 'NO_STATUS_EDIT' },
    });
    expect((await put(other._id, status(), editor)).status).toBe(403);
    expect((await put(ABSENT_ID, status(), editor)).status).toBe(404);
    expect((await get(own._id, editor)).body.abilities).toEqual({ edit: true, delete: 'NO_STATUS_DELETE' });
    const { body } = await put(own._id, status({ active: false }), editor);
    expect(body).toMatchObject({ version: 2, active: false });
    expect(await newestAudit(server, own._id)).toMatchObject({
      action: 'status.updated',
      actor_id: editor.id,
      version: 2,
      before: { name: own.name, active: true },
      after: { name: body.name, active: false },
    });
  });

  test.each([{ isDefault: true }, { isClosed: true }, { countsForCommission: true }])(
    'a change of %j is for administrators only',
    async (rule) => {
      const own = await add();
      const editor = await server.person();
      await grant(editor, [own._id]);
      const { name, color } = own;
      expect(await put(own._id, { name, color, ...rule }, editor)).toMatchObject({
        status: 403,
        body: { details: 'NO_STATUS_RULES', errors: { [Object.keys(rule)[0]!]: expect.any(String) } },
      });
      expect((await get(own._id)).body).toEqual(own);
    },
  );

  test('the response of GET can be sent back and changes nothing, and omitted fields are unchanged', async () => {
    const own = await add({ isClosed: true });
    expect((await put(own._id, own)).body).toEqual(own);
    const { name, color } = own;
    expect((await put(own._id, { name, color })).body).toEqual(own);
  });

  test('changing a status from an outdated version returns 409 with the current status', async () => {
    const own = await add();
    await put(own._id, status({ version: 1 }));
    expect(await put(own._id, status({ version: 1 }))).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { version: 2 } },
    });
  });

  test('a new name appears in every row at once, without changing them', async () => {
    const own = await add();
    const deal = await addDeal(server, admin, dealership, { status: own.name });
    await put(own._id, status({ name: 'Renamed' }));
    expect((await call(`GET /deals/${deal._id}`, admin)).body).toEqual({ ...deal, status: 'Renamed' });
    expect((await call(`GET /deals?status=renamed`, admin)).body.total).toBe(1);
  });
});

describe('the default status', () => {
  test('the default status is exactly one: a new default replaces the former one', async () => {
    const entered = await named('Entered');
    const own = await add();
    const { body } = await put(own._id, { ...own, isDefault: true });
    expect(body).toMatchObject({ isDefault: true, version: 2 });
    expect((await list()).filter(({ isDefault }) => isDefault)).toEqual([body]);
    expect(await newestAudit(server, entered._id)).toMatchObject({
      action: 'status.updated',
      version: entered.version + 1,
      before: { isDefault: true },
      after: { isDefault: false },
    });
    expect((await addDeal(server, admin, dealership)).status).toBe(own.name);
    // A new status can become the default as well.
    const next = await add({ isDefault: true });
    expect((await list()).filter(({ isDefault }) => isDefault)).toEqual([next]);
  });

  test('the default status remains single after two concurrent changes', async () => {
    const made = [await add(), await add()];
    const replies = await Promise.all(made.map((own) => put(own._id, { ...own, isDefault: true })));
    expect(replies.map(({ status: code }) => code)).toEqual([200, 200]);
    expect((await list()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  test('the default status must be active', async () => {
    const own = await add({ isDefault: true });
    expect(await put(own._id, { ...own, isDefault: false })).toMatchObject({
      status: 400,
      body: { errors: { isDefault: 'Make another status the default instead' } },
    });
    expect(await put(own._id, { ...own, active: false })).toMatchObject({
      status: 400,
      body: { errors: { active: expect.stringContaining('Make another status the default first') } },
    });
    expect(await remove(own._id, (await named('Deal'))._id)).toMatchObject({
      status: 409,
      body: { code: 'IN_USE', message: expect.stringContaining('Make another status the default first.') },
    });
  });
});

describe('a status that is not active', () => {
  test('a status that is not active cannot be set any more, and remains on existing rows', async () => {
    const own = await add();
    const deal = await addDeal(server, admin, dealership, { status: own.name });
    await put(own._id, { ...own, active: false });
    const options = await call('GET /deals/options', clerk);
    expect(options.body.statuses.find(({ _id }: Row) => _id === own._id)).toMatchObject({ active: false });
    expect(
      await call('POST /deals', admin, { dealershipId: dealership, customerName: 'Bob', status: own.name }),
    ).toMatchObject({ status: 400, body: { errors: { status: 'Choose one of the statuses' } } });
    const kept = await call(`PATCH /deals/${deal._id}`, admin, {
      version: 1,
      status: own.name,
      notes: 'kept',
    });
    expect(kept).toMatchObject({ status: 200, body: { status: own.name, notes: 'kept' } });
  });
});

describe('deleting a status', () => {
  test('deleting a status in use is rejected with the number of rows, including deleted ones, and instructions', async () => {
    const own = await add();
    await addDeal(server, admin, dealership, { status: own.name });
    const gone = await addDeal(server, admin, dealership, { status: own.name });
    await call(`DELETE /deals/${gone._id}`, admin);
    expect(await remove(own._id)).toMatchObject({
      status: 409,
      body: {
        code: 'IN_USE',
        message: `2 deals have the status ${own.name}. Choose the status that they get instead.`,
      },
    });
  });

  test.each([
    ['itself', async (own: Row) => own._id],
    ['nothing', async () => ABSENT_ID],
    ['one that is not active', async () => (await add({ active: false }))._id],
    ['what is no id', async () => 'Deal'],
  ])('deleting a status in favour of %s returns 400', async (_what, replacement) => {
    const own = await add();
    expect(await remove(own._id, await replacement(own))).toMatchObject({
      status: 400,
      body: { errors: { replacement: expect.any(String) } },
    });
    expect((await get(own._id)).status).toBe(200);
  });

  test('deleting a status sets the replacement on its rows, each as a change of that row', async () => {
    const own = await add();
    const to = await named('Deal');
    const [deal, gone] = [
      await addDeal(server, admin, dealership, { status: own.name }),
      await addDeal(server, admin, dealership, { status: own.name }),
    ];
    const other = await addDeal(server, admin, dealership, { status: 'Called' });
    await call(`DELETE /deals/${gone._id}`, admin);
    expect((await remove(own._id, to._id)).status).toBe(204);
    expect((await get(own._id)).status).toBe(404);
    expect((await call(`GET /deals/${deal._id}`, admin)).body).toMatchObject({ status: 'Deal', version: 2 });
    expect((await call(`GET /deals/${other._id}`, admin)).body).toEqual(other);
    expect(await newestAudit(server, deal._id)).toMatchObject({
      action: 'deal.updated',
      actor_id: admin.id,
      version: 2,
      before: { status: own.name },
      after: { status: 'Deal' },
    });
    expect(await newestAudit(server, gone._id)).toMatchObject({ version: 3, after: { status: 'Deal' } });
    expect(await newestAudit(server, own._id)).toMatchObject({
      action: 'status.deleted',
      before: { name: own.name },
      after: { replacement: to._id, deals: 2 },
    });
    // A concurrent change of the status conflicts; another field merges.
    const patch = (body: object) => call(`PATCH /deals/${deal._id}`, admin, { version: 1, ...body });
    expect(await patch({ status: 'Called' })).toMatchObject({ status: 409, body: { details: 'status' } });
    expect((await patch({ notes: 'merged' })).status).toBe(200);
  });

  test('deleting a status removes it from restrictions and grants, which remain effective', async () => {
    const [own, other] = [await add(), await add()];
    const person = await server.person();
    await restrict(person, [own._id, other._id]);
    await grant(person, [own._id]);
    expect((await remove(own._id)).status).toBe(204);
    const { items } = (await call('GET /permissions', admin)).body;
    const record = items.find(({ userId }: { userId: string }) => userId === person.id);
    expect(record.dataEntry.columnVisibility.restrictedStatuses).toEqual([other._id]);
    expect(record.resources.statusConfigurations.canEdit).toEqual([]);
    expect(record.version).toBe(4);
    expect(await newestAudit(server, person.id)).toMatchObject({
      action: 'permissions.updated',
      version: 4,
      before: { editableStatuses: [own._id] },
      after: { editableStatuses: [] },
    });
  });

  test('deleting a status during a write of a row with it: the row is rejected or gets the replacement, and never has none', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await add();
      const to = await named('Deal');
      const body = { dealershipId: dealership, customerName: `Race ${round}`, status: own.name };
      const [made, gone] = await Promise.all([call('POST /deals', admin, body), remove(own._id, to._id)]);
      expect(gone.status).toBe(204);
      expect([201, 400]).toContain(made.status);
      if (made.status === 201) {
        expect((await call(`GET /deals/${made.body._id}`, admin)).body.status).toBe('Deal');
      }
    }
  });
});

describe('the order of the cycle', () => {
  const reorder = (ids: string[], by = admin) => call('POST /status-configurations/reorder', by, { ids });

  test('the order of statuses requires a session, every status once, and an administrator', async () => {
    const ids = (await list()).map(({ _id }) => _id);
    expect((await server.call('POST /status-configurations/reorder', { body: { ids } })).status).toBe(401);
    expect(await reorder(ids.slice(1))).toMatchObject({
      status: 400,
      body: { errors: { ids: expect.any(String) } },
    });
    expect(await reorder(ids, clerk)).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } });
  });

  test('the order of statuses applies to sums and choices; moved statuses get a new version', async () => {
    const before = await list();
    const ids = before.map(({ _id }) => _id);
    const { body } = await reorder([ids[1]!, ids[0]!, ...ids.slice(2)]);
    expect(body.items.slice(2)).toEqual(before.slice(2));
    expect(body.items[0]).toMatchObject({ _id: ids[1], version: before[1]!.version + 1 });
    const options = await call('GET /deals/options', clerk);
    expect(options.body.statuses.map(({ _id }: Row) => _id)).toEqual(body.items.map(({ _id }: Row) => _id));
    expect(await newestAudit(server, ids[0]!)).toMatchObject({
      action: 'status.moved',
      before: { order: before[0]!.order },
      after: { order: before[1]!.order },
    });
  });
});

describe('counting for commission', () => {
  const countOnly = (ids: string[], by = admin, more = {}) =>
    call('PUT /status-configurations/commission', by, { ids, ...more });
  const counted = async () =>
    (await list()).filter(({ countsForCommission }) => countsForCommission).map(({ name }) => name);

  test('counting for commission requires a session, is for administrators, and accepts existing statuses only', async () => {
    const route = 'PUT /status-configurations/commission';
    expect((await server.call(route, { body: { ids: [] } })).status).toBe(401);
    expect((await countOnly([], clerk)).status).toBe(403);
    expect(await countOnly([ABSENT_ID])).toMatchObject({
      status: 400,
      body: { errors: { ids: expect.any(String) } },
    });
  });

  test('counting for commission is set for all statuses at once, with an audit entry for each changed one', async () => {
    expect(await counted()).toEqual(['Deal']);
    await server.db.updateTable('statuses').set({ counts_for_commission: null }).execute();
    const [deal, noDeal] = [await named('Deal'), await named('No deal')];
    expect([deal.countsForCommission, noDeal.countsForCommission]).toEqual([null, null]);
    expect((await countOnly([deal._id])).status).toBe(200);
    expect(await counted()).toEqual(['Deal']);
    expect(await newestAudit(server, noDeal._id)).toMatchObject({
      action: 'status.updated',
      actor_id: admin.id,
      version: noDeal.version + 1,
      before: { countsForCommission: null },
      after: { countsForCommission: false },
    });
    const decided = await list();
    await countOnly([deal._id]);
    expect(await list()).toEqual(decided);
  });

  test('counting for commission does not overwrite what was decided, added or deleted since', async () => {
    const seen = await list();
    const versions = Object.fromEntries(seen.map(({ _id, version }) => [_id, version]));
    const stale = async () =>
      expect(await countOnly([], admin, { versions })).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', current: { items: await list() } },
      });
    const own = await add({ countsForCommission: true });
    await stale();
    await call(`DELETE /status-configurations/${own._id}`, admin);
    expect((await countOnly([seen[0]!._id], admin, { versions })).status).toBe(200);
    await stale();
    expect(await counted()).toEqual([seen[0]!.name]);
  });

  test('counting for commission is set for one status by changing it, and null changes nothing', async () => {
    const own = await add();
    expect(own.countsForCommission).toBe(false);
    const { body } = await put(own._id, { ...own, countsForCommission: true });
    expect(body).toMatchObject({ countsForCommission: true, version: 2 });
    expect((await put(own._id, { ...body, countsForCommission: null })).body).toEqual(body);
  });

  test('counting for commission is returned to Data Entry for each status, undecided ones included', async () => {
    await server.db
      .updateTable('statuses')
      .set({ counts_for_commission: null })
      .where('name', '=', 'Called')
      .execute();
    const { body } = await call('GET /deals/options', clerk);
    const inOptions = (name: string) => body.statuses.find((one: { name: string }) => one.name === name);
    expect(inOptions('Called')).toMatchObject({ countsForCommission: true });
    expect(inOptions('No deal')).toMatchObject({ countsForCommission: false });
  });
});
