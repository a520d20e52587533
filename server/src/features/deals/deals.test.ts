import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership, newestAudit } from '../../../test/builders.ts';
import { createClock } from '../../platform/clock.ts';

const thisMonth = createClock('Australia/Sydney').businessMonth();
const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({
  name: 'Cleo Clerk',
  permissions: { dataEntry: { canAddRows: true, canEditRows: true } },
});
const reader = await server.person({
  name: 'Rae Reader',
  permissions: { dataEntry: { canAccessAllMonths: false } },
});
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const get = (path: string, token = admin.token) => server.call(`GET ${path}`, { token });
const patch = (id: string, body: object, token = clerk.token) =>
  server.call(`PATCH /deals/${id}`, { token, body });

describe('adding a row', () => {
  const post = (body: object, token?: string) => server.call('POST /deals', { token, body });
  const row = (changes: object = {}) => ({ dealershipId, customerName: 'Ann', ...changes });

  test.each([
    [{ customerName: '' }, { customerName: 'Customer name is required' }],
    [{ saleAmount: -1 }, { saleAmount: 'Please enter a valid number' }],
    [{ saleAmount: 1e15 }, { saleAmount: 'Please enter a valid number' }],
    [{ saleAmount: 0.005 }, { saleAmount: 'Please enter a valid number' }],
    [{ saleAmount: '12' }, { saleAmount: expect.any(String) }],
    [{ customerNumber: '0412 345 678' }, { customerNumber: 'Phone number must be in format (xxxx) xxx xxx' }],
    [{ status: 'Nearly' }, { status: 'Choose one of the statuses' }],
    [{ dealershipId: ABSENT_ID }, { dealershipId: 'Choose one of the dealerships' }],
    [{ dealershipId: '' }, { dealershipId: 'Choose one of the dealerships' }],
    [{ deliveryDate: '2026-02-30' }, { deliveryDate: expect.any(String) }],
    [{ month: '2026-13' }, { month: expect.any(String) }],
    [{ owner: 'me' }, { owner: 'Unknown field' }],
  ])('adding a row refuses %j', async (changes, errors) => {
    expect(await post(row(changes), admin.token)).toMatchObject({ status: 400, body: { errors } });
  });

  test('adding a row is refused without canAddRows', async () => {
    expect(await post(row(), reader.token)).toMatchObject({ status: 403, body: { details: 'NO_ROW_ADD' } });
  });

  test.each([
    [0.3, 0.1, 0.2],
    [1.1, 0.9, 0.2],
    [8_000_000.1, 0.07, 8_000_000.03],
    [0, 4.35, -4.35],
  ])(
    'adding a row has a gross profit that is exact to the cent: %d less %d',
    async (saleAmount, costAmount, grossProfit) => {
      const { body } = await post(row({ saleAmount, costAmount }), clerk.token);
      expect(body.grossProfit).toBe(grossProfit);
      expect((await get(`/deals/${body._id}`)).body.grossProfit).toBe(grossProfit);
    },
  );

  test('adding a row fills in status, month and owner, and writes the audit entry', async () => {
    const { body } = await post(row({ saleAmount: 1200.5, costAmount: 200.25 }), clerk.token);
    expect(body).toMatchObject({
      status: 'Entered',
      month: thisMonth,
      owner: clerk.id,
      createdBy: clerk.id,
      grossProfit: 1000.25,
      emailStatus: null,
      isChangedSinceSent: false,
      version: 1,
    });
    expect(await newestAudit(server, body._id)).toMatchObject({
      action: 'deal.created',
      version: 1,
      actor_id: clerk.id,
    });
  });
});

describe('changing cells', () => {
  test('changing cells merges with changes of other fields by others', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    expect((await patch(deal._id, { version: 1, notes: 'Rang back' }, admin.token)).status).toBe(200);
    const merged = await patch(deal._id, { version: 1, vehicle: 'Corolla' });
    expect(merged).toMatchObject({
      status: 200,
      body: { notes: 'Rang back', vehicle: 'Corolla', version: 3 },
    });
  });

  test('changing cells that another user changed meanwhile returns 409 with both values', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    await patch(deal._id, { version: 1, notes: 'Theirs' }, admin.token);
    const late = await patch(deal._id, { version: 1, notes: 'Mine' });
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: 'notes', current: { notes: 'Theirs', updatedByName: 'Ada Admin' } },
    });
    expect((await get(`/deals/${deal._id}`)).body.notes).toBe('Theirs');
  });

  test('changing cells changed by several users returns the author and the time for each', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    const share = { sharedWith: [{ userId: reader.id, permissions: 'write' }] };
    await server.call(`PUT /deals/${deal._id}/sharing`, { token: admin.token, body: share });
    const before = new Date().toISOString();
    await patch(deal._id, { version: 2, notes: 'Theirs', vehicle: 'Kia' }, admin.token);
    await server.call('POST /deals/bulk/status', {
      token: admin.token,
      body: { ids: [deal._id], status: 'Called' },
    });
    await patch(deal._id, { version: 4, vehicle: 'Audi', dealNumber: 'D' }, reader.token);
    const late = {
      version: 2,
      notes: 'Mine',
      vehicle: 'Mine',
      status: 'Deal',
      customerEmail: 'me@example.com',
    };
    const { status, body } = await patch(deal._id, late);
    expect(status).toBe(409);
    expect(body.current.updatedByName).toBe('Rae Reader');
    const at = expect.any(String);
    expect(body.conflicts).toEqual([
      { field: 'status', byName: 'Ada Admin', at },
      { field: 'vehicle', byName: 'Rae Reader', at },
      { field: 'notes', byName: 'Ada Admin', at },
    ]);
    expect(body.conflicts.every((conflict: { at: string }) => conflict.at >= before)).toBe(true);
  });

  test('changing cells by twenty people at once stores all of them', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    const fields = { notes: 'n', vehicle: 'v', dealNumber: 'd', customerEmail: 'e@example.com' };
    const replies = await Promise.all(
      Object.entries(fields).map(([field, value]) => patch(deal._id, { version: 1, [field]: value })),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
    expect((await get(`/deals/${deal._id}`)).body).toMatchObject({ ...fields, version: 5 });
  });

  test('changing cells with a future version is refused: no conflict could be detected', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    expect(await patch(deal._id, { version: 99, notes: 'x' })).toMatchObject({
      status: 400,
      body: { errors: { version: expect.any(String) } },
    });
  });

  test('changing cells is allowed for the owner, the creator and administrators; the refusal names the owner', async () => {
    const deal = await addDeal(server, admin, dealershipId);
    expect(await patch(deal._id, { version: 1, notes: 'x' })).toMatchObject({
      status: 403,
      body: { details: 'NOT_ROW_OWNER' },
    });
    const { body } = await get(`/deals/${deal._id}`, clerk.token);
    expect(body).toMatchObject({ ownerName: 'Ada Admin', abilities: { edit: 'NOT_ROW_OWNER' }, notes: '' });
  });

  test('changing cells records each changed field before and after', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { notes: 'old' });
    await patch(deal._id, { version: 1, notes: 'new', customerName: 'Ann Example' });
    expect(await newestAudit(server, deal._id)).toMatchObject({
      action: 'deal.updated',
      version: 2,
      before: { notes: 'old' },
      after: { notes: 'new' },
    });
  });
});

describe('a response', () => {
  const computed = ['createdAt', 'updatedAt', 'updatedByName', 'abilities', '_id', 'createdBy', 'ownerName'];

  test('a row as the API returns it can be sent back whole, and changes only the changed fields', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    await server.call(`PUT /deals/${deal._id}/sharing`, {
      token: clerk.token,
      body: { sharedWith: [{ userId: reader.id, permissions: 'write' }] },
    });
    for (const person of [admin, clerk, reader]) {
      const { body } = await get(`/deals/${deal._id}`, person.token);
      expect(await patch(deal._id, body, person.token)).toMatchObject({ status: 200, body });
      const notes = `From ${person.id}`;
      const changed = await patch(deal._id, { ...body, createdAt: 'never', notes }, person.token);
      expect(changed).toMatchObject({ status: 200, body: { notes, createdAt: body.createdAt } });
    }
  });

  test('a row as the API returns it with different shares is refused', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    const sharedWith = [{ userId: reader.id, permissions: 'write' }];
    expect(await patch(deal._id, { version: 1, notes: 'Mine', sharedWith })).toMatchObject({
      status: 400,
      body: { errors: { sharedWith: 'Share the row to change who sees it' } },
    });
    expect((await get(`/deals/${deal._id}`)).body).toMatchObject({ version: 1, sharedWith: [] });
  });

  test('a row as the API returns it has computed fields that are ignored in new rows, also in bulk', async () => {
    const { body: old } = await get(`/deals/${(await addDeal(server, admin, dealershipId))._id}`);
    const carried = Object.fromEntries(computed.map((field) => [field, old[field]]));
    const row = { ...carried, dealershipId, customerName: 'Copied' };
    const importer = await server.person({
      permissions: { features: { bulkEdit: true }, dataEntry: { canAddRows: true } },
    });
    const call = (path: string, body: object, { token } = clerk) =>
      server.call(`POST /deals${path}`, { token, body });
    const one = await call('', row);
    const many = await call('/bulk/create', { rows: [{ key: 'a'.repeat(32), deal: row }] });
    const imported = await call('/import', { rows: [row] }, importer);
    expect([one.status, many.status, imported.status]).toEqual([201, 200, 201]);
    const ids = [one.body._id, many.body.items[0].deal._id, imported.body.items[0]._id];
    for (const [at, id] of ids.entries())
      expect((await get(`/deals/${id}`)).body.createdBy).toBe(at === 2 ? importer.id : clerk.id);
    expect(new Set([old._id, ...ids]).size).toBe(4);
  });
});

describe('reading rows', () => {
  test('reading rows of other months is refused without canAccessAllMonths', async () => {
    const old = await addDeal(server, admin, dealershipId, { month: '2024-05', customerName: 'Old Timer' });
    expect((await get(`/deals/${old._id}`, reader.token)).status).toBe(404);
    for (const path of ['/deals?month=2024-05', '/deals?search=Old%20Timer']) {
      expect((await get(path, reader.token)).body).toMatchObject({ items: [], total: 0 });
    }
    expect((await get('/deals/summary?month=2024-05', reader.token)).body).toMatchObject({
      total: 0,
      byStatus: [],
    });
    expect((await get('/deals?month=2024-05')).body.total).toBe(1);
    const { onlyMonth, total } = (await get('/deals/summary', reader.token)).body;
    expect(onlyMonth).toBe((await get('/deals/options')).body.currentMonth);
    expect(total).toBe((await get(`/deals?month=${onlyMonth}`)).body.total);
    expect((await get('/deals/summary')).body).not.toHaveProperty('onlyMonth');
  });

  test('reading rows returns pages that neither repeat nor skip a row', async () => {
    const month = '2025-03';
    for (let row = 1; row <= 7; row += 1)
      await addDeal(server, admin, dealershipId, { month, customerName: `Row ${row}` });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/deals?month=${month}&limit=3${cursor}`);
      seen.push(...body.items.map((deal: { customerName: string }) => deal.customerName));
      expect(body.total).toBe(7);
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : '';
    } while (cursor);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((row) => `Row ${row}`));
  });

  test.each([
    ['by a part of the name, whatever its case', 'ZELDA'],
    ['by the digits of the phone number', '0499 88'],
    ['by the phone number as it is written', '(0499) 887 766'],
    ['by the deal number', 'dn-77'],
    ['by a deal number of digits and dashes', '2026-0042'],
    ['by letters that are written with two characters', 'Zoe\u0308'],
  ])('reading rows finds %s', async (_how, search) => {
    await server.db.deleteFrom('deals').where('customer_name', '=', 'Zelda 100%').execute();
    await addDeal(server, admin, dealershipId, {
      customerName: 'Zelda 100%',
      customerNumber: '(0499) 887 766',
      dealNumber: 'DN-77 2026-0042',
      vehicle: 'Zo\u00eb',
    });
    const { body } = await get(`/deals?search=${encodeURIComponent(search)}`);
    expect(body.items.map((deal: { customerName: string }) => deal.customerName)).toEqual(['Zelda 100%']);
  });

  test('reading rows finds a phone number by its digits, with the country code or without', async () => {
    await addDeal(server, admin, dealershipId, { customerNumber: '(0412) 909 818' });
    for (const typed of ['+61 412 909 818', '61412909818', '0061412909818', '+61 0412 909', '412 909 818'])
      expect([typed, (await get(`/deals?search=${encodeURIComponent(typed)}`)).body.total]).toEqual([
        typed,
        1,
      ]);
  });

  test('reading rows treats wildcards in a search as plain characters', async () => {
    expect((await get('/deals?search=%25%25%25')).body.total).toBe(0);
    expect((await get('/deals?search=___')).body.total).toBe(0);
  });

  test('reading rows returns the sums of the listed rows, to the cent', async () => {
    const month = '2025-07';
    for (const saleAmount of [0.1, 0.2, 1000.01])
      await addDeal(server, admin, dealershipId, { month, saleAmount, costAmount: 0.05 });
    await addDeal(server, admin, dealershipId, { month, status: 'Deal' });
    expect((await get(`/deals/summary?month=${month}`)).body).toEqual({
      total: 4,
      byStatus: [
        { status: 'Entered', count: 3 },
        { status: 'Deal', count: 1 },
      ],
      saleAmount: 1000.31,
      grossProfit: 1000.16,
      commission: null,
      withoutRate: 0,
    });
  });
});

describe('deleting a row', () => {
  test('deleting a row needs canDeleteRows and the edit right, hides it everywhere, and keeps it in the database', async () => {
    const deal = await addDeal(server, clerk, dealershipId);
    const remove = (token: string) => server.call(`DELETE /deals/${deal._id}`, { token });
    expect(await remove(clerk.token)).toMatchObject({ status: 403, body: { details: 'NO_ROW_DELETE' } });
    expect((await remove(admin.token)).status).toBe(204);
    expect((await get(`/deals/${deal._id}`)).status).toBe(404);
    expect((await newestAudit(server, deal._id))?.action).toBe('deal.deleted');
    const row = await server.db
      .selectFrom('deals')
      .select('deleted_at')
      .where('id', '=', deal._id)
      .executeTakeFirst();
    expect(row?.deleted_at).not.toBeNull();
  });
});
