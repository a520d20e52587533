import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDealership, newestAudit } from '../../../../test/builders.ts';
import { newId } from '../../../platform/ids.ts';
import { attemptInserts } from './create-deals.queries.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
// Pasting rows does not require bulkEdit.
const clerk = await server.person({ permissions: { dataEntry: { canAddRows: true, canEditRows: true } } });
const reader = await server.person({});
const dealershipId = await addDealership(server, admin);
const rate = { token: admin.token, body: { value: 5 } };
await server.call('PUT /settings/user/company/commission.newSales', rate);
afterAll(() => server.close());

const newKey = (): string => newId().replaceAll('-', '');
const row = (customerName: string, changes: object = {}, key = newKey()) => ({
  key,
  deal: { dealershipId, customerName, ...changes },
});
type Row = ReturnType<typeof row>;
const create = (rows: readonly Row[], by: Person = clerk) =>
  server.call('POST /deals/bulk/create', { token: by.token, body: { rows } });
const named = async (search: string) =>
  (await server.call(`GET /deals?limit=500&search=${encodeURIComponent(search)}`, { token: admin.token }))
    .body;

test('a request for new rows needs a session, rows with keys, and canAddRows', async () => {
  const rows = [row('Nobody')];
  expect((await server.call('POST /deals/bulk/create', { body: { rows } })).status).toBe(401);
  expect((await create([])).status).toBe(400);
  expect((await create([row('Short', {}, 'abc')])).body.errors).toHaveProperty('rows.0.key');
  expect((await create(Array.from({ length: 201 }, () => row('Many')))).body.errors).toHaveProperty('rows');
  expect(await create(rows, reader)).toMatchObject({ status: 403, body: { details: 'NO_ROW_ADD' } });
  expect((await named('Nobody')).total).toBe(0);
});

test('a request for new rows adds rows in their order, each with its computed values and its audit entry', async () => {
  const { status, body } = await create([
    row('Set One', { saleAmount: 1000, customerNumber: '(0412) 345 678' }),
    row('Set Two', { status: 'called' }),
    row('Set Three'),
  ]);
  expect(status).toBe(200);
  expect(body.items.map(({ deal }: { deal: object }) => deal)).toMatchObject([
    {
      customerName: 'Set One',
      saleAmount: 1000,
      commission: 50,
      owner: clerk.id,
      version: 1,
    },
    { customerName: 'Set Two', status: 'Called' },
    { customerName: 'Set Three', status: 'Entered' },
  ]);
  const { items } = await named('Set ');
  expect(items.map((deal: { customerName: string }) => deal.customerName)).toEqual([
    'Set Three',
    'Set Two',
    'Set One',
  ]);
  expect(await newestAudit(server, body.items[0].deal._id)).toMatchObject({
    action: 'deal.created',
    actor_id: clerk.id,
    version: 1,
  });
});

test('a refused row gets its reason and delays no other', async () => {
  const { body } = await create([
    row('Good One'),
    row('Good bad phone', { customerNumber: '0412' }),
    row('Good bad place', { dealershipId: newId() }),
    row('', { saleAmount: -1 }),
    row('Good unknown', { owner: 'me' }),
    row('Good Two'),
  ]);
  expect(body.items.map(({ refusal }: { refusal?: { errors: object } }) => refusal?.errors ?? null)).toEqual([
    null,
    { customerNumber: 'Phone number must be in format (xxxx) xxx xxx' },
    { dealershipId: 'Choose one of the dealerships' },
    { customerName: 'Customer name is required', saleAmount: 'Please enter a valid number' },
    { owner: 'Unknown field' },
    null,
  ]);
  expect((await named('Good ')).total).toBe(2);
});

test('a row that its writer would not see is refused, and the others are added', async () => {
  const blind = await server.person({
    permissions: {
      dataEntry: { canAddRows: true, columnVisibility: { dateRangeStart: null, dateRangeEnd: '2020-01-01' } },
    } as never,
  });
  const { body } = await create([row('Unseen')], blind);
  expect(body.items).toMatchObject([{ refusal: { details: 'ROW_OUT_OF_SIGHT' } }]);
  expect((await named('Unseen')).total).toBe(0);
});

test('a repeated row is returned in its current state, and stored once', async () => {
  const rows = [row('Again One'), row('Again Two')];
  const first = (await create(rows)).body.items;
  const id = first[0].deal._id;
  await server.call(`PATCH /deals/${id}`, { token: admin.token, body: { version: 1, notes: 'Ada' } });
  const second = (await create([...rows, row('Again Three'), rows[0]!])).body.items;
  expect(second).toMatchObject([
    { deal: { _id: id, notes: 'Ada', version: 2 } },
    { deal: { _id: first[1].deal._id } },
    { deal: { customerName: 'Again Three' } },
    { deal: { _id: id } },
  ]);
  expect((await named('Again ')).total).toBe(3);
});

test('the same rows from many connections at once are stored once', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => row(`Race ${at}`));
  const replies = await Promise.all(Array.from({ length: 6 }, () => create(rows)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const ids = replies.map(({ body }) => body.items.map(({ deal }: { deal: { _id: string } }) => deal._id));
  for (const each of ids) expect(each).toEqual(ids[0]);
  expect((await named('Race ')).total).toBe(20);
});

test('a statement with several new rows of one Idempotency-Key adds one of them, with the key', async () => {
  const { id: ownerId } = clerk;
  const claim = { key: 'shared', requestHash: 'ab', rights: 'any' };
  const actor = {
    viewer: { ...clerk, userId: ownerId },
    origin: { requestId: newId(), ip: '', userAgent: '' },
  };
  const by = { actor, ownerId, rates: { newSales: null, usedSales: null, defaultSales: null } };
  const rowOf = (customerName: string) => ({
    id: newId(),
    customerName,
    month: '2026-11',
    dealershipId,
    status: undefined,
    after: {},
    by,
  });
  const rows = [rowOf('Alone'), { ...rowOf('First'), claim }, { ...rowOf('Second'), claim }];
  const scope = { exceptDealerships: [], exceptStatuses: [] };
  const [alone, first, second] = await attemptInserts(server.db, scope, rows as never);
  expect(alone).toMatchObject({ customer_name: 'Alone' });
  expect([first, second].filter((added) => added !== undefined)).toHaveLength(1);
  const keys = server.db.selectFrom('idempotency_keys').where('key', '=', 'shared').select('response');
  expect(await keys.execute()).toMatchObject([{ response: { recordIds: [(first ?? second)!.id] } }]);
});

test('a row deleted since is not added again, and keys of different writers are independent', async () => {
  const gone = row('Gone');
  const { deal } = (await create([gone])).body.items[0];
  await server.call(`DELETE /deals/${deal._id}`, { token: admin.token });
  expect((await create([gone])).body.items).toMatchObject([{ refusal: { code: 'NOT_FOUND' } }]);
  expect((await create([gone], admin)).body.items[0].deal._id).not.toBe(deal._id);
});

test.each([
  {},
  { status: 'called', saleAmount: 1200.5, costAmount: 200.25 },
  { month: '2026-01', notes: 'Rang back', customerNumber: '(0412) 345 678' },
])('a row that is alone in its request is stored as beside another: %j', async (values) => {
  const unlike = { _id: '', createdAt: '', updatedAt: '' };
  const storedOf = async ({ deal }: { deal: { _id: string } }) => {
    const { action, actor_id, version, before, after } = (await newestAudit(server, deal._id))!;
    return { ...deal, ...unlike, entry: { action, actor_id, version, before, after } };
  };
  const alone = await create([row('Alone', values)]);
  const beside = await create([row('Alone', values), row('Beside')]);
  expect(alone.status).toBe(200);
  expect(await storedOf(alone.body.items[0])).toEqual(await storedOf(beside.body.items[0]));
});

test('one row from many connections at once is stored once', async () => {
  const rows = [row('Single')];
  const replies = await Promise.all(Array.from({ length: 10 }, () => create(rows)));
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.items[0].deal._id}`)).size).toBe(1);
  expect((await named('Single')).total).toBe(1);
});
