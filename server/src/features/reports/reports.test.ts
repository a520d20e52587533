import { MAX_STATEMENT_ROWS } from '@forecourt/contract/reports';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership, addManyDeals } from '../../../test/builders.ts';

let month: string;
const server = await testApp();
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
const kim = await server.person({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
const open = await addDealership(server, ada, { name: 'Open New Cars' });
const closed = await addDealership(server, ada, { name: 'Closed Used Cars' });
const rate = { token: ada.token, body: { value: 10 } };
for (const kind of ['newSales', 'usedSales'])
  await server.call(`PUT /settings/user/company/commission.${kind}`, rate);
await addDeal(server, kim, open, { customerName: 'Ann', saleAmount: 100.1, status: 'Deal' });
await addDeal(server, kim, open, { customerName: 'Bob', saleAmount: 50, costAmount: 20 });
await addDeal(server, ada, closed, { customerName: 'Cid', saleAmount: 7, status: 'No deal' });
beforeAll(async () => {
  month = (await get(ada, '/deals/options')).body.currentMonth;
});
afterAll(() => server.close());

const get = (person: Person | undefined, path: string) =>
  server.call(`GET ${path}`, { token: person?.token });
const STATEMENT = '/reports/commission-statement';
const STATEMENTS = '/reports/commission-statements';

test.each([
  ['by=colour', 'by'],
  ['by=month&from=2026-13', 'from'],
  ['by=month&from=2026-03&to=2026-01', 'to'],
  ['by=month&owner=me', 'owner'],
])('a report returns 400 for %s', async (query, field) => {
  const { status, body } = await get(ada, `/reports?${query}`);
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});

test('a report names its groups and counts each deal once in the total', async () => {
  const { body } = await get(ada, '/reports?by=dealership');
  expect(body.rows).toMatchObject([
    { key: closed, name: 'Closed Used Cars', deals: 1, saleAmount: 7, lost: 1, conversion: 0 },
    { key: open, name: 'Open New Cars', deals: 2, saleAmount: 150.1, grossProfit: 30, conversion: 100 },
  ]);
  expect(body.total).toMatchObject({ deals: 3, saleAmount: 157.1, commission: 10.01, conversion: 50 });
});

test('a report by dealership compares deals won and gross profit with all deals, unless their columns are hidden', async () => {
  const by = async (dimension: string, person = ada) => (await get(person, `/reports?by=${dimension}`)).body;
  const { rows, total } = await by('dealership');
  expect(rows).toMatchObject([
    { name: 'Closed Used Cars', penetration: 0, profitPerVehicle: 0 },
    { name: 'Open New Cars', penetration: 50, profitPerVehicle: 15 },
  ]);
  expect(total).toMatchObject({ penetration: 33.3, profitPerVehicle: 10 });
  const reader = async (...visibleColumns: string[]) => {
    const columnVisibility = { viewAllColumns: false, visibleColumns } as never;
    return server.person({ permissions: { dataEntry: { columnVisibility } } });
  };
  const withoutProfit = (await by('dealership', await reader('dealershipId', 'status'))).total;
  expect([withoutProfit.penetration, withoutProfit.profitPerVehicle]).toEqual([33.3, undefined]);
  const withoutStatus = (await by('dealership', await reader('dealershipId', 'grossProfit'))).total;
  expect([withoutStatus.penetration, withoutStatus.profitPerVehicle]).toEqual([undefined, 10]);
  expect((await by('status')).total.penetration).toBeUndefined();
  expect((await get(ada, '/reports?by=month&from=2020-01&to=2020-12')).body.total).toMatchObject({
    deals: 0,
    penetration: null,
    profitPerVehicle: null,
  });
});

test('statuses are in the order of the status cycle, with the filters of the list', async () => {
  const names = async (query: string) =>
    (await get(ada, `/reports?by=status${query}`)).body.rows.map(({ name }: { name: string }) => name);
  expect(await names('')).toEqual(['Entered', 'Deal', 'No deal']);
  expect(await names(`&owner=${kim.id}`)).toEqual(['Entered', 'Deal']);
  expect(await names(`&dealershipId=${closed}`)).toEqual(['No deal']);
  expect(await names('&status=deal')).toEqual(['Deal']);
  expect(await names('&from=2020-01&to=2020-12')).toEqual([]);
});

describe('a restricted user', () => {
  test('a restricted user gets no row, group or total of restricted records', async () => {
    const columnVisibility = { restrictedDealerships: [closed] } as never;
    const reader = await server.person({ permissions: { dataEntry: { columnVisibility } } });
    const { body } = await get(reader, '/reports?by=dealership');
    expect(body.rows.map(({ name }: { name: string }) => name)).toEqual(['Open New Cars']);
    expect(body.total).toMatchObject({ deals: 2, saleAmount: 150.1 });
    expect(await get(reader, `${STATEMENT}?owner=${ada.id}`)).toMatchObject({ status: 404 });
    const hidden = await server.person({
      permissions: {
        dataEntry: { columnVisibility: { restrictedDealerships: [open] } as never },
      },
    });
    expect((await get(hidden, STATEMENTS)).body.statements).toEqual([]);
  });

  test('a restricted user cannot group or filter by a hidden column, and gets no sum of one', async () => {
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['customerName'] } as never;
    const reader = await server.person({ permissions: { dataEntry: { columnVisibility } } });
    for (const by of ['dealership', 'owner', 'item', 'status'])
      expect(await get(reader, `/reports?by=${by}`)).toMatchObject({ status: 400 });
    for (const filter of [`owner=${ada.id}`, `dealershipId=${open}`, 'status=Deal'])
      expect(await get(reader, `/reports?${filter}`)).toMatchObject({ status: 400 });
    expect((await get(reader, '/reports')).body).toEqual({
      rows: [{ key: month, name: month, deals: 3 }],
      total: { deals: 3 },
    });
    for (const path of [STATEMENT, STATEMENTS])
      expect(await get(reader, path)).toMatchObject({ status: 400 });
  });
});

describe('a commission statement', () => {
  test('a commission statement lists the rows that earn commission, with their totals and not those of other rows', async () => {
    const { body } = await get(ada, `${STATEMENT}?owner=${kim.id}&month=${month}`);
    expect(body).toEqual({
      companyName: 'Forecourt',
      asOf: expect.any(String),
      month,
      owner: kim.id,
      ownerName: 'Kim Novak',
      rows: [
        expect.objectContaining({
          customerName: 'Ann',
          dealershipName: 'Open New Cars',
          commissionRate: 10,
          commission: 10.01,
        }),
      ],
      total: { deals: 1, saleAmount: 100.1, commission: 10.01, withoutRate: 0 },
    });
  });

  test('a commission statement of all people is that of each person who earns something in the month', async () => {
    const { asOf: _asOf, companyName, ...kims } = (await get(ada, `${STATEMENT}?owner=${kim.id}`)).body;
    const { month: _month, ...statement } = kims;
    const all = { companyName, asOf: expect.any(String), month };
    expect((await get(ada, STATEMENTS)).body).toEqual({ ...all, statements: [statement] });
    expect((await get(ada, `${STATEMENTS}?month=2020-01`)).body.statements).toEqual([]);
    const { body } = await get(ada, `${STATEMENTS}?month=2020-13`);
    expect(body.errors).toHaveProperty('month');
  });

  test('a commission statement of all people is refused for a month with more rows than its limit', async () => {
    const like = await addDeal(server, kim, open);
    const fill = async (count: number) => {
      await addManyDeals(server.db, like._id, count);
      await sql`update deals set (month, sale_amount, commission_rate, status_id) = ('2019-05', 10, 10, won.id)
        from (select id from statuses where name = 'Deal') as won
        where customer_name like 'Row %' and month <> '2019-05'`.execute(server.db);
    };
    await fill(MAX_STATEMENT_ROWS);
    const { statements } = (await get(ada, `${STATEMENTS}?month=2019-05`)).body;
    expect(statements).toMatchObject([
      { total: { deals: MAX_STATEMENT_ROWS, commission: MAX_STATEMENT_ROWS } },
    ]);
    await fill(1);
    expect(await get(ada, `${STATEMENTS}?month=2019-05`)).toMatchObject({
      status: 400,
      body: { errors: { month: expect.stringContaining('Choose one person') } },
    });
    await sql`delete from deals where id = ${like._id} or month = '2019-05'`.execute(server.db);
  });

  test('a commission statement pays for rows whose status counts for commission, as grid, dashboard and reports do', async () => {
    const commissions = async () => {
      const bodies = await Promise.all(
        [
          `${STATEMENT}?owner=${ada.id}`,
          `/reports?by=owner&owner=${ada.id}`,
          `/deals/summary?owner=${ada.id}`,
        ].map(async (path) => (await get(ada, path)).body),
      );
      return bodies.map(({ commission, total }) => (commission ?? total.commission) as number);
    };
    const rowsOf = async () => (await get(ada, `${STATEMENT}?owner=${ada.id}`)).body.rows;
    expect([await rowsOf(), await commissions()]).toEqual([[], [0, 0, 0]]);
    const { items } = (await get(ada, '/status-configurations')).body;
    const ids = items.map(({ _id }: { _id: string }) => _id);
    const route = 'PUT /status-configurations/commission';
    await server.call(route, { token: ada.token, body: { ids } });
    expect([await rowsOf(), await commissions()]).toMatchObject([
      [{ customerName: 'Cid', status: 'No deal', commission: 0.7 }],
      [0.7, 0.7, 0.7],
    ]);
    expect((await get(ada, '/dashboard')).body.thisMonth.commission).toBe(15.71);
    const won = items.find(({ name }: { name: string }) => name === 'Deal');
    await server.call(route, { token: ada.token, body: { ids: [won._id] } });
    expect((await get(ada, '/dashboard')).body.thisMonth.commission).toBe(10.01);
  });

  test('a commission statement is empty for oneself in a month without rows, and 404 for others', async () => {
    expect((await get(kim, `${STATEMENT}?month=2020-01`)).body).toMatchObject({
      ownerName: 'Kim Novak',
      rows: [],
    });
    expect(await get(kim, `${STATEMENT}?owner=${ada.id}&month=2020-01`)).toMatchObject({ status: 404 });
  });
});

test('a statement has rows and totals of one moment', async () => {
  const path = `${STATEMENT}?owner=${kim.id}`;
  const before = (await get(ada, path)).body;
  const { reply } = await server.db.transaction().execute(async (tx) => {
    // The totals wait for it, after the rows were read.
    await sql`lock table deal_sums in access exclusive mode`.execute(tx);
    const reply = get(ada, path);
    const waiting = sql`select from pg_locks where relation = 'deal_sums'::regclass and not granted`;
    await expect.poll(async () => (await waiting.execute(server.db)).rows.length).toBe(1);
    await sql`update deals set sale_amount = sale_amount + 10 where owner_id = ${kim.id}`.execute(tx);
    return { reply };
  });
  expect((await reply).body).toEqual({ ...before, asOf: expect.any(String) });
  expect((await get(ada, path)).body.total).not.toEqual(before.total);
});
