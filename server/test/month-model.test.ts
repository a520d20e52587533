import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import { monthChecks } from '@forecourt/contract/month-checks';
import type { Balance, MonthOverview } from '@forecourt/contract/months';
import { statementKinds } from '@forecourt/contract/statement-kinds';
import type { ClosedStatement, StatementKind } from '@forecourt/contract/statements';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from './app.ts';
import { addDealership } from './builders.ts';
import { seededRandom } from './seeded-random.ts';

const HISTORIES = process.env.LONG_TESTS ? 2000 : 100;
const STEPS = 14;
const MONTHS = ['2024-01', '2024-02', '2024-03', '2024-04'] as const;
const ENOUGH = 1_000_000;

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const people = [admin, await server.person({ name: 'Bea' }), await server.person({ name: 'Cleo' })];
const dealerships = [
  await addDealership(server, admin, { name: 'Harbour New Cars' }),
  await addDealership(server, admin, { name: 'Coast Used Cars' }),
];
for (const [name, value] of [
  ['newSales', 2.5],
  ['usedSales', 1.33],
])
  await server.call(`PUT /settings/user/company/commission.${name}`, { token: admin.token, body: { value } });
const statuses = (await server.call('GET /status-configurations', { token: admin.token })).body.items as {
  _id: string;
  name: string;
  color: string;
}[];
/** The statuses of the histories: one counts always, one never, one changes its meaning. */
const [DEAL, CALLED, TURNING] = [fixedStatuses.deal, fixedStatuses.toCall, fixedStatuses.noDeal];
const nameOf = (id: string) => statuses.find(({ _id }) => _id === id)!.name;
afterAll(() => server.close());

/** Empties what a history leaves, which nobody else can. */
async function forget() {
  const tables = [
    'statements',
    'statement_notes',
    'month_adjustments',
    'statement_adjustments',
    'deals',
    'deal_items',
  ];
  await sql
    .raw(tables.map((table) => `alter table ${table} disable trigger user`).join(';'))
    .execute(server.db);
  await sql`truncate deals, business_months, month_waivers, statements, statement_notes, month_adjustments,
    statement_adjustments, deal_sums, deal_sum_changes, notifications cascade`.execute(server.db);
  await sql
    .raw(tables.map((table) => `alter table ${table} enable trigger user`).join(';'))
    .execute(server.db);
  // The rows of a month are counted before they are closed, so that every check can be waived beforehand.
  await sql`insert into month_waivers (month, "check", reason, rows, waived_by)
    select month, "check", 'Agreed', ${ENOUGH}, ${admin.id}
    from unnest(${MONTHS}::text[]) as month, unnest(${monthChecks}::text[]) as "check"`.execute(server.db);
}

type Row = {
  month: string;
  owner: string;
  dealership: string;
  status: string;
  sale: number | null;
  rate: number;
  isDeleted: boolean;
};
type Sums = Map<string, number>;
const RECIPIENT: Record<StatementKind, (row: Row) => string> = {
  commission: ({ owner }) => owner,
  account: ({ dealership }) => dealership,
};
const AMOUNT: Record<StatementKind, (row: Row) => number> = {
  commission: ({ sale, rate }) => Math.round(Math.round((sale ?? 0) * 100) * rate * 0.01),
  account: ({ sale }) => Math.round((sale ?? 0) * 100),
};
const cents = (amount: number): number => Math.round(amount * 100);
const add = (sums: Sums, key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);

/**
 * A plain model: statements say what the rows say at their close, and what differs since from what the statements of
 * earlier months have said.
 */
function createModel() {
  const rows = new Map<string, Row>();
  const counting = new Set<string>([DEAL, TURNING]);
  /** What the statements of each closed month say of this and of earlier months, by kind, recipient and month. */
  const said = new Map<string, Sums>();
  const figures = (kind: StatementKind, month: string): Sums => {
    const sums: Sums = new Map();
    for (const row of rows.values())
      if (row.month === month && !row.isDeleted && counting.has(row.status))
        add(sums, RECIPIENT[kind](row), AMOUNT[kind](row));
    return sums;
  };
  const saidOf = (kind: StatementKind, month: string): Sums => {
    const sums: Sums = new Map();
    for (const statement of said.values())
      for (const [key, amount] of statement) {
        const [ofKind, recipient, of] = key.split(' ') as [string, string, string];
        if (ofKind === kind && of === month) add(sums, recipient, amount);
      }
    return sums;
  };
  return {
    rows,
    counting,
    closed: () => [...said.keys()].toSorted(),
    figures,
    close(month: string): Sums {
      const sums: Sums = new Map();
      for (const kind of statementKinds) {
        for (const [recipient, amount] of figures(kind, month))
          add(sums, `${kind} ${recipient} ${month}`, amount);
        for (const earlier of said.keys()) {
          const before = saidOf(kind, earlier);
          const now = figures(kind, earlier);
          for (const recipient of new Set([...before.keys(), ...now.keys()]))
            add(
              sums,
              `${kind} ${recipient} ${earlier}`,
              (now.get(recipient) ?? 0) - (before.get(recipient) ?? 0),
            );
        }
      }
      said.set(month, sums);
      return sums;
    },
    reopen: (month: string) => said.delete(month),
  };
}

test(
  `in ${HISTORIES} random histories of changes, closes and reopenings the statements and adjustments are those of a plain model`,
  { timeout: 120_000 + HISTORIES * 5000 },
  async () => {
    const random = seededRandom('month-model');
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const seen: Record<string, number> = {};
    const call = async (route: string, body?: object, by: Person = admin) => {
      const reply = await server.call(route, { token: by.token, body });
      expect(reply.status, `${route} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
      return reply.body;
    };
    const why = { adjustmentReason: 'Corrected' };
    const money = () => pick([null, 0, 0.01, 33.33, 1234.56, 99_999.99]);

    /** The next number, by kind and month. */
    const numbers = new Map<string, number>();
    for (let history = 0; history < HISTORIES; history += 1) {
      await forget();
      await call('PUT /status-configurations/commission', { ids: [DEAL, TURNING] });
      const model = createModel();
      const starts = new Map(numbers);

      const change = async (id: string, body: object) => {
        const deal = await call(`PATCH /deals/${id}`, {
          ...body,
          ...why,
          version: (await call(`GET /deals/${id}`)).version,
        });
        Object.assign(model.rows.get(id)!, { rate: deal.commissionRate });
      };
      /** The steps of a history; undefined if there is nothing to do. */
      const steps: Record<string, () => Promise<unknown> | undefined> = {
        add: async () => {
          const values = {
            month: pick(MONTHS),
            dealership: pick(dealerships),
            status: pick([DEAL, DEAL, CALLED, TURNING]),
            sale: money(),
          };
          const deal = await call('POST /deals', {
            ...why,
            customerName: 'Bob',
            month: values.month,
            dealershipId: values.dealership,
            status: nameOf(values.status),
            saleAmount: values.sale,
          });
          model.rows.set(deal._id, {
            ...values,
            owner: admin.id,
            rate: deal.commissionRate,
            isDeleted: false,
          });
        },
        change: () => {
          const [id, row] = pick([...model.rows].filter(([, { isDeleted }]) => !isDeleted)) ?? [];
          if (!id || !row) return undefined;
          const kind = pick(['sale', 'sale', 'dealership', 'owner', 'status', 'month']);
          const set = (values: Partial<Row>) => Object.assign(row, values);
          if (kind === 'sale') return change(id, { saleAmount: set({ sale: money() }).sale });
          if (kind === 'dealership')
            return change(id, { dealershipId: set({ dealership: pick(dealerships) }).dealership });
          if (kind === 'owner') {
            const { owner } = set({ owner: pick(people).id });
            return call('POST /deals/bulk/owner', { ids: [id], targetUserId: owner, ...why }).then(async () =>
              set({ rate: (await call(`GET /deals/${id}`)).commissionRate }),
            );
          }
          if (kind === 'status') {
            const { status } = set({ status: pick([DEAL, CALLED, TURNING]) });
            return call('POST /deals/bulk/status', { ids: [id], status: nameOf(status), ...why });
          }
          return call('POST /deals/bulk/month', {
            ids: [id],
            month: set({ month: pick(MONTHS) }).month,
            ...why,
          });
        },
        delete: () => {
          const [id, row] = pick([...model.rows]) ?? [];
          if (!id || !row) return undefined;
          row.isDeleted = !row.isDeleted;
          return call(`POST /deals/bulk/${row.isDeleted ? 'delete' : 'restore'}`, { ids: [id], ...why });
        },
        turn: () => {
          if (!model.counting.delete(TURNING)) model.counting.add(TURNING);
          return call('PUT /status-configurations/commission', { ids: [...model.counting], ...why });
        },
        close: () => {
          const month = MONTHS[MONTHS.indexOf(model.closed().at(-1) as (typeof MONTHS)[number]) + 1];
          return month && closeAndCompare(month);
        },
        reopen: () => {
          const month = model.closed().at(-1);
          if (month === undefined) return undefined;
          model.reopen(month);
          return call(`POST /months/${month}/reopen`, { reason: 'Forgot one' });
        },
      };

      const closeAndCompare = async (month: string) => {
        await call(`POST /months/${month}/close`);
        const expected = [...model.close(month)].filter(([, amount]) => amount !== 0);
        const { items } = await call(`GET /statements?month=${month}`);
        const current = items.filter(({ isSuperseded }: ClosedStatement) => !isSuperseded);
        const sums: Sums = new Map();
        for (const { _id } of current) {
          const { kind, recipientId, lines, adjustments, totals }: ClosedStatement = await call(
            `GET /statements/${_id}`,
          );
          for (const { amount } of lines) add(sums, `${kind} ${recipientId} ${month}`, cents(amount));
          for (const { amount, month: of } of adjustments)
            add(sums, `${kind} ${recipientId} ${of}`, cents(amount));
          const all = [...lines, ...adjustments].reduce((sum, { amount }) => sum + cents(amount), 0);
          expect(cents(totals.total)).toBe(all);
          expect(cents(totals.gst) + cents(totals.withoutGst)).toBe(all);
        }
        expect(new Map([...sums].filter(([, amount]) => amount !== 0))).toEqual(new Map(expected));
        for (const kind of statementKinds) {
          const own = items.filter((one: ClosedStatement) => one.kind === kind);
          // A history begins after the last number of the one before, which the audit log still has.
          const first = starts.get(`${kind} ${month}`) ?? 1;
          expect(own.map(({ number }: ClosedStatement) => Number(number.slice(8)))).toEqual(
            own.map((_: unknown, index: number) => first + index),
          );
          numbers.set(`${kind} ${month}`, first + own.length);
        }
      };

      for (let step = 0; step < STEPS; step += 1) {
        const name = pick([
          'add',
          'add',
          'add',
          'change',
          'change',
          'change',
          'delete',
          'turn',
          'close',
          'close',
          'reopen',
        ]);
        await steps[name]!();
        seen[name] = (seen[name] ?? 0) + 1;
      }
      for (const month of model.closed()) {
        const { closing }: MonthOverview = await call(`GET /months/${month}`);
        for (const kind of statementKinds) {
          const { statements, adjustments, rows }: Balance = closing![kind]!;
          const figures = [...model.figures(kind, month).values()].reduce((sum, amount) => sum + amount, 0);
          expect([cents(rows), cents(statements + adjustments)], `${kind} of ${month}`).toEqual([
            figures,
            figures,
          ]);
        }
      }
    }
    process.stdout.write(`month-model: ${HISTORIES} histories, ${JSON.stringify(seen)}\n`);
  },
);
