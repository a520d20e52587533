import type { LiveEvent } from '@forecourt/contract/events';
import { monthChecks, type MonthCheck } from '@forecourt/contract/month-checks';
import type { CheckResult } from '@forecourt/contract/months';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import {
  addDeal,
  addDealership,
  changePermissions,
  emailValues,
  newestAudit,
} from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import { hashedId } from '../../platform/ids.ts';

const MONTH = '2024-02';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
const dealership = await addDealership(server, admin);
const retiredDealership = await addDealership(server, admin, { name: 'Gone Cars' });
const { body: item } = await server.call('POST /item-configurations', {
  token: admin.token,
  body: { name: 'Tint', price: 100 },
});
afterAll(() => server.close());

const call = (route: string, by = admin, body?: object) => server.call(route, { token: by.token, body });
const checksOf = async (by = admin, month = MONTH): Promise<CheckResult[]> =>
  (await call(`GET /months/${month}`, by)).body.checks;
const checkOf = async (key: MonthCheck, by = admin) =>
  (await checksOf(by)).find((check) => check.key === key)!;
const countsOf = async (by = admin) =>
  Object.fromEntries((await checksOf(by)).map(({ key, count }) => [key, count]));
const waive = (body: object, by = admin, month = MONTH) => call(`POST /months/${month}/waive`, by, body);

/** A person with the feature and these limits. */
const closer = (dataEntry: object = {}) =>
  server.person({ permissions: { features: { closeMonths: true }, dataEntry } as never });
const seeing = (...visibleColumns: string[]) =>
  closer({ columnVisibility: { viewAllColumns: false, visibleColumns } });

let rowNumber = 0;
/** Adds an emailed row of the month in which nothing is missing, and then changes its columns. */
async function addRow(columns: object = {}, changes: object = {}, mail: object | null = { status: 'sent' }) {
  rowNumber += 1;
  const { _id: id } = await addDeal(server, admin, dealership, {
    month: MONTH,
    status: 'Deal',
    customerNumber: `(0412) 000 ${100 + rowNumber}`,
    dealNumber: `D-${rowNumber}`,
    saleAmount: 100,
    costAmount: 40,
    items: [{ itemId: item._id, quantity: 1 }],
    ...changes,
  });
  if (mail) {
    const email = emailValues(admin.id, dealership, { sent_at: new Date(), deal_fields: ['notes'], ...mail });
    await server.db.insertInto('emails').values(email).execute();
    await server.db
      .insertInto('email_deals')
      .values({ email_id: email.id, deal_id: id, deal_version: 1 })
      .execute();
  }
  await server.db
    .updateTable('deals')
    .set({ commission_rate: 10, ...columns })
    .where('id', '=', id)
    .execute();
  return id;
}

const NONE = Object.fromEntries(monthChecks.map((key) => [key, 0]));

describe('the checks of a month', () => {
  beforeAll(async () => {
    // As in an installation that has not decided which statuses count.
    await server.db.updateTable('statuses').set({ counts_for_commission: null }).execute();
    const former = await server.person({ name: 'Former Fay' });
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', former.id).execute();
    await server.db
      .updateTable('dealerships')
      .set({ active: false })
      .where('id', '=', retiredDealership)
      .execute();
    await addRow();
    await addRow({}, { status: 'Called' });
    await addRow({}, { status: 'Deal Not Entered' });
    // Rows that are not paid need no values and no mail.
    await addRow({ sale_amount: null, cost_amount: null, customer_number: '' }, { status: 'No deal' }, null);
    await addRow({ sale_amount: null });
    await addRow({ cost_amount: null });
    await server.db
      .deleteFrom('deal_items')
      .where('deal_id', '=', await addRow())
      .execute();
    await addRow({ deal_number: '' });
    await addRow({ customer_number: '' });
    await addRow({}, {}, null);
    await addRow({}, {}, { status: 'cancelled', sent_at: null });
    await addRow({ version: 2, field_versions: JSON.stringify({ notes: 2 }) });
    await addRow({}, {}, { status: 'failed', sent_at: null });
    await addRow({ deal_number: 'X-7' });
    await addRow({ deal_number: 'x-7' });
    await addRow({ month: '2024-01', deal_number: 'X-7' });
    for (const sale_amount of [49.99, 50, 150, 150.01]) await addRow({ sale_amount });
    await addRow({ owner_id: former.id });
    await addRow({ dealership_id: retiredDealership });
    await addRow({ commission_rate: null });
  });

  test('each check counts its rows, and its filter selects as many in Data Entry', async () => {
    expect(await countsOf()).toEqual({
      ...Object.fromEntries(monthChecks.map((key) => [key, 1])),
      notEmailed: 2,
      duplicates: 2,
      farFromPrice: 2,
    });
    const { body } = await call(`GET /months/${MONTH}`);
    expect(body).toMatchObject({ month: MONTH, rows: rowNumber - 1 });
    for (const { key, count, filter } of await checksOf()) {
      const search = `month=${MONTH}&filter=${encodeURIComponent(JSON.stringify(filter))}`;
      expect((await call(`GET /deals?${search}`)).body.total, key).toBe(count);
    }
  });

  test('the months with rows are listed newest first, with the number of their rows', async () => {
    expect((await call('GET /months')).body).toEqual({
      items: [
        { month: MONTH, rows: rowNumber - 1, state: 'open' },
        { month: '2024-01', rows: 1, state: 'open' },
      ],
      total: 2,
    });
  });

  test('a month without rows has every check without rows, and no filter where none can be', async () => {
    const checks = await checksOf(admin, '2020-01');
    expect(Object.fromEntries(checks.map(({ key, count }) => [key, count]))).toEqual(NONE);
    expect(checks.filter(({ filter }) => filter === null).map(({ key }) => key)).toEqual([
      'ownerInactive',
      'dealershipInactive',
    ]);
  });

  test('a person who sees only own rows counts only these', async () => {
    const owner = await closer({ columnVisibility: { restrictedToOwn: true } });
    expect(await countsOf(owner)).toEqual(NONE);
    const id = await addRow({ cost_amount: null, owner_id: owner.id, deal_number: 'X-7' });
    // The other rows with this number are hidden.
    expect(await countsOf(owner)).toEqual({ ...NONE, costMissing: 1 });
    expect((await call('GET /months', owner)).body.items).toEqual([{ month: MONTH, rows: 1, state: 'open' }]);
    await server.db.deleteFrom('deals').where('id', '=', id).execute();
  });

  test('a check of a column that is hidden from a person is absent and cannot be waived', async () => {
    const reader = await seeing('customerName', 'status', 'saleAmount');
    const keys = (await checksOf(reader)).map(({ key }) => key);
    expect(keys).toEqual(['openStatus', 'dealNotEntered', 'saleMissing']);
    expect(await checksOf(await seeing('customerName'))).toEqual([]);
    const hidden = { check: 'costMissing', rows: 1, reason: 'Later' };
    expect(await waive(hidden, reader)).toMatchObject({
      status: 400,
      body: { errors: { check: 'You may not see the columns of this check' } },
    });
    expect((await waive(hidden)).status).toBe(200);
    const path = `DELETE /months/${MONTH}/waivers/costMissing`;
    expect((await call(path, reader)).status).toBe(404);
    expect((await call(path)).status).toBe(204);
  });

  test('a person who sees only the current month gets that month and no other', async () => {
    const { currentMonth } = (await call('GET /deals/options')).body;
    const limited = await closer({ canAccessAllMonths: false });
    expect((await call('GET /months', limited)).body.items).toEqual([]);
    expect((await call(`GET /months/${currentMonth}`, limited)).status).toBe(200);
    const refused = { status: 403, body: { details: 'NO_OTHER_MONTHS' } };
    expect(await call(`GET /months/${MONTH}`, limited)).toMatchObject(refused);
    expect(await waive({ check: 'saleMissing', rows: 1, reason: 'Later' }, limited)).toMatchObject(refused);
    expect(await call(`DELETE /months/${MONTH}/waivers/saleMissing`, limited)).toMatchObject(refused);
  });
});

describe('a waiver', () => {
  test.each([
    [{ reason: ' ' }, { reason: 'Reason is required' }],
    [{ reason: 'x'.repeat(501) }, { reason: expect.any(String) }],
    [{ rows: 0 }, { rows: 'Must be the number of rows' }],
    [{ check: 'nothing' }, { check: expect.any(String) }],
  ])('a waiver with %j is refused and changes nothing', async (changes, errors) => {
    expect(await waive({ check: 'saleMissing', rows: 1, reason: 'Later', ...changes })).toMatchObject({
      status: 400,
      body: { errors },
    });
    expect((await checkOf('saleMissing')).waiver).toBeNull();
  });

  test('a check without rows cannot be waived', async () => {
    expect(await waive({ check: 'saleMissing', rows: 1, reason: 'Later' }, admin, '2020-01')).toMatchObject({
      status: 400,
      body: { errors: { check: 'No row is in this check any more, so there is nothing to waive' } },
    });
  });

  test('a waiver has its trimmed reason, person, time and rows, and is open again when there are more rows', async () => {
    const check = await checkOf('phoneMissing');
    // Not more rows than there are.
    const reply = await waive({ check: 'phoneMissing', rows: 9, reason: '  Fleet sales ' });
    const waiver = {
      reason: 'Fleet sales',
      rows: 1,
      waivedByName: 'Ada Admin',
      waivedAt: expect.any(String),
    };
    expect(reply).toMatchObject({ status: 200, body: { ...check, waiver } });
    expect(await checkOf('phoneMissing')).toEqual(reply.body);
    const entry = { name: MONTH, check: 'phoneMissing', reason: 'Fleet sales', rows: 1 };
    expect(await newestAudit(server, hashedId('month', MONTH))).toMatchObject({
      action: 'month.waived',
      before: null,
      after: entry,
    });

    await addRow({ customer_number: '' });
    expect(await checkOf('phoneMissing')).toMatchObject({ count: 2, waiver: { rows: 1 } });
    // The caller has not seen the second row.
    expect((await waive({ check: 'phoneMissing', rows: 1, reason: 'Again' })).body.waiver.rows).toBe(1);
    expect((await waive({ check: 'phoneMissing', rows: 2, reason: 'Both' })).body.waiver.rows).toBe(2);
    expect(await newestAudit(server, hashedId('month', MONTH))).toMatchObject({
      before: { ...entry, reason: 'Again' },
      after: { ...entry, reason: 'Both', rows: 2 },
    });
    expect((await checksOf()).filter(({ waiver }) => waiver !== null)).toHaveLength(1);
  });

  test('a waiver for more rows than its reader sees is returned with the rows that they see', async () => {
    const owner = await closer({ columnVisibility: { restrictedToOwn: true } });
    expect(await checkOf('phoneMissing', owner)).toMatchObject({ count: 0, waiver: { rows: 0 } });
  });

  test('a waiver is taken back once, with an audit entry', async () => {
    const path = `DELETE /months/${MONTH}/waivers/phoneMissing`;
    expect((await call(path)).status).toBe(204);
    expect((await call(path)).status).toBe(404);
    expect((await checkOf('phoneMissing')).waiver).toBeNull();
    expect(await newestAudit(server, hashedId('month', MONTH))).toMatchObject({
      action: 'month.waiver-removed',
      before: { name: MONTH, check: 'phoneMissing', reason: 'Both', rows: 2 },
    });
  });

  test('a waiver is a live event of those who enter deals, who see whether a month is closed', async () => {
    const url = await server.app.listen({ port: 0 });
    const streams = await Promise.all([clerk].map(({ token }) => openLiveStream(url, token)));
    const connected = await Promise.all(
      streams.map(({ reader }) => readUntil(reader, (text) => text.includes('event: permissions'))),
    );
    const month = '2023-12';
    await addRow({ month, sale_amount: null });
    await waive({ check: 'saleMissing', rows: 1, reason: 'Later' }, admin, month);
    await call(`DELETE /months/${month}/waivers/saleMissing`);
    const last = await addRow();
    const outputs = await Promise.all(
      streams.map(({ reader }, index) =>
        readUntil(reader, (text) => text.includes(last) && text.endsWith('\n\n'), connected[index]),
      ),
    );
    for (const { stop } of streams) stop();
    const events = outputs.map((output) =>
      [...output.matchAll(/^event: change\ndata: (.*)$/gm)]
        .map(([, data]) => JSON.parse(data!) as LiveEvent)
        .filter(({ recordId }) => recordId === hashedId('month', month))
        .map(({ action }) => action),
    );
    expect(events).toEqual([['updated', 'updated']]);
  });

  test('the checks of a person who loses the feature are refused at once', async () => {
    const lead: Person = await closer();
    expect((await call(`GET /months/${MONTH}`, lead)).status).toBe(200);
    await changePermissions(server, admin, lead, { features: { closeMonths: false } });
    expect((await call(`GET /months/${MONTH}`, lead)).status).toBe(403);
  });
});
