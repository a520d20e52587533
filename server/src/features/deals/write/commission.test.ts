import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, newestAudit } from '../../../../test/builders.ts';
import { newId } from '../../../platform/ids.ts';
import { prices } from './deal-rates.queries.ts';

/** Dealership ids by the word in their names. */
const at = { new: '', used: '', other: '' };
const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ permissions: { dataEntry: { canAddRows: true, canEditRows: true } } });
const newOwner = await server.person({ name: 'Hal Heir' });
at.new = await addDealership(server, admin, { name: 'Newcastle Motors' });
at.used = await addDealership(server, admin, { name: 'Harbour USED Cars' });
at.other = await addDealership(server, admin, { name: 'Harbour Cars' });
beforeAll(async () => {
  await setRates('company', { newSales: 10, usedSales: 5, defaultSales: 1 });
});
afterAll(() => server.close());

async function setRates(owner: string, rates: { [name: string]: number }): Promise<void> {
  for (const [name, value] of Object.entries(rates)) {
    const route = `PUT /settings/user/${owner}/commission.${name}`;
    expect(await server.call(route, { token: admin.token, body: { value } })).toMatchObject({ status: 200 });
  }
}

const patch = (id: string, body: object) =>
  server.call(`PATCH /deals/${id}`, { token: admin.token, body: { version: 1, ...body } });
const read = async (id: string) => (await server.call(`GET /deals/${id}`, { token: admin.token })).body;

describe('the rate of a row', () => {
  test.each([
    ['new', 10],
    ['used', 5],
    ['other', 1],
  ] as const)(
    'the rate of a row at a dealership whose name says %s is %d percent',
    async (kind, commissionRate) => {
      const deal = await addDeal(server, clerk, at[kind], { saleAmount: 1000 });
      expect(deal).toMatchObject({ commissionRate, commission: commissionRate * 10 });
      expect(await newestAudit(server, deal._id)).toMatchObject({
        after: { commissionRate, commission: commissionRate * 10 },
      });
    },
  );

  test('the rate of a row uses the owner’s own rate if set, for changes by any user', async () => {
    const own = await server.person({ permissions: { dataEntry: { canAddRows: true } } });
    await setRates(own.id, { newSales: 12.25 });
    const deal = await addDeal(server, own, at.new, { saleAmount: 200 });
    expect(deal).toMatchObject({ commissionRate: 12.25, commission: 24.5 });
    const changed = await patch(deal._id, { saleAmount: 400 });
    expect(changed.body).toMatchObject({ commissionRate: 12.25, commission: 49 });
  });

  test('the rate of a row is stored: a later change of the setting applies only when the amount is set again', async () => {
    const earner = await server.person({ permissions: { dataEntry: { canAddRows: true } } });
    const deal = await addDeal(server, earner, at.new, { saleAmount: 100 });
    await setRates(earner.id, { newSales: 20, usedSales: 30 });
    expect(await read(deal._id)).toMatchObject({ commissionRate: 10, commission: 10 });
    const noted = await patch(deal._id, { notes: 'Rang' });
    expect(noted.body).toMatchObject({ commissionRate: 10, commission: 10 });
    const sold = await patch(deal._id, { version: 2, saleAmount: 200 });
    expect(sold.body).toMatchObject({ commissionRate: 20, commission: 40 });
    expect(await newestAudit(server, deal._id)).toMatchObject({
      before: { saleAmount: 100, commissionRate: 10, commission: 10 },
      after: { saleAmount: 200, commissionRate: 20, commission: 40 },
    });
    const moved = await patch(deal._id, { version: 3, dealershipId: at.used });
    expect(moved.body).toMatchObject({ commissionRate: 30, commission: 60 });
  });

  test('the rate of a row follows the owner when rows are transferred, alone or with all records of a user', async () => {
    await setRates(newOwner.id, { usedSales: 7.5 });
    const leaver = await server.person({ permissions: { dataEntry: { canAddRows: true } } });
    const [one, all, sameRate] = [
      await addDeal(server, leaver, at.used, { saleAmount: 100 }),
      await addDeal(server, leaver, at.used, { saleAmount: 300.3 }),
      await addDeal(server, leaver, at.other, { saleAmount: 100 }),
    ];
    const given = await server.call('POST /deals/bulk/owner', {
      token: admin.token,
      body: { ids: [one._id], targetUserId: newOwner.id },
    });
    expect(given.body.items).toMatchObject([{ commissionRate: 7.5, commission: 7.5, version: 2 }]);
    await server.call(`POST /users/${leaver.id}/transfer`, {
      token: admin.token,
      body: { targetUserId: newOwner.id },
    });
    expect(await read(all._id)).toMatchObject({ commissionRate: 7.5, commission: 22.52, version: 2 });
    expect(await newestAudit(server, all._id)).toMatchObject({
      action: 'deal.transferred',
      before: { owner: leaver.id, commissionRate: 5, commission: 15.02 },
      after: { owner: newOwner.id, commissionRate: 7.5, commission: 22.52 },
    });
    expect((await newestAudit(server, sameRate._id))!.after).toEqual({
      owner: newOwner.id,
      sharedWith: [],
      reason: '',
    });
  });

  test('the rate of a row is stored without a sale amount, and the commission is empty', async () => {
    expect(await addDeal(server, clerk, at.used)).toMatchObject({ commissionRate: 5, commission: null });
  });
});

describe('a row without a rate', () => {
  const WITHOUT = '/deals/without-rate';
  const newKey = () => newId().replaceAll('-', '');
  const preview = async () => (await server.call(`GET ${WITHOUT}`, { token: admin.token })).body;
  const apply = (body: object, by = admin) => server.call(`POST ${WITHOUT}`, { token: by.token, body });
  const summary = async (owner: string) =>
    (await server.call(`GET /deals/summary?owner=${owner}`, { token: admin.token })).body;
  let ann: Person;
  let zed: Person;
  beforeAll(async () => {
    const rights = { permissions: { dataEntry: { canAddRows: true, canEditRows: true } } };
    ann = await server.person({ name: 'Ann Early', ...rights });
    zed = await server.person({ name: 'Zed Early', ...rights });
    for (const name of ['newSales', 'usedSales', 'defaultSales'])
      await server.call(`DELETE /settings/user/company/commission.${name}`, { token: admin.token });
  });

  test('a row without a rate has none in every way of writing, and figures show it', async () => {
    const won = { saleAmount: 1000.05, status: 'Deal' };
    const one = await addDeal(server, ann, at.new, won);
    expect(one).toMatchObject({ commissionRate: null, commission: null });
    expect(await newestAudit(server, one._id)).toMatchObject({ after: { commissionRate: null } });
    const { body: changed } = await patch(one._id, { saleAmount: 1000.1 });
    expect(changed).toMatchObject({ commissionRate: null, commission: null });
    const row = { dealershipId: at.used, customerName: 'Ann', ...won };
    const many = await server.call('POST /deals/bulk/create', {
      token: zed.token,
      body: {
        rows: [
          { key: newKey(), deal: row },
          { key: newKey(), deal: { ...row, status: 'No deal' } },
        ],
      },
    });
    expect(many.body.items).toMatchObject([
      { deal: { commissionRate: null } },
      { deal: { commissionRate: null } },
    ]);
    expect(await summary(ann.id)).toMatchObject({ commission: null, withoutRate: 1 });
    expect(await preview()).toMatchObject({ deals: 0, commission: 0, stillWithout: 3 });
  });

  test('a row without a rate gets one from administrators only', async () => {
    expect(await server.call(`GET ${WITHOUT}`, { token: clerk.token })).toMatchObject({ status: 403 });
    expect(await apply({ deals: 0, commission: 0 }, clerk)).toMatchObject({ status: 403 });
  });

  test('a row without a rate gets the current rate, as previewed by person, and no other row changes', async () => {
    await setRates('company', { newSales: 8 });
    await setRates(zed.id, { usedSales: 10 });
    const before = await preview();
    expect(before).toEqual({
      deals: 3,
      commission: 180.02,
      stillWithout: 0,
      people: [
        { owner: ann.id, ownerName: 'Ann Early', deals: 1, commission: 80.01, stillWithout: 0 },
        // A row with a status that does not count gets its rate and adds no commission.
        { owner: zed.id, ownerName: 'Zed Early', deals: 2, commission: 100.01, stillWithout: 0 },
      ],
    });
    const rated = await addDeal(server, ann, at.new, { saleAmount: 50, status: 'Deal' });
    await setRates('company', { newSales: 9 });
    expect(await apply({ deals: 3, commission: 180.02 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { deals: 3, commission: 190.02 } },
    });
    expect(await summary(ann.id)).toMatchObject({ commission: 4, withoutRate: 1 });
    expect(await apply({ deals: 3, commission: 190.02 })).toMatchObject({ status: 200, body: { deals: 3 } });
    expect(await summary(ann.id)).toMatchObject({ commission: 94.01, withoutRate: 0 });
    expect(await read(rated._id)).toMatchObject({ commissionRate: 8, commission: 4, version: 1 });
    const { body } = await server.call(`GET /deals?owner=${zed.id}`, { token: admin.token });
    for (const deal of body.items) {
      expect(deal).toMatchObject({ commissionRate: 10, commission: 100.01, version: 2 });
      expect(await newestAudit(server, deal._id)).toMatchObject({
        action: 'deal.updated',
        actor_id: admin.id,
        version: 2,
        before: { commissionRate: null, commission: null },
        after: { commissionRate: 10, commission: 100.01 },
      });
    }
    expect(await preview()).toEqual({ deals: 0, commission: 0, stillWithout: 0, people: [] });
  });
});

describe('computed money in a request', () => {
  test('computed money in a request is ignored if unchanged, and refused otherwise', async () => {
    const deal = await addDeal(server, admin, at.new, { saleAmount: 100, costAmount: 40 });
    const { commissionRate, commission, grossProfit } = deal;
    const same = await patch(deal._id, { commissionRate, commission, grossProfit });
    expect(same).toMatchObject({ status: 200, body: { version: 1 } });
    for (const field of ['commissionRate', 'commission', 'grossProfit']) {
      expect(await patch(deal._id, { [field]: 99 })).toMatchObject({
        status: 400,
        body: { errors: { [field]: 'This is computed and cannot be typed' } },
      });
    }
    const post = await server.call('POST /deals', {
      token: admin.token,
      body: { dealershipId: at.new, customerName: 'Ann', commission: 5 },
    });
    expect(post).toMatchObject({ status: 400, body: { errors: { commission: 'Unknown field' } } });
  });

  test('computed money in a request is absent for users without its column', async () => {
    const deal = await addDeal(server, admin, at.new, { saleAmount: 100 });
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['customerName', 'saleAmount'] };
    const short = await server.person({ permissions: { dataEntry: { columnVisibility } } as never });
    const { body } = await server.call(`GET /deals/${deal._id}`, { token: short.token });
    expect(body.saleAmount).toBe(100);
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['commission']));
    const summary = await server.call('GET /deals/summary', { token: short.token });
    expect(summary.body.commission).toBeUndefined();
  });
});

/** Returns the commission in cents, computed with integers. `hundredths` are hundredths of a percent. */
const exactly = (cents: bigint, hundredths: bigint): bigint => (cents * hundredths + 5_000n) / 10_000n;

const cents = fc.integer({ min: 0, max: 999_999_999_999 });
const hundredths = fc.integer({ min: 0, max: 10_000 });

describe('of any amounts', () => {
  test('commission is sale x rate / 100 with half a cent rounded up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cents, hundredths), { minLength: 1, maxLength: 200 }),
        async (pairs) => {
          const { rows } = await sql<{ commission: string }>`
          select (commission_of(sale::numeric / 100, rate::numeric / 100) * 100)::bigint::text as commission
          from unnest(${pairs.map(([sale]) => sale)}::bigint[], ${pairs.map(([, rate]) => rate)}::bigint[])
            as pairs (sale, rate)`.execute(server.db);
          expect(rows.map(({ commission }) => BigInt(commission))).toEqual(
            pairs.map(([sale, rate]) => exactly(BigInt(sale), BigInt(rate))),
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([
    [0.5, 1, 0.01],
    [0.49, 1, 0],
    [1005, 10, 100.5],
    [33.35, 10, 3.34],
    [9_999_999_999.99, 100, 9_999_999_999.99],
  ])('a sale of %d at %d percent earns %d', async (saleAmount, rate, commission) => {
    const rates = { newSales: rate, usedSales: rate, defaultSales: rate };
    const dealershipId = at.other;
    expect(await prices(server.db, [{ ...rates, dealershipId, saleAmount }])).toEqual([
      { commissionRate: rate, commission },
    ]);
  });

  test('the rate depends on the name only: new before used before the default, in any case', async () => {
    const part = fc.constantFrom(
      'new',
      'NEW',
      'New',
      'used',
      'Used',
      'n-ew',
      'us ed',
      'Cars',
      ' ',
      'é',
      'NeWuSeD',
    );
    const rates = { newSales: 3, usedSales: 2, defaultSales: 1 };
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const name = parts.join('');
        await server.db.updateTable('dealerships').set({ name }).where('id', '=', at.other).execute();
        const expected = /new/i.test(name) ? 3 : /used/i.test(name) ? 2 : 1;
        const found = await prices(server.db, [{ ...rates, dealershipId: at.other, saleAmount: null }]);
        expect(found, name).toEqual([{ commissionRate: expected, commission: null }]);
      }),
      { numRuns: 60 },
    );
  });

  test('the sums agree with the rows to the cent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cents, cents, hundredths, fc.boolean()), { minLength: 1, maxLength: 60 }),
        async (amounts) => {
          await server.db.deleteFrom('deals').where('month', '=', '2019-01').execute();
          const row = {
            // The status Deal counts for commission.
            status_id: '01930000-0000-7000-8000-000000000003',
            dealership_id: at.other,
            customer_name: 'Ann',
            month: '2019-01',
            owner_id: admin.id,
            created_by: admin.id,
            updated_by: admin.id,
          };
          const rows = amounts.map(([sale, cost, rate, isSold]) => ({
            ...row,
            id: newId(),
            sale_amount: isSold ? sale / 100 : null,
            cost_amount: cost / 100,
            commission_rate: rate / 100,
          }));
          await server.db.insertInto('deals').values(rows).execute();
          const list = await server.call('GET /deals?month=2019-01', { token: admin.token });
          const sums = await server.call('GET /deals/summary?month=2019-01', { token: admin.token });
          const total = (field: string): number =>
            list.body.items.reduce(
              (sum: number, deal: Record<string, number | null>) =>
                sum + Math.round((deal[field] ?? 0) * 100),
              0,
            ) / 100;
          for (const field of ['saleAmount', 'grossProfit', 'commission'])
            expect(sums.body[field], field).toBe(total(field));
        },
      ),
      { numRuns: 15 },
    );
  });
});
