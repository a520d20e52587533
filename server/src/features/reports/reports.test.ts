import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';

let server: TestApp;
let ada: Person;
let kim: Person;
let month: string;
let open: string;
let closed: string;
beforeAll(async () => {
  server = await testApp();
  ada = await server.person({ role: 'admin', name: 'Ada Admin' });
  kim = await server.person({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
  open = await addDealership(server, ada, { name: 'Open New Cars' });
  closed = await addDealership(server, ada, { name: 'Closed Used Cars' });
  await addDeal(server, kim, open, { customerName: 'Ann', saleAmount: 100.1, status: 'Deal' });
  await addDeal(server, kim, open, { customerName: 'Bob', saleAmount: 50, costAmount: 20 });
  await addDeal(server, ada, closed, { customerName: 'Cid', saleAmount: 7, status: 'No deal' });
  await server.db.updateTable('deals').set({ commission_rate: 10 }).where('sale_amount', '<>', 50).execute();
  month = (await get(ada, '/deals/options')).body.currentMonth;
});
afterAll(() => server.close());

const get = (person: Person | undefined, path: string) =>
  server.call(`GET ${path}`, { token: person?.token });
const STATEMENT = '/reports/commission-statement';

test('reports are for whoever is signed in', async () => {
  expect(await get(undefined, '/reports')).toMatchObject({ status: 401 });
  expect(await get(undefined, STATEMENT)).toMatchObject({ status: 401 });
});

test.each([
  ['by=colour', 'by'],
  ['by=month&from=2026-13', 'from'],
  ['by=month&from=2026-03&to=2026-01', 'to'],
  ['by=month&owner=me', 'owner'],
])('%s is refused', async (query, field) => {
  const { status, body } = await get(ada, `/reports?${query}`);
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});

test.each(['features', 'pages'] as const)('%s decides who may have them', async (group) => {
  const permissions =
    group === 'features' ? { features: { viewReports: false } } : { pages: { dataEntry: false } };
  const person = await server.person({ permissions });
  for (const path of ['/reports', STATEMENT]) expect(await get(person, path)).toMatchObject({ status: 403 });
});

test('a report names its groups and counts each deal once in the total', async () => {
  const { body } = await get(ada, '/reports?by=dealership');
  expect(body.rows).toMatchObject([
    { key: closed, name: 'Closed Used Cars', deals: 1, saleAmount: 7, lost: 1, conversion: 0 },
    { key: open, name: 'Open New Cars', deals: 2, saleAmount: 150.1, grossProfit: 30, conversion: 100 },
  ]);
  expect(body.total).toMatchObject({ deals: 3, saleAmount: 157.1, commission: 10.71, conversion: 50 });
});

test('statuses come in the order of the status cycle, with the filters of the list', async () => {
  const names = async (query: string) =>
    (await get(ada, `/reports?by=status${query}`)).body.rows.map(({ name }: { name: string }) => name);
  expect(await names('')).toEqual(['Entered', 'Deal', 'No deal']);
  expect(await names(`&owner=${kim.id}`)).toEqual(['Entered', 'Deal']);
  expect(await names(`&dealershipId=${closed}`)).toEqual(['No deal']);
  expect(await names('&status=deal')).toEqual(['Deal']);
  expect(await names('&from=2020-01&to=2020-12')).toEqual([]);
});

describe('somebody who may not see all of it', () => {
  test('gets no row, group or total of what is kept from them', async () => {
    const columnVisibility = { restrictedDealerships: [closed] } as never;
    const reader = await server.person({ permissions: { dataEntry: { columnVisibility } } });
    const { body } = await get(reader, '/reports?by=dealership');
    expect(body.rows.map(({ name }: { name: string }) => name)).toEqual(['Open New Cars']);
    expect(body.total).toMatchObject({ deals: 2, saleAmount: 150.1 });
    expect(await get(reader, `${STATEMENT}?owner=${ada.id}`)).toMatchObject({ status: 404 });
  });

  test('cannot ask by a column that does not exist for them, nor filter by one, and gets no sum of one', async () => {
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
    expect(await get(reader, STATEMENT)).toMatchObject({ status: 400 });
  });
});

describe('a commission statement', () => {
  test('lists what earns commission, and what all rows of that person and month come to', async () => {
    const { body } = await get(ada, `${STATEMENT}?owner=${kim.id}&month=${month}`);
    expect(body).toMatchObject({ ownerName: 'Kim Novak', month, total: { deals: 2, commission: 10.01 } });
    expect(body.rows).toMatchObject([
      { customerName: 'Ann', dealershipName: 'Open New Cars', commissionRate: 10, commission: 10.01 },
    ]);
  });

  test('is empty for oneself in a month without rows, and not found for others', async () => {
    expect((await get(kim, `${STATEMENT}?month=2020-01`)).body).toMatchObject({
      ownerName: 'Kim Novak',
      rows: [],
    });
    expect(await get(kim, `${STATEMENT}?owner=${ada.id}&month=2020-01`)).toMatchObject({ status: 404 });
  });
});
