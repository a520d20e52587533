import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership, newestAudit } from '../../../test/builders.ts';

const manager = { features: { manageItems: true } };

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const owner = await server.person({ name: 'Ola Owner', permissions: manager });
const editor = await server.person({
  name: 'Ed Editor',
  permissions: { ...manager, itemConfiguration: { editItems: true } },
});
const viewer = await server.person({
  name: 'Vi Viewer',
  permissions: { ...manager, itemConfiguration: { viewItems: true } },
});
const clerk = await server.person({ name: 'Cleo Clerk' });
afterAll(() => server.close());

let count = 0;
const item = (changes: object = {}) => ({
  name: `Tint ${(count += 1)}`,
  category: 'Protection',
  price: 499.5,
  cost: 120,
  ...changes,
});
const call = (route: string, by: Person, body?: object) => server.call(route, { token: by.token, body });
const post = (body: object, by = owner) => call('POST /item-configurations', by, body);
const put = (id: string, body: object, by = owner) => call(`PUT /item-configurations/${id}`, by, body);
const get = (id: string, by = owner) => call(`GET /item-configurations/${id}`, by);
const list = async (by: Person) => (await call('GET /item-configurations', by)).body.items;
const add = async (changes: object = {}, by = owner) => (await post(item(changes), by)).body;

/** Adds an item to a deal. */
async function sell(itemId: string, dealershipId: string) {
  const { _id } = await addDeal(server, admin, dealershipId);
  const sold = { deal_id: _id, item_id: itemId, position: 1, name: 'Tint', quantity: 1, unit_price: 499.5 };
  await server.db.insertInto('deal_items').values(sold).execute();
  return _id;
}

describe('adding an item', () => {
  test.each([
    [{ name: ' ' }, { name: 'Item name is required' }],
    [{ name: 'x'.repeat(81) }, { name: 'Must be at most 80 characters' }],
    [{ category: 'x'.repeat(61) }, { category: 'Must be at most 60 characters' }],
    [{ price: -1 }, { price: 'Please enter a valid number' }],
    [{ price: '12' }, { price: expect.any(String) }],
    [{ cost: 1.005 }, { cost: 'Please enter a valid number' }],
    [{ owner: ABSENT_ID }, { owner: 'Unknown field' }],
  ])('adding an item rejects %j', async (changes, errors) => {
    expect(await post(item(changes))).toMatchObject({ status: 400, body: { errors } });
  });

  test('names of items are unique ignoring case, also for concurrent requests', async () => {
    await add({ name: 'Dash Cam' });
    expect(await post(item({ name: 'dash CAM' }))).toMatchObject({
      status: 400,
      body: { errors: { name: 'There is already an item with this name' } },
    });
    const replies = await Promise.all([post(item({ name: 'Race' })), post(item({ name: 'RACE' }), editor)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 400]));
  });

  test('adding an item appends it, two concurrent ones at separate positions, and is audited', async () => {
    const [first, second] = await Promise.all([add(), add()]);
    expect(first).toMatchObject({ price: 499.5, cost: 120, active: true, usage: 0, version: 1 });
    const last = (await list(admin)).slice(-2);
    expect(new Set(last.map((row: { _id: string }) => row._id))).toEqual(new Set([first._id, second._id]));
    expect(last[0].order).toBeLessThan(last[1].order);
    expect(await newestAudit(server, first._id)).toMatchObject({
      action: 'item.created',
      actor_id: owner.id,
      version: 1,
      after: { name: first.name, price: 499.5 },
    });
  });

  test('price and cost of an item are optional', async () => {
    expect(await post({ name: 'Paint protection' })).toMatchObject({
      status: 201,
      body: { category: '', price: null, cost: null },
    });
  });
});

describe('viewing items', () => {
  test('viewing items is for view permissions, editors and administrators; others see their own', async () => {
    const own = await add();
    const ids = async (by: Person) => (await list(by)).map((row: { _id: string }) => row._id);
    for (const by of [admin, editor, viewer, owner]) expect(await ids(by)).toContain(own._id);
    expect(await ids(clerk)).toEqual([]);
    expect((await get(own._id, clerk)).status).toBe(404);
    expect((await get(ABSENT_ID)).status).toBe(404);
  });

  test('viewing items counts the visible deals with it', async () => {
    const [{ _id }, open, closed] = [
      await add(),
      await addDealership(server, admin),
      await addDealership(server, admin),
    ];
    await sell(_id, open);
    await sell(_id, closed);
    const gone = await sell(_id, open);
    await call(`DELETE /deals/${gone}`, admin);
    const barred = await server.person({
      permissions: {
        itemConfiguration: { viewItems: true },
        dataEntry: { columnVisibility: { restrictedDealerships: [closed] } } as never,
      },
    });
    expect((await get(_id)).body.usage).toBe(2);
    expect((await get(_id, barred)).body.usage).toBe(1);
  });
});

describe('changing an item', () => {
  test('the response of GET can be sent back and changes nothing', async () => {
    const own = await add();
    expect((await put(own._id, (await get(own._id)).body)).body).toEqual(own);
  });

  test('changing an item increments the version; an outdated one returns 409 with the current record', async () => {
    const own = await add();
    const { body } = await put(own._id, { ...item({ name: own.name, price: 1 }), version: 1 });
    expect(body).toMatchObject({ version: 2, price: 1 });
    expect(await put(own._id, { ...item(), version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { version: 2, price: 1 } },
    });
    expect(await newestAudit(server, own._id)).toMatchObject({
      action: 'item.updated',
      before: { price: 499.5 },
      after: { price: 1 },
    });
  });

  test('changing an item leaves its deals unchanged', async () => {
    const own = await add({ name: 'Old name' });
    const deal = await sell(own._id, await addDealership(server, admin));
    await put(own._id, item({ price: 1 }));
    const sold = await server.db.selectFrom('deal_items').where('deal_id', '=', deal).selectAll().execute();
    expect(sold).toMatchObject([{ name: 'Tint', unit_price: 499.5 }]);
  });
});

describe('deleting an item', () => {
  const remove = (id: string, by = owner) => call(`DELETE /item-configurations/${id}`, by);

  test('deleting an item in use is rejected with the number of deals, including deleted ones', async () => {
    const { _id } = await add({ name: 'Sold twice' });
    const dealership = await addDealership(server, admin);
    await sell(_id, dealership);
    await call(`DELETE /deals/${await sell(_id, dealership)}`, admin);
    expect(await remove(_id, admin)).toMatchObject({
      status: 409,
      body: {
        code: 'IN_USE',
        message: 'Sold twice is in 2 deals and cannot be deleted. Deactivate it instead.',
      },
    });
    expect((await put(_id, item({ active: false }))).body.active).toBe(false);
  });

  test('deleting an item in invisible deals is rejected without a number', async () => {
    const dealership = await addDealership(server, admin);
    const blind = await server.person({
      permissions: {
        ...manager,
        itemConfiguration: { editItems: true },
        dataEntry: { columnVisibility: { restrictedDealerships: [dealership] } },
      } as never,
    });
    const own = await add({ name: 'Sold elsewhere' }, blind);
    await sell(own._id, dealership);
    expect((await get(own._id, blind)).body.usage).toBe(0);
    expect(await remove(own._id, blind)).toMatchObject({
      status: 409,
      body: { message: 'Sold elsewhere is in deals and cannot be deleted. Deactivate it instead.' },
    });
  });

  test('deleting an item deletes any other, with its owner and shares in the audit log', async () => {
    const own = await add({ sharedWith: [{ userId: editor.id, permissions: 'write' }] });
    expect((await remove(own._id, viewer)).status).toBe(403);
    expect((await remove(own._id)).status).toBe(204);
    expect((await get(own._id)).status).toBe(404);
    expect(await newestAudit(server, own._id)).toMatchObject({
      action: 'item.deleted',
      before: { name: own.name, owner: owner.id, sharedWith: [{ userId: editor.id, permissions: 'write' }] },
      after: null,
    });
  });
});

describe('the order of items', () => {
  const reorder = (ids: string[], by = editor) => call('POST /item-configurations/reorder', by, { ids });
  const order = async (): Promise<string[]> => (await list(admin)).map((row: { _id: string }) => row._id);

  test('the order of items requires every item once', async () => {
    const ids = await order();
    for (const wrong of [
      ids.slice(1),
      [...ids, ABSENT_ID],
      [...ids.slice(1), ids[1]!],
      [ABSENT_ID, ...ids.slice(1)],
    ]) {
      expect(await reorder(wrong)).toMatchObject({
        status: 400,
        body: { errors: { ids: expect.any(String) } },
      });
    }
    expect(await order()).toEqual(ids);
  });

  test('the order of items increments the versions of moved items only, also with a deleted one between them', async () => {
    const made = [await add(), await add(), await add(), await add()];
    await call(`DELETE /item-configurations/${made[1]._id}`, admin);
    const before = await list(admin);
    const ids: string[] = before.map((row: { _id: string }) => row._id);
    const swapped = [...ids.slice(0, -2), ids.at(-1)!, ids.at(-2)!];
    const { body } = await reorder(swapped);
    expect(body.items.map((row: { _id: string }) => row._id)).toEqual(swapped);
    expect(await list(admin)).toEqual([
      ...before.slice(0, -2),
      { ...before.at(-1), order: before.at(-2).order, version: 2, updatedAt: expect.any(String) },
      { ...before.at(-2), order: before.at(-1).order, version: 2, updatedAt: expect.any(String) },
    ]);
    expect(await newestAudit(server, made[3]._id)).toMatchObject({
      action: 'item.moved',
      actor_id: editor.id,
      version: 2,
      before: { order: before.at(-1).order },
      after: { order: before.at(-2).order },
    });
    expect(await newestAudit(server, made[0]._id)).toMatchObject({ action: 'item.created' });
  });

  test('the order of items without a difference changes nothing', async () => {
    const before = await list(admin);
    await reorder(await order());
    expect(await list(admin)).toEqual(before);
  });
});
