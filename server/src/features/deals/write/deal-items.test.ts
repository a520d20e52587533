import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../../test/app.ts';
import { addDeal, addDealership, newestAudit } from '../../../../test/builders.ts';
import { newId } from '../../../platform/ids.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ permissions: { dataEntry: { canAddRows: true, canEditRows: true } } });
const dealershipId = await addDealership(server, admin);
const tint = await addItem({ name: 'Tint', price: 499.5, cost: 120 });
const dashCam = await addItem({ name: 'Dash cam', price: 250.25 });
afterAll(() => server.close());

async function addItem(body: object): Promise<string> {
  return (await server.call('POST /item-configurations', { token: admin.token, body })).body._id;
}
const changeItem = (id: string, body: object) =>
  server.call(`PUT /item-configurations/${id}`, { token: admin.token, body });
const patch = (id: string, body: object, by = clerk) =>
  server.call(`PATCH /deals/${id}`, { token: by.token, body: { version: 1, ...body } });
const line = (itemId: string, quantity = 1) => ({ itemId, quantity });

describe('the items of a deal', () => {
  test.each([
    [() => [line(newId())], { 'items.0.itemId': 'Choose one of the items' }],
    [() => [line(tint, 0)], { 'items.0.quantity': expect.any(String) }],
    [() => [line(tint, 1.5)], { 'items.0.quantity': expect.any(String) }],
    [() => [{ ...line(tint), unitPrice: 0.005 }], { 'items.0.unitPrice': 'Please enter a valid number' }],
    [() => [{ ...line(tint), name: 'Hint' }], { 'items.0.name': 'This item is called Tint' }],
    [() => [{ ...line(tint), cost: 1 }], { 'items.0.cost': 'Unknown field' }],
    [() => Array.from({ length: 51 }, () => line(tint)), { items: 'A deal has at most 50 items' }],
    [
      () => [{ ...line(tint, 9999), unitPrice: 9_999_999 }],
      { items: 'Together these items cost more than a deal can hold' },
    ],
  ])('the items of a deal are refused when they are wrong: %#', async (items, errors) => {
    const deal = await addDeal(server, clerk, dealershipId);
    expect(await patch(deal._id, { items: items() })).toMatchObject({ status: 400, body: { errors } });
  });

  test('the items of a deal can be changed by users who may edit the row, and are visible with the column', async () => {
    const deal = await addDeal(server, admin, dealershipId, { items: [line(tint)] });
    expect(await patch(deal._id, { items: [] })).toMatchObject({ status: 403 });
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['customerName'] };
    const short = await server.person({ permissions: { dataEntry: { columnVisibility } } as never });
    expect((await server.call(`GET /deals/${deal._id}`, { token: short.token })).body.items).toBeUndefined();
    expect((await server.call('GET /deals/options', { token: short.token })).body.items).toEqual([]);
  });

  test('the items of a deal are offered with name and price, without cost; inactive ones are not offered', async () => {
    const old = await addItem({ name: 'Old wax', price: 10, active: false });
    const { items } = (await server.call('GET /deals/options', { token: clerk.token })).body;
    expect(items).toContainEqual({ _id: tint, name: 'Tint', price: 499.5 });
    expect(items.map(({ _id }: { _id: string }) => _id)).not.toContain(old);
    const refused = await patch((await addDeal(server, clerk, dealershipId))._id, { items: [line(old)] });
    expect(refused).toMatchObject({ status: 400 });
  });

  test('the items of a deal store the current name and price, and can have another price', async () => {
    const wax = await addItem({ name: 'Wax', price: 80 });
    const deal = await addDeal(server, clerk, dealershipId, {
      items: [line(wax, 2), { ...line(tint), unitPrice: 450 }],
    });
    const written = [
      { itemId: wax, name: 'Wax', quantity: 2, unitPrice: 80 },
      { itemId: tint, name: 'Tint', quantity: 1, unitPrice: 450 },
    ];
    expect(deal).toMatchObject({ items: written, saleAmount: 610 });
    await changeItem(wax, { name: 'Best wax', price: 95, active: false });
    const again = await patch(deal._id, { items: written });
    expect(again).toMatchObject({ status: 200, body: { version: 1, items: written } });
    const more = await patch(deal._id, { items: [line(wax, 3), ...written.slice(1)] });
    expect(more.body.items).toMatchObject([{ name: 'Wax', quantity: 3, unitPrice: 80 }, { unitPrice: 450 }]);
    expect(await newestAudit(server, deal._id)).toMatchObject({
      action: 'deal.updated',
      before: { items: written, saleAmount: 610 },
      after: { items: [{ quantity: 3 }, {}], saleAmount: 690 },
    });
  });

  test('set the sale amount until a user types another, and again after it is cleared', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { items: [line(tint)] });
    expect(deal).toMatchObject({ saleAmount: 499.5 });
    const both = await patch(deal._id, { items: [line(tint), line(dashCam)] });
    expect(both.body).toMatchObject({ saleAmount: 749.75 });
    expect((await patch(deal._id, { version: 2, saleAmount: 700 })).body).toMatchObject({ saleAmount: 700 });
    const fewer = await patch(deal._id, { version: 3, items: [line(dashCam)] });
    expect(fewer.body).toMatchObject({ saleAmount: 700, items: [{ name: 'Dash cam' }] });
    const cleared = await patch(deal._id, { version: 4, saleAmount: null });
    expect(cleared.body).toMatchObject({ saleAmount: 250.25 });
    expect((await patch(deal._id, { version: 5, items: [] })).body).toMatchObject({ saleAmount: null });
  });

  // In binary floating point 1.15 x 100 is 114.99… and 0.29 x 100 is 28.99….
  test.each([
    [[1.15], 1.15],
    [[0.29, 1.15], 1.44],
    [[4.35, 0.57, 8.2], 13.12],
    [[9_999_999.99, 0.01], 10_000_000],
  ])('the items of a deal with prices of %j add up to %d', async (prices, sum) => {
    const items = prices.map((unitPrice) => ({ ...line(tint), unitPrice }));
    const deal = await addDeal(server, clerk, dealershipId, { items });
    expect(deal).toMatchObject({ saleAmount: sum });
    // A sum that differs by a cent would count as a typed amount, which is not recomputed from the items.
    const twice = items.map((item) => ({ ...item, quantity: 2 }));
    const changed = await patch(deal._id, { items: twice });
    expect(changed.body.saleAmount * 100).toBeCloseTo(sum * 200, 6);
  });

  test('the items of a deal merge with other cells, and are a conflict with other items', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { items: [line(tint)] });
    await patch(deal._id, { notes: 'Rang' }, admin);
    expect((await patch(deal._id, { items: [line(dashCam)] })).body).toMatchObject({
      notes: 'Rang',
      version: 3,
    });
    expect(await patch(deal._id, { items: [line(tint, 2)] }, admin)).toMatchObject({
      status: 409,
      body: { details: 'items', current: { items: [{ name: 'Dash cam' }] } },
    });
  });

  test('the items of a deal prevent the deletion of an item', async () => {
    const item = await addItem({ name: 'Seat covers', price: 60 });
    await addDeal(server, clerk, dealershipId, { items: [line(item)] });
    const reply = await server.call(`DELETE /item-configurations/${item}`, { token: admin.token });
    expect(reply.status).toBe(409);
  });
});
