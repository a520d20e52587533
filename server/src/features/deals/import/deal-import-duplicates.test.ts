import { dealColumns } from '@forecourt/contract/deal-fields';
import { MAX_DUPLICATES } from '@forecourt/contract/deal-limits';
import type { Deal } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, addManyDeals } from '../../../../test/builders.ts';
import { createClock } from '../../../platform/clock.ts';
import { UNLIMITED_SCOPE } from '../deals.policy.ts';
import { addImporter, hiding } from './deal-import.fixture.ts';
import { findNewestByKey } from './deal-import.queries.ts';

const thisMonth = createClock('Australia/Sydney').businessMonth();

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await addImporter(server);
const newCars = await addDealership(server, admin, { name: 'Harbour New Cars' });
const usedCars = await addDealership(server, admin, { name: 'Inland Used Cars' });
afterAll(() => server.close());

const ask = (body: object, by: Partial<Person> = clerk) =>
  server.call('POST /deals/import/duplicates', { token: by.token, body });
const NUMBER = '(0499) 111 222';
const add = (dealershipId: string, changes: object) => addDeal(server, clerk, dealershipId, changes);

test('duplicates need a session, valid numbers, and the permissions of an import', async () => {
  expect((await ask({}, {})).status).toBe(401);
  expect((await ask({ customerNumbers: ['0499 111 222'] })).body.errors).toEqual({
    'customerNumbers.0': 'Phone number must be in format (xxxx) xxx xxx',
  });
  for (const number of ['', 'x'.repeat(41), 7])
    expect((await ask({ dealNumbers: [number] })).body.errors).toHaveProperty(['dealNumbers.0']);
  expect((await ask({}, await addImporter(server, { canAddRows: false }))).status).toBe(403);
  expect((await ask({}, await server.person())).status).toBe(403);
});

test('duplicates are the newest visible row with each number', async () => {
  await add(newCars, { customerNumber: NUMBER, customerName: 'Old', month: '2024-01' });
  await add(newCars, { customerNumber: NUMBER, customerName: 'New' });
  await add(usedCars, { dealNumber: 'D-77', customerName: 'Dee', month: '2024-01' });
  const found = await ask({ customerNumbers: [NUMBER, '(0499) 000 000'], dealNumbers: ['d-77', 'D-78'] });
  expect(found.status).toBe(200);
  expect(found.body.items).toMatchObject([
    { customerName: 'New', customerNumber: NUMBER, month: thisMonth, dealershipName: 'Harbour New Cars' },
    { customerName: 'Dee', dealNumber: 'D-77', month: '2024-01' },
  ]);
  const names = async (by: Person, body: object) =>
    (await ask(body, by)).body.items.map(({ customerName }: Deal) => customerName);
  const both = { customerNumbers: [NUMBER], dealNumbers: ['D-77'] };
  const ofThisMonth = await addImporter(server, { canAccessAllMonths: false });
  expect(await names(ofThisMonth, both)).toEqual(['New']);
  const ofUsed = await addImporter(server, hiding({ restrictedDealerships: [newCars] }));
  expect(await names(ofUsed, both)).toEqual(['Dee']);
});

test('duplicates reveal no hidden column, and no hidden or deleted row', async () => {
  const columns = dealColumns.filter((name) => !['customerNumber', 'customerName'].includes(name));
  const person = await addImporter(server, hiding({ viewAllColumns: false, visibleColumns: columns }));
  expect((await ask({ customerNumbers: [NUMBER] }, person)).body.errors).toEqual({
    customerNumbers: 'You may not see this column',
  });
  const [found] = (await ask({ dealNumbers: ['D-77'] }, person)).body.items;
  expect(Object.keys(found).sort()).toEqual(['_id', 'dealNumber', 'dealershipName', 'month']);
  await server.call('POST /deals/bulk/delete', { token: admin.token, body: { ids: [found._id] } });
  expect((await ask({ dealNumbers: ['D-77'] })).body).toEqual({ items: [], total: 0 });
});

const duplicatesOf = (id: string, by: Partial<Person> = clerk) =>
  server.call(`GET /deals/${id}/duplicates`, { token: by.token });
const namesOf = async (id: string, by?: Partial<Person>) =>
  (await duplicatesOf(id, by)).body.items.map(({ customerName }: Deal) => customerName);

test('duplicates of a row have its phone or deal number, newest first, without itself and empty numbers', async () => {
  const customerNumber = '(0499) 333 444';
  const first = await add(newCars, { customerName: 'First', customerNumber, dealNumber: 'X-1' });
  await add(newCars, { customerName: 'Phone', customerNumber, month: '2024-01' });
  await add(usedCars, { customerName: 'Number', dealNumber: 'x-1' });
  await add(newCars, { customerName: 'Neither' });
  expect(await namesOf(first._id)).toEqual(['Number', 'Phone']);
  const without = await add(newCars, { customerName: 'Without' });
  expect(await namesOf(without._id)).toEqual([]);

  // Neither a hidden column nor a hidden row is found.
  const hidden = (name: string) => dealColumns.filter((column) => column !== name);
  const visibleColumns = hidden('customerNumber');
  const numbersOnly = await addImporter(server, hiding({ viewAllColumns: false, visibleColumns }));
  expect(await namesOf(first._id, numbersOnly)).toEqual(['Number']);
  const ofNew = await addImporter(server, hiding({ restrictedDealerships: [usedCars] }));
  expect(await namesOf(first._id, ofNew)).toEqual(['Phone']);
});

test(`duplicates of a row are at most ${MAX_DUPLICATES}`, async () => {
  const customerNumber = '(0499) 555 666';
  const { _id: id } = await add(newCars, { customerName: 'Oldest', customerNumber });
  for (let at = 0; at <= MAX_DUPLICATES; at += 1)
    await add(newCars, { customerName: `N${at}`, customerNumber });
  const found = await namesOf(id);
  expect(found).toHaveLength(MAX_DUPLICATES);
  expect(found[0]).toBe(`N${MAX_DUPLICATES}`);
});

test('numbers that no row has are not compared with all rows, each of them', async () => {
  const { _id } = await add(newCars, {});
  await addManyDeals(server.db, _id, 5_000);
  // A plan that reads the newest rows first then seems cheap: one in 20 of them has a number.
  await sql`update deals set deal_number = 'N-' || right(customer_name, 6)::int % 20
    where customer_name like 'Row %'`.execute(server.db);
  await sql`analyze deals`.execute(server.db);
  const numbers = ['n-7', ...Array.from({ length: 500 }, (_, index) => `m-${index}`)];
  await server.db.transaction().execute(async (tx) => {
    const scope = { ...UNLIMITED_SCOPE, timeZone: 'Australia/Sydney' };
    const keys = numbers.map((number) => [number]);
    const found = await findNewestByKey(tx, scope, 'dealNumber', keys, 1);
    expect(found).toMatchObject([{ deal_number: 'N-7' }]);
    const { rows } = await sql`select seq_tup_read + idx_tup_fetch as read
      from pg_stat_xact_user_tables where relname = 'deals'`.execute(tx);
    expect(Number((rows[0] as { read: string }).read)).toBeLessThan(10_000);
  });
});
