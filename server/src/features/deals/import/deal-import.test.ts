import { dealColumns } from '@forecourt/contract/deal-fields';
import type { Deal } from '@forecourt/contract/deals';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { ABSENT_ID, addDealership, newestAudit } from '../../../../test/builders.ts';
import { createClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { addImporter, hiding } from './deal-import.fixture.ts';

let clerk: Person;
let newCars: string;
let usedCars: string;
let tint: string;
const thisMonth = createClock('Australia/Sydney').businessMonth();

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
beforeAll(async () => {
  clerk = await importer();
  newCars = await addDealership(server, admin, { name: 'Harbour New Cars' });
  usedCars = await addDealership(server, admin, { name: 'Inland Used Cars' });
  const item = { name: 'Tint', price: 499.5 };
  tint = (await server.call('POST /item-configurations', { token: admin.token, body: item })).body._id;
  const rate = { value: 12.5 };
  await server.call('PUT /settings/user/company/commission.newSales', { token: admin.token, body: rate });
});
afterAll(() => server.close());

const importer = (limits: Parameters<typeof addImporter>[1] = {}) => addImporter(server, limits);

const row = (changes: object = {}) => ({ dealershipId: newCars, customerName: 'Ann Example', ...changes });
const run = (rows: unknown, by: { token?: string } = clerk, headers = {}) =>
  server.call('POST /deals/import', { token: by.token, body: { rows }, headers });
const added = async (by: Person): Promise<number> =>
  (
    await server.db
      .selectFrom('deals')
      .where('created_by', '=', by.id)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;
const rowOf = async (id: string, by = admin): Promise<Deal> =>
  (await server.call(`GET /deals/${id}`, { token: by.token })).body;

test('a refused import leaves no job behind', async () => {
  const person = await importer(hiding({ restrictedDealerships: [newCars] }));
  expect((await run([row()], person, { 'idempotency-key': 'kept-out' })).status).toBe(400);
  const other = await importer({ canAddRows: false });
  expect((await run([row()], other)).status).toBe(403);
  const jobs = server.db.selectFrom('jobs').select('id').where('user_id', 'in', [person.id, other.id]);
  expect(await jobs.execute()).toEqual([]);
});

describe('bad input', () => {
  test.each<[string, object, string | RegExp]>([
    ['customerName', { customerName: ' ' }, 'Customer name is required'],
    ['customerName', { customerName: undefined }, 'Customer name is required'],
    ['customerName', { customerName: 'A'.repeat(121) }, 'Must be at most 120 characters'],
    ['customerName', { customerName: 7 }, 'Must be text'],
    ['customerName', { customerName: 'Ann\u0000' }, 'Must be one line of plain text'],
    ['notes', { notes: 'x'.repeat(1_000_000) }, 'Must be at most 5000 characters'],
    ['notes', { notes: '\u001b[31m' }, 'Must be plain text'],
    ['dealershipId', { dealershipId: ABSENT_ID }, 'Choose one of the dealerships'],
    ['status', { status: 'Nearly' }, 'Choose one of the statuses'],
    ['customerNumber', { customerNumber: '0412 345 678' }, 'Phone number must be in format (xxxx) xxx xxx'],
    ['customerEmail', { customerEmail: 'ann@' }, /./],
    ['saleAmount', { saleAmount: '12' }, 'Please enter a valid number'],
    ['saleAmount', { saleAmount: -1 }, 'Please enter a valid number'],
    ['costAmount', { costAmount: 0.005 }, 'Please enter a valid number'],
    ['deliveryDate', { deliveryDate: '2026-02-30' }, /./],
    ['month', { month: '2026-13' }, 'Must be a month such as 2026-11'],
    ['items.0.itemId', { items: [{ itemId: ABSENT_ID, quantity: 1 }] }, 'Choose one of the items'],
    ['owner', { owner: 'me' }, 'Unknown field'],
    ['commission', { commission: 5 }, 'Unknown field'],
  ])('a wrong %s is named with its row, and nothing is added', async (field, changes, message) => {
    const { status, body } = await run([row(), row(changes)]);
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual([`rows.1.${field}`]);
    expect(body.errors[`rows.1.${field}`]).toMatch(message);
    expect(await added(clerk)).toBe(0);
  });

  test('an import names every invalid cell of every row in one response, for every kind of error', async () => {
    const rows = Array.from({ length: 150 }, () => row({ status: 'Nearly', saleAmount: 'x' }));
    const { status, body } = await run([...rows, row({ dealershipId: newId(), customerNumber: '12' })]);
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toHaveLength(302);
    expect(body.errors).toMatchObject({
      'rows.149.status': 'Choose one of the statuses',
      'rows.149.saleAmount': expect.any(String),
      'rows.150.dealershipId': 'Choose one of the dealerships',
      'rows.150.customerNumber': 'Phone number must be in format (xxxx) xxx xxx',
    });
    expect(await added(clerk)).toBe(0);
  });

  test('an import with more than 1,000 errors is refused with the first 1,000 and the message that later rows were not checked', async () => {
    const empty = row({ items: Array.from({ length: 50 }, () => ({})) });
    const { status, body } = await run(Array.from({ length: 500 }, () => empty));
    expect([status, Object.keys(body.errors).length]).toEqual([400, 1000]);
    expect(body.message).toMatch(/^These rows have more than 1,000 errors\. .* were not checked\.$/);
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
    expect(await added(clerk)).toBe(0);
  });

  test('an import with no rows, with more than 10,000 rows or with invalid rows is refused', async () => {
    expect((await run([])).body.errors).toHaveProperty('rows');
    const many = Array.from({ length: 10_001 }, () => row());
    expect((await run(many)).body.errors).toEqual({ rows: 'At most 10,000 rows at once' });
    expect((await run([row(), 'Ann'])).body.errors).toHaveProperty(['rows.1']);
    expect((await run([row(), null])).body.errors).toHaveProperty(['rows.1']);
    expect((await run('rows')).body.errors).toHaveProperty('rows');
    const tooLarge = Array.from({ length: 3400 }, () => row({ notes: 'x'.repeat(5000) }));
    expect((await run(tooLarge)).status).toBe(413);
    expect(await added(clerk)).toBe(0);
  });
});

describe('a failure in row 9,999 of 10,000', () => {
  const rows = (last: object) =>
    Array.from({ length: 10_000 }, (_, index) => row(index === 9998 ? last : {}));

  test('a failure in row 9,999 of 10,000 stores nothing when a cell is invalid', async () => {
    const { status, body } = await run(rows({ saleAmount: 0.005 }));
    expect([status, body.errors]).toEqual([400, { 'rows.9998.saleAmount': 'Please enter a valid number' }]);
    expect(await added(clerk)).toBe(0);
  });

  test.each([
    ['the row', 'deals', `new.customer_name = 'Zed'`],
    ['its audit entry', 'audit_entries', `new.after ->> 'customerName' = 'Zed'`],
  ])(
    'a failure in row 9,999 of 10,000 leaves nothing when the database refuses %s, and the next attempt adds all rows',
    async (_, table, when) => {
      await sql`
      create function fail_at_zed() returns trigger language plpgsql as
        $$ begin raise exception 'failed on purpose'; end $$`.execute(server.db);
      await sql`
      create trigger fail_at_zed after insert on ${sql.table(table)} for each row when (${sql.raw(when)})
        execute function fail_at_zed()`.execute(server.db);
      const person = await importer();
      const entries = async () =>
        (await sql<{ count: number }>`select count(*) from audit_entries`.execute(server.db)).rows[0]!.count;
      const before = await entries();
      expect((await run(rows({ customerName: 'Zed' }), person)).status).toBe(500);
      expect([await added(person), await entries()]).toEqual([0, before]);

      await sql`drop function fail_at_zed cascade`.execute(server.db);
      expect(await run(rows({ customerName: 'Zed' }), person)).toMatchObject({
        status: 201,
        body: { total: 10_000 },
      });
      expect([await added(person), await entries()]).toEqual([10_000, before + 10_000]);
    },
  );
});

describe('authorisation', () => {
  test('an import of deals needs canAddRows, and bulkEdit for more than one row', async () => {
    const one = await server.person({ permissions: { dataEntry: { canAddRows: true } } });
    expect(await run([row(), row()], one)).toMatchObject({ status: 403, body: { details: 'NO_BULK_EDIT' } });
    expect((await run([row()], one)).status).toBe(201);
    const other = await importer({ canAddRows: false });
    expect(await run([row()], other)).toMatchObject({ status: 403, body: { details: 'NO_ROW_ADD' } });
  });

  test('an import with a hidden column or value is refused at its cell', async () => {
    const statuses = await server.call('GET /deals/options', { token: admin.token });
    const [{ _id: entered }, { _id: called }] = statuses.body.statuses;
    const person = await importer({
      canAccessAllMonths: false,
      ...hiding({
        restrictedDealerships: [usedCars],
        restrictedStatuses: [called],
        viewAllColumns: false,
        visibleColumns: dealColumns.filter((column) => column !== 'notes'),
      }),
    });
    const { status, body } = await run(
      [
        row({ dealershipId: usedCars }),
        row({ status: 'called' }),
        row({ month: '2024-02' }),
        row({ notes: 'Call back' }),
        row({ month: thisMonth }),
      ],
      person,
    );
    expect([status, body.errors]).toEqual([
      400,
      {
        'rows.0.dealershipId': 'Choose one of the dealerships',
        'rows.1.status': 'Choose one of the statuses',
        'rows.2.month': 'You may only use the current month',
        'rows.3.notes': 'You may not see this column',
      },
    ]);
    const blind = await importer(hiding({ restrictedStatuses: [entered] }));
    expect(await run([row({ status: 'Called' }), row()], blind)).toMatchObject({
      status: 403,
      body: { details: 'ROW_OUT_OF_SIGHT' },
    });
    expect([await added(person), await added(blind)]).toEqual([0, 0]);
    expect((await run([row({ month: thisMonth })], person)).status).toBe(201);
  });
});

describe('an import', () => {
  test('an import of deals adds rows with names, items and money, in the order of the file, each with its audit entry', async () => {
    const person = await importer();
    const given = [
      row({ status: 'to call', items: [{ itemId: tint, quantity: 2 }], month: '2025-03' }),
      row({ customerName: ' Bob ', dealershipId: usedCars, saleAmount: 100, month: '2025-03' }),
    ];
    const { status, body } = await run(given, person);
    expect(status).toBe(201);
    expect(body).toEqual({
      items: [{ _id: expect.any(String) }, { _id: expect.any(String) }],
      total: 2,
      changed: 0,
      same: 0,
      left: [],
      changeSetId: expect.any(String),
    });
    const [first, second] = await Promise.all(body.items.map(({ _id }: Deal) => rowOf(_id)));
    expect(first).toMatchObject({
      customerName: 'Ann Example',
      status: 'To Call',
      month: '2025-03',
      dealershipName: 'Harbour New Cars',
      items: [{ itemId: tint, name: 'Tint', quantity: 2, unitPrice: 499.5 }],
      saleAmount: 999,
      commissionRate: 12.5,
      commission: 124.88,
      owner: person.id,
      createdBy: person.id,
      version: 1,
    });
    expect(second).toMatchObject({ customerName: 'Bob', status: 'Entered', customerNumber: '', items: [] });
    const { items } = (await server.call('GET /deals?month=2025-03', { token: admin.token })).body;
    expect(items.map(({ _id }: Deal) => _id)).toEqual(body.items.map(({ _id }: Deal) => _id));
    expect(await newestAudit(server, first._id)).toMatchObject({
      action: 'deal.created',
      actor_id: person.id,
      version: 1,
      before: null,
      after: { customerName: 'Ann Example', status: 'To Call', saleAmount: 999, commission: 124.88 },
    });
  });

  test('an import of deals runs once for its Idempotency-Key, and can be undone', async () => {
    const person = await importer();
    const headers = { 'idempotency-key': 'once' };
    const first = await run([row(), row()], person, headers);
    expect(await run([row(), row()], person, headers)).toMatchObject({ status: 201, body: first.body });
    expect(await added(person)).toBe(2);
    const ids = first.body.items.map(({ _id }: Deal) => _id);
    const taken = await server.call('POST /deals/bulk/delete', { token: person.token, body: { ids } });
    expect(taken.status).toBe(204);
    expect((await server.call(`GET /deals/${ids[0]}`, { token: person.token })).status).toBe(404);
  });

  test('an import of deals has the same result as typing its rows one by one', async () => {
    const person = await importer();
    const text = fc.stringMatching(/^[ A-Za-zé'-]{0,12}$/);
    const money = fc.option(fc.integer({ min: 0, max: 999_999_999 }).map((cents) => cents / 100));
    const line = fc.record(
      { itemId: fc.constant(tint), quantity: fc.integer({ min: 1, max: 9 }), unitPrice: fc.constant(19.95) },
      { requiredKeys: ['itemId', 'quantity'] },
    );
    const arbitrary = fc.record(
      {
        customerName: text.map((name) => `A${name}`),
        dealershipId: fc.constantFrom(newCars, usedCars),
        status: fc.constantFrom('Entered', 'TO CALL', 'No deal'),
        customerNumber: fc.constantFrom('', '(0412) 345 678'),
        customerEmail: fc.constantFrom('', ' ann@example.com '),
        dealNumber: text,
        vehicle: text,
        deliveryDate: fc.constantFrom(null, '2026-12-01'),
        items: fc.array(line, { maxLength: 3 }),
        saleAmount: money,
        costAmount: money,
        notes: fc.stringMatching(/^[a-z\n\t ]{0,20}$/),
        followUpAt: fc.constantFrom(null, '2026-12-01T03:30:00.000Z'),
        month: fc.constantFrom('2025-01', '2026-02'),
      },
      { requiredKeys: ['customerName', 'dealershipId'] },
    );
    const bare = ({ _id, createdAt: _c, updatedAt: _u, ...rest }: Deal) => rest;
    await fc.assert(
      fc.asyncProperty(fc.array(arbitrary, { minLength: 1, maxLength: 4 }), async (rows) => {
        const { status, body } = await run(rows, person);
        expect(status, JSON.stringify(body)).toBe(201);
        for (const [index, given] of rows.entries()) {
          const typed = await server.call('POST /deals', { token: person.token, body: given });
          expect(bare(await rowOf(body.items[index]._id, person))).toEqual(bare(typed.body));
        }
      }),
      { numRuns: 25 },
    );
  });
});
