import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';
import { monthsUpTo } from '../dashboard/dashboard.service.ts';

/** Grid, dashboard and reports return the same figures to the cent for any rows (docs/product/exports-and-reports.md, Figures). */

let people: Person[];
let dealerships: string[];
let statuses: { id: string; name: string }[];
let items: string[];
let months: string[];
const server = await testApp();
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
beforeAll(async () => {
  people = [
    ada,
    await server.person({ name: 'Kim Novak', permissions: KIM }),
    await server.person({ name: 'Lee Long' }),
  ];
  dealerships = [
    await addDealership(server, ada, { name: 'Harbour New Cars' }),
    await addDealership(server, ada, { name: 'Inland Used Cars' }),
  ];
  statuses = await server.db.selectFrom('statuses').orderBy('position').select(['id', 'name']).execute();
  items = [];
  for (const name of ['Tint', 'Dash cam']) {
    const { body } = await server.call('POST /item-configurations', { token: ada.token, body: { name } });
    items.push(body._id);
  }
  await server.call('PUT /settings/user/company/commission.newSales', {
    token: ada.token,
    body: { value: 10 },
  });
  const { body } = await server.call('GET /deals/options', { token: ada.token });
  months = monthsUpTo(body.currentMonth, 3);
});
afterAll(() => server.close());

/** Kim sees only her own rows. */
const KIM = { dataEntry: { columnVisibility: { restrictedToOwn: true } as never } };

const cents = fc.option(fc.integer({ min: 0, max: 99_999_999 }), { nil: null, freq: 4 });
const row = fc.record({
  month: fc.nat(2),
  dealership: fc.nat(1),
  owner: fc.nat(2),
  status: fc.nat(5),
  sale: cents,
  cost: cents,
  rate: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: null, freq: 4 }),
  items: fc.uniqueArray(fc.nat(1)),
  isDeleted: fc.integer({ min: 0, max: 9 }).map((lot) => lot === 0),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

async function store(rows: readonly Row[]): Promise<void> {
  await server.db.deleteFrom('deals').execute();
  if (rows.length === 0) return;
  const stored = rows.map((each) => ({ id: newId(), ...each }));
  await server.db
    .insertInto('deals')
    .values(
      stored.map((each) => ({
        id: each.id,
        customer_name: 'Ann Example',
        month: months[each.month]!,
        dealership_id: dealerships[each.dealership]!,
        status_id: statuses[each.status]!.id,
        owner_id: people[each.owner]!.id,
        created_by: ada.id,
        updated_by: ada.id,
        sale_amount: each.sale === null ? null : each.sale / 100,
        cost_amount: each.cost === null ? null : each.cost / 100,
        commission_rate: each.rate === null ? null : each.rate / 100,
        deleted_at: each.isDeleted ? new Date() : null,
      })),
    )
    .execute();
  const sold = stored.flatMap((each) =>
    each.items.map((item, position) => ({
      deal_id: each.id,
      position,
      item_id: items[item]!,
      name: 'Item',
      quantity: 2,
      unit_price: 10.05,
    })),
  );
  if (sold.length > 0) await server.db.insertInto('deal_items').values(sold).execute();
}

/** By status: undecided, which counts, or the decision of an administrator. */
const counting = fc.tuple(...Array.from({ length: 6 }, () => fc.constantFrom(null, true, false)));

async function count(decisions: readonly (boolean | null)[]): Promise<void> {
  for (const [index, counts] of decisions.entries())
    await server.db
      .updateTable('statuses')
      .set({ counts_for_commission: counts })
      .where('id', '=', statuses[index]!.id)
      .execute();
}

/** Computes the figures again from the stored rows, in whole cents. */
function figuresOf(rows: readonly Row[], decisions: readonly (boolean | null)[]) {
  const sum = (amount: (each: Row) => number) => rows.reduce((total, each) => total + amount(each), 0) / 100;
  const having = (name: string) => rows.filter(({ status }) => statuses[status]!.name === name).length;
  const [won, lost] = [having('Deal'), having('No deal')];
  const counted = rows.filter(({ sale, status }) => sale !== null && decisions[status] !== false);
  const isUnknown = counted.length > 0 && counted.every(({ rate }) => rate === null);
  return {
    deals: rows.length,
    saleAmount: sum(({ sale }) => sale ?? 0),
    grossProfit: sum(({ sale, cost }) => (sale === null || cost === null ? 0 : sale - cost)),
    withoutRate: rows.filter(
      ({ sale, rate, status }) => sale !== null && rate === null && decisions[status] !== false,
    ).length,
    // Half a cent and more is rounded up. Both are whole numbers, so that no precision is lost.
    commission: isUnknown
      ? null
      : sum(({ sale, rate, status }) =>
          sale === null || rate === null || decisions[status] === false
            ? 0
            : Number((BigInt(sale) * BigInt(rate) + 5000n) / 10_000n),
        ),
    won,
    lost,
    conversion: won + lost === 0 ? null : Math.round((won / (won + lost)) * 1000) / 10,
  };
}

const get = async (path: string, by = ada) => {
  const reply = await server.call(`GET ${path}`, { token: by.token });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 });
  return reply.body;
};

const groups = {
  month: (each: Row) => months[each.month]!,
  dealership: (each: Row) => dealerships[each.dealership]!,
  owner: (each: Row) => people[each.owner]!.id,
  status: (each: Row) => statuses[each.status]!.id,
};

test('the totals of grid, dashboard, reports and statements agree to the cent on any rows', async () => {
  const seed = Number(process.env['SEED'] ?? 1);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), counting, async (all, decisions) => {
      await store(all);
      await count(decisions);
      const expected = (some: readonly Row[]) => figuresOf(some, decisions);
      const rows = all.filter(({ isDeleted }) => !isDeleted);
      const ofMonth = (index: number) => rows.filter(({ month }) => month === index);
      const period = `from=${months[0]}&to=${months[2]}`;

      const dashboard = await get('/dashboard');
      expect(dashboard.thisMonth).toMatchObject(expected(ofMonth(2)));
      expect(dashboard.lastMonth).toMatchObject(expected(ofMonth(1)));
      for (const index of [0, 1, 2]) {
        const figures = expected(ofMonth(index));
        expect(dashboard.trend.at(index - 3)).toMatchObject({ month: months[index], ...figures });
        const { total, byStatus, ...sums } = await get(`/deals/summary?month=${months[index]}`);
        const { deals, saleAmount, grossProfit, commission, withoutRate } = figures;
        expect({ total, ...sums }).toEqual({
          total: deals,
          saleAmount,
          grossProfit,
          commission,
          withoutRate,
        });
        if (index === 2) expect(dashboard.thisMonth.byStatus).toEqual(byStatus);
      }

      for (const [by, keyOf] of Object.entries(groups)) {
        const report = await get(`/reports?by=${by}&${period}`);
        expect(report.total).toMatchObject(expected(rows));
        const keys = [...new Set(rows.map(keyOf))].sort();
        expect(report.rows.map(({ key }: { key: string }) => key).sort()).toEqual(keys);
        for (const line of report.rows)
          expect(line, by).toMatchObject(expected(rows.filter((each) => keyOf(each) === line.key)));
      }

      const byItem = await get(`/reports?by=item&${period}`);
      expect(byItem.total).toMatchObject(expected(rows));
      for (const line of byItem.rows) {
        const having = rows.filter(({ items: sold }) =>
          line.key === null ? sold.length === 0 : sold.some((item) => items[item] === line.key),
        );
        expect(line).toMatchObject(expected(having));
        const each = line.key === null ? 0 : having.length;
        expect([line.quantity, line.itemAmount]).toEqual([each * 2, (each * 2010) / 100]);
      }

      const kim = people[1]!.id;
      const ofKim = ofMonth(2).filter(({ owner }) => owner === 1);
      expect((await get('/dashboard', people[1])).thisMonth).toMatchObject(expected(ofKim));
      expect((await get(`/reports?by=dealership&${period}`, people[1])).total).toMatchObject(
        expected(rows.filter(({ owner }) => owner === 1)),
      );
      if (ofKim.length === 0) return;
      const statement = await get(`/reports/commission-statement?owner=${kim}&month=${months[2]}`);
      const { commission, withoutRate } = expected(ofKim);
      const sum = (name: string) =>
        statement.rows.reduce((cents: number, row: never) => cents + Math.round(row[name] * 100), 0) / 100;
      expect(statement.total).toEqual({
        deals: statement.rows.length,
        saleAmount: sum('saleAmount'),
        commission,
        withoutRate,
      });
      expect(sum('commission')).toBe(commission ?? 0);
      // The statements of all people contain the same, and nobody who earns nothing.
      const { statements } = await get(`/reports/commission-statements?month=${months[2]}`);
      const { companyName: _companyName, asOf: _asOf, month: _month, ...own } = statement;
      expect(statements.find(({ owner }: { owner: string }) => owner === kim)).toEqual(
        own.rows.length > 0 ? own : undefined,
      );
      expect(statements.every(({ rows }: { rows: unknown[] }) => rows.length > 0)).toBe(true);
    }),
    { seed, numRuns: process.env['LONG_TESTS'] ? 200 : 12 },
  );
});
