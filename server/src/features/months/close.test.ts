import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import type { MonthOverview } from '@forecourt/contract/months';
import type { ClosedStatement, StatementEntry } from '@forecourt/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership, changePermissions, newestAudit } from '../../../test/builders.ts';
import { hashedId, newId } from '../../platform/ids.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const lead = await server.person({
  name: 'Lee Lead',
  permissions: { features: { closeMonths: true } } as never,
});
const clerk = await server.person({
  name: 'Cleo Clerk',
  permissions: {
    features: { bulkEdit: true },
    dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true, canChangeOwnership: true },
  } as never,
});
const dealership = await addDealership(server, admin, { name: 'Harbour New Cars' });
const other = await addDealership(server, admin, { name: 'Coast Used Cars' });
await server.call('PUT /settings/user/company/commission.newSales', {
  token: admin.token,
  body: { value: 2 },
});
await server.call('PUT /settings/user/company/commission.usedSales', {
  token: admin.token,
  body: { value: 1 },
});
afterAll(() => server.close());

const call = (route: string, by: Person = admin, body?: object) =>
  server.call(route, { token: by.token, body });
const overviewOf = async (month: string): Promise<MonthOverview> => (await call(`GET /months/${month}`)).body;

/** Waives all open checks of a month and closes it. */
async function close(month: string, by: Person = admin): Promise<MonthOverview> {
  for (const { key, count, waiver } of (await overviewOf(month)).checks)
    if (count > (waiver?.rows ?? 0))
      await call(`POST /months/${month}/waive`, admin, { check: key, rows: count, reason: 'Agreed' });
  const reply = await call(`POST /months/${month}/close`, by);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

const listOf = async (query: string, by: Person = admin): Promise<StatementEntry[]> =>
  (await call(`GET /statements?${query}`, by)).body.items;
const statementOf = async (entry: { _id: string }, by: Person = admin): Promise<ClosedStatement> =>
  (await call(`GET /statements/${entry._id}`, by)).body;

const sold = (by: Person, month: string, values: object = {}, at = dealership) =>
  addDeal(server, by, at, { month, status: 'Deal', customerName: 'Bob Buyer', ...values });
const change = (by: Person, id: string, body: object) => call(`PATCH /deals/${id}`, by, body);
const read = async (id: string) => (await call(`GET /deals/${id}`)).body;

/** Fails unless statements and adjustments of a closed month add up to its rows, to the cent. */
async function expectBalanced(month: string) {
  const { closing } = await overviewOf(month);
  const [commission, account] = [closing!.commission!, closing!.account!];
  for (const { statements, adjustments, rows } of [commission, account])
    expect(Math.round((statements + adjustments) * 100)).toBe(Math.round(rows * 100));
  return { commission, account };
}

describe('the close of a month', () => {
  test('the close of a month freezes a numbered statement for each person and dealership', async () => {
    const month = '2024-01';
    const { _id: id } = await sold(clerk, month, { saleAmount: 1100, dealNumber: 'D-1' });
    await sold(clerk, month, { saleAmount: 550.55 }, other);
    await sold(admin, month, { saleAmount: 200, customerName: 'Zoe' });
    await sold(clerk, month, { saleAmount: 999, status: 'Called' });
    const closed = await close(month, lead);
    expect(closed).toMatchObject({
      state: 'closed',
      closing: {
        closedByName: 'Lee Lead',
        commission: { statements: 31.51, adjustments: 0, rows: 31.51 },
        account: { statements: 1850.55, adjustments: 0, rows: 1850.55 },
      },
      abilities: { close: 'IS_CLOSED', reopen: 'ONLY_ADMINISTRATORS' },
    });
    const entries = await listOf(`month=${month}`);
    expect(
      entries.map(({ kind, number, recipientName, totals }) => [kind, number, recipientName, totals.total]),
    ).toEqual([
      ['commission', '2024-01-001', 'Ada Admin', 4],
      ['commission', '2024-01-002', 'Cleo Clerk', 27.51],
      ['account', '2024-01-001', 'Coast Used Cars', 550.55],
      ['account', '2024-01-002', 'Harbour New Cars', 1300],
    ]);
    const statement = await statementOf(entries[1]!);
    expect(statement).toMatchObject({
      recipientId: clerk.id,
      lines: [
        {
          dealId: id,
          customerName: 'Bob Buyer',
          dealNumber: 'D-1',
          dealershipName: 'Harbour New Cars',
          amount: 22,
        },
        { dealershipName: 'Coast Used Cars', saleAmount: 550.55, commissionRate: 1, amount: 5.51 },
      ],
      adjustments: [],
      totals: { lines: 27.51, adjustments: 0, total: 27.51, gstRate: 10, gst: 2.5, withoutGst: 25.01 },
      isSuperseded: false,
    });
    expect(statement.waivers).toContainEqual(
      expect.objectContaining({ check: 'openStatus', rows: 1, reason: 'Agreed' }),
    );
    expect(await newestAudit(server, hashedId('month', month))).toMatchObject({
      action: 'month.closed',
      after: { name: month, commission: 2, account: 2 },
    });
    const { body: told } = await call('GET /notifications', clerk);
    expect(told.items[0]).toMatchObject({
      kind: 'statement',
      recordId: entries[1]!._id,
      month,
      byName: 'Lee Lead',
    });
  });

  test('the close of a month is refused while a check is open, out of order, for a future month and without the right', async () => {
    await sold(admin, '2024-02', { saleAmount: 1 });
    const open = await call('POST /months/2024-02/close');
    expect(open).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Nothing was closed') },
    });
    expect(open.body.current).toContainEqual({ check: 'costMissing' });
    expect(await call('POST /months/2024-02/close', clerk)).toMatchObject({ status: 403 });
    const refused = async (month: string) => (await call(`POST /months/${month}/close`)).body.details;
    expect(await refused('2024-01')).toBe('IS_CLOSED');
    expect(await refused('2024-03')).toBe('EARLIER_IS_OPEN');
    expect(await refused('2099-01')).toBe('FUTURE_MONTH');
    await close('2024-02');
    expect(
      (await call('POST /months/2024-02/waive', admin, { check: 'costMissing', rows: 1, reason: 'x' }))
        .status,
    ).toBe(409);
    expect((await call('DELETE /months/2024-02/waivers/costMissing')).status).toBe(409);
  });
});

describe('a statement', () => {
  test('a statement is read by its person and by those who may close months, without hidden columns', async () => {
    const [admins, clerks, account] = (await listOf('month=2024-01')) as [
      StatementEntry,
      StatementEntry,
      StatementEntry,
    ];
    expect((await listOf('month=2024-01', clerk)).map(({ _id }) => _id)).toEqual([clerks._id]);
    expect(await statementOf(clerks, clerk)).toMatchObject({
      abilities: { see: true, query: true, answer: 'NO_QUERY' },
    });
    for (const { _id } of [admins, account])
      expect((await call(`GET /statements/${_id}`, clerk)).status).toBe(404);
    await changePermissions(server, admin, clerk, {
      dataEntry: {
        columnVisibility: { viewAllColumns: false, visibleColumns: ['commission', 'dealNumber'] },
      },
    });
    expect((await statementOf(clerks, clerk)).lines[0]).toEqual({
      dealId: expect.any(String),
      date: expect.any(String),
      dealNumber: 'D-1',
      amount: 22,
    });
    await changePermissions(server, admin, clerk, {
      dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns: ['dealNumber'] } },
    });
    expect((await call(`GET /statements/${clerks._id}`, clerk)).status).toBe(404);
    expect(await listOf('', clerk)).toEqual([]);
    await changePermissions(server, admin, clerk, {
      dataEntry: { columnVisibility: { viewAllColumns: true } },
    });
  });

  test('a person marks their statement as seen and asks about it, and who closes months answers', async () => {
    const [, { _id: id }] = (await listOf('month=2024-01')) as [StatementEntry, StatementEntry];
    const act = (what: string, by: Person, text?: string) =>
      call(`POST /statements/${id}/${what}`, by, text === undefined ? undefined : { text });
    expect((await act('seen', lead)).body).toMatchObject({
      code: 'INSUFFICIENT_PERMISSIONS',
      details: 'NOT_YOURS',
    });
    expect((await act('seen', clerk)).body).toMatchObject({
      notes: [{ kind: 'seen', byName: 'Cleo Clerk' }],
    });
    expect((await act('seen', clerk)).body.details).toBe('IS_SEEN');
    expect((await act('answer', lead, 'Hm')).body.details).toBe('NO_QUERY');
    expect((await act('query', clerk, ' ')).body.errors).toEqual({ text: 'Enter a text' });
    expect((await act('query', clerk, 'Where is the Ute?')).status).toBe(200);
    expect((await call('GET /notifications', lead)).body.items[0]).toMatchObject({
      kind: 'statementQuery',
      recordId: id,
    });
    expect((await listOf('month=2024-01'))[1]).toMatchObject({ isSeen: true, isQueried: true });
    expect((await act('answer', clerk, 'x')).status).toBe(403);
    const answered = await act('answer', lead, 'It is in February.');
    expect(answered.body.notes.map(({ kind, text }: { kind: string; text: string }) => [kind, text])).toEqual(
      [
        ['seen', ''],
        ['query', 'Where is the Ute?'],
        ['answer', 'It is in February.'],
      ],
    );
    expect((await call('GET /notifications', clerk)).body.items[0]).toMatchObject({
      kind: 'statementAnswer',
    });
    expect((await listOf('month=2024-01'))[1]).toMatchObject({ isQueried: false });
  });
});

describe('after the close', () => {
  const month = '2024-03';
  const later = '2024-04';
  let rows: string[] = [];
  let mergeable: string[] = [];
  let gone = '';
  let unrated = '';

  let pasted = '';
  let status = '';
  let leaver: Person;
  let backup = '';

  beforeAll(async () => {
    await call('PUT /permissions/user/' + clerk.id, admin, {});
    const { body: item } = await call('POST /item-configurations', admin, { name: 'Tint', price: 100 });
    const add = async (values: object = {}) =>
      (await sold(clerk, month, { saleAmount: 100, ...values }))._id as string;
    rows = await Promise.all(
      Array.from({ length: 12 }, () => add({ items: [{ itemId: item._id, quantity: 2 }], saleAmount: 100 })),
    );
    mergeable = [await add({ dealNumber: 'M-1' }), await add({ dealNumber: 'M-1', saleAmount: 60 })];
    gone = await add();
    await call(`DELETE /deals/${gone}`, clerk);
    unrated = await add();
    await sql`update deals set commission_rate = null where id = ${unrated}`.execute(server.db);
    await add({ dealNumber: 'I-1' });
    const set = { 'x-change-set': 'paste later' };
    const { body } = await server.call('POST /deals/bulk/create', {
      token: clerk.token,
      headers: set,
      body: {
        rows: [
          {
            key: newId().replaceAll('-', ''),
            deal: { dealershipId: dealership, customerName: 'Pat', month, status: 'Deal', saleAmount: 70 },
          },
        ],
      },
    });
    pasted = body.items[0].deal._id;
    const { body: made } = await call('POST /status-configurations', admin, {
      name: 'Ordered',
      color: '#2f6fb2',
      countsForCommission: true,
    });
    status = made._id;
    await add({ status: 'Ordered', saleAmount: 300 });
    leaver = await server.person({
      name: 'Gone Gil',
      permissions: { dataEntry: { canAddRows: true } } as never,
    });
    await sold(leaver, month, { saleAmount: 80 });
    const { body: making } = await call('POST /backups');
    backup = making.name;
    await vi.waitUntil(async () => (await call(`GET /jobs/${making.jobId}`)).body.status === 'succeeded', {
      timeout: 60_000,
    });
    await call(`PATCH /deals/${rows[11]}`, clerk, {
      notes: 'x',
      saleAmount: 90,
      version: (await read(rows[11]!)).version,
    });
    await close(month);
  });

  /** The calls that change money of the closed month, by their name; each gets what its path needs. */
  const paths: Record<string, () => Promise<{ route: string; body?: object; by?: Person }>> = {
    'a cell': async () => ({
      route: `PATCH /deals/${rows[0]}`,
      body: { saleAmount: 120, version: (await read(rows[0]!)).version },
    }),
    'the cost': async () => ({
      route: `PATCH /deals/${rows[0]}`,
      body: { costAmount: 20, version: (await read(rows[0]!)).version },
    }),
    'a form with items': async () => ({
      route: `PATCH /deals/${rows[1]}`,
      body: { items: [], notes: 'Without tint', version: (await read(rows[1]!)).version },
    }),
    'another dealership': async () => ({
      route: `PATCH /deals/${rows[2]}`,
      body: { dealershipId: other, version: (await read(rows[2]!)).version },
    }),
    'another owner': async () => ({
      route: 'POST /deals/bulk/owner',
      body: { ids: [rows[3]], targetUserId: admin.id },
    }),
    'a status that does not count': async () => ({
      route: 'POST /deals/bulk/status',
      body: { ids: [rows[4]], status: 'Called' },
    }),
    'another month': async () => ({
      route: 'POST /deals/bulk/month',
      body: { ids: [rows[5]], month: later },
    }),
    'a deletion': async () => ({ route: `DELETE /deals/${rows[6]}` }),
    'a deletion of several': async () => ({ route: 'POST /deals/bulk/delete', body: { ids: [rows[7]] } }),
    'a restored row': async () => ({ route: 'POST /deals/bulk/restore', body: { ids: [gone] } }),
    'a new row': async () => ({
      route: 'POST /deals',
      body: { dealershipId: dealership, customerName: 'New', month, status: 'Deal', saleAmount: 10 },
    }),
    'a pasted row': async () => ({
      route: 'POST /deals/bulk/create',
      body: {
        rows: [
          {
            key: newId().replaceAll('-', ''),
            deal: { dealershipId: dealership, customerName: 'Pasted', month, status: 'Deal', saleAmount: 11 },
          },
        ],
      },
    }),
    'an import': async () => ({
      route: 'POST /deals/import',
      body: {
        rows: [{ dealershipId: dealership, customerName: 'Imported', month, status: 'Deal', saleAmount: 12 }],
      },
    }),
    'an import that updates': async () => ({
      route: 'POST /deals/import',
      body: { mode: 'update', matchBy: 'dealNumber', rows: [{ dealNumber: 'I-1', saleAmount: 130 }] },
    }),
    'a merge': async () => ({
      route: 'POST /deals/merge',
      body: { survivor: mergeable[0], others: [mergeable[1]] },
    }),
    'a revert': async () => ({
      route: `POST /changes/${(await call(`GET /changes?dealId=${pasted}`, clerk)).body.items[0]._id}/revert`,
      body: {},
    }),
    'rates for rows without one': async () => {
      const { deals, commission } = (await call('GET /deals/without-rate')).body;
      return { route: 'POST /deals/without-rate', body: { deals, commission }, by: admin };
    },
    'a status that ceases to count': async () => {
      const { body } = await call(`GET /status-configurations/${status}`);
      return {
        route: `PUT /status-configurations/${status}`,
        body: { name: body.name, color: body.color, countsForCommission: false, version: body.version },
        by: admin,
      };
    },
    'a status that counts again': async () => {
      const { items } = (await call('GET /status-configurations')).body;
      const ids = items
        .filter(
          (one: { _id: string; countsForCommission: boolean }) =>
            one.countsForCommission || one._id === status,
        )
        .map((one: { _id: string }) => one._id);
      return { route: 'PUT /status-configurations/commission', body: { ids }, by: admin };
    },
    'the replacement of a status': async () => ({
      route: `DELETE /status-configurations/${status}?replacement=${fixedStatuses.toCall}`,
      by: admin,
    }),
    'rows of a backup': async () => ({
      route: `POST /backups/${backup}/rows/copy`,
      body: { rows: [rows[11]] },
      by: admin,
    }),
  };

  test.each(Object.keys(paths))(
    'a change of money in a closed month by %s is refused without a reason and adjusted with one',
    async (name) => {
      const { route, body, by = clerk } = await paths[name]!();
      const stored = () =>
        sql`select id, version, month, sale_amount, cost_amount, owner_id, dealership_id, status_id, deleted_at from deals order by id`.execute(
          server.db,
        );
      const before = (await stored()).rows;
      const refused = await call(route, by, body);
      expect(refused, JSON.stringify(refused.body)).toMatchObject({
        status: 403,
        body: {
          code: 'MONTH_CLOSED',
          message: expect.stringContaining('March 2024 is closed'),
          details: { month, askWhom: ['Lee Lead', 'Ada Admin'] },
        },
      });
      expect((await stored()).rows).toEqual(before);
      const counts = async () =>
        (await sql<{ count: number }>`select count(*)::int from month_adjustments`.execute(server.db))
          .rows[0]!.count;
      const adjustments = await counts();
      if (by === clerk) {
        // The reason counts only for those who have the right.
        const again = await call(route, clerk, { ...body, adjustmentReason: 'I say so' });
        expect(again.body.code).toBe('MONTH_CLOSED');
      }
      expect(await counts()).toBe(adjustments);
      const done = await call(route, admin, {
        ...body,
        adjustmentReason: 'The customer paid less',
      });
      expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
      expect(await counts()).toBeGreaterThan(adjustments);
      await expectBalanced(month);
    },
  );

  test('a transfer of all that a person owns leaves the rows of closed months, whose commission was paid', async () => {
    const { _id: open } = await sold(leaver, later, { saleAmount: 70 });
    const { _id: paid } = await server.db
      .selectFrom('deals')
      .where('owner_id', '=', leaver.id)
      .where('month', '=', month)
      .select('id as _id')
      .executeTakeFirstOrThrow();
    const moved = await call(`POST /users/${leaver.id}/transfer`, admin, { targetUserId: admin.id });
    expect(moved.body).toMatchObject({ deals: 1 });
    expect([(await read(open)).owner, (await read(paid)).owner]).toEqual([admin.id, leaver.id]);
  });

  test('fields without money stay editable, and an empty or long reason is refused', async () => {
    const { version } = await read(rows[8]!);
    const adjusted = (await overviewOf(later)).pendingAdjustments;
    expect(
      await change(clerk, rows[8]!, { notes: 'Rang', customerName: 'Rob', dealNumber: 'D-9', version }),
    ).toMatchObject({ status: 200 });
    const { body } = await change(admin, rows[8]!, { saleAmount: 1, version, adjustmentReason: ' ' });
    expect(body.errors).toEqual({ adjustmentReason: 'Reason is required' });
    expect(
      (await change(admin, rows[8]!, { saleAmount: 1, version, adjustmentReason: 'x'.repeat(501) })).status,
    ).toBe(400);
    expect((await overviewOf(later)).pendingAdjustments).toBe(adjusted);
  });

  test('a dealership that is renamed from used to new keeps the rates of its rows', async () => {
    const { pendingAdjustments: before } = await overviewOf(later);
    const { body } = await call(`GET /dealerships/${other}`);
    const renamed = await call(`PUT /dealerships/${other}`, admin, { ...body, name: 'Coast New Cars' });
    expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
    await expectBalanced(month);
    expect((await overviewOf(later)).pendingAdjustments).toBe(before);
  });

  test('the adjustments stand in the statements of the next month that closes, once', async () => {
    const { pendingAdjustments } = await overviewOf(later);
    expect(pendingAdjustments).toBeGreaterThan(10);
    const { commission, account } = await expectBalanced(month);
    await close(later);
    expect((await overviewOf('2024-05')).pendingAdjustments).toBe(0);
    const entries = await listOf(`month=${later}`);
    const sum = (kind: string) =>
      entries
        .filter((one) => one.kind === kind)
        .reduce((cents, one) => cents + Math.round(one.totals.adjustments * 100), 0);
    expect(sum('commission')).toBe(Math.round(commission.adjustments * 100));
    expect(sum('account')).toBe(Math.round(account.adjustments * 100));
    const statement = await statementOf(
      entries.find(({ recipientName, kind }) => recipientName === 'Cleo Clerk' && kind === 'commission')!,
    );
    expect(statement.adjustments[0]).toMatchObject({
      dealId: rows[0],
      month,
      changes: [{ field: 'saleAmount', before: 100, after: 120 }],
      reason: 'The customer paid less',
      byName: 'Ada Admin',
      amount: 0.4,
    });
    const costs = entries.filter(({ kind }) => kind === 'account').map((one) => statementOf(one));
    for (const { adjustments } of await Promise.all(costs))
      expect(adjustments.flatMap(({ changes }) => changes.map(({ field }) => field))).not.toContain(
        'costAmount',
      );
  });

  test('the latest closed month is opened again by an administrator; its statements are superseded and numbers go on', async () => {
    const reopen = (which: string, by = admin, reason = 'Forgot a deal') =>
      call(`POST /months/${which}/reopen`, by, { reason });
    expect((await reopen(later, lead)).status).toBe(403);
    expect((await reopen(month)).body.details).toBe('NOT_LATEST');
    expect((await reopen(later, admin, ' ')).status).toBe(400);
    const before = await listOf(`month=${later}`);
    expect(await reopen(later)).toMatchObject({
      status: 200,
      body: { state: 'closing', reopened: { reason: 'Forgot a deal' } },
    });
    expect((await listOf(`month=${later}`)).every(({ isSuperseded }) => isSuperseded)).toBe(true);
    await sold(clerk, later, { saleAmount: 500 });
    await close(later);
    const after = (await listOf(`month=${later}`)).filter(({ isSuperseded }) => !isSuperseded);
    const numbers = (entries: StatementEntry[]) => entries.map(({ kind, number }) => `${kind} ${number}`);
    expect(numbers(after).filter((number) => numbers(before).includes(number))).toEqual([]);
    expect(after[0]!.number).toBe(
      `${later}-${String(before.filter(({ kind }) => kind === 'commission').length + 1).padStart(3, '0')}`,
    );
    await expectBalanced(later);
    await expectBalanced(month);
    expect(
      (
        await call(
          `POST /statements/${before.find(({ recipientName }) => recipientName === 'Cleo Clerk')!._id}/seen`,
          clerk,
        )
      ).body.details,
    ).toBe('SUPERSEDED');
  });

  test('a dealership with a statement cannot be deleted, even when none of its rows is left', async () => {
    const left = await addDealership(server, admin, { name: 'Left Cars' });
    const { _id: id } = await sold(admin, month, { saleAmount: 5, adjustmentReason: 'Forgotten' }, left);
    await change(admin, id, {
      dealershipId: other,
      version: (await read(id)).version,
      adjustmentReason: 'Typed wrongly',
    });
    expect(await call(`DELETE /dealerships/${left}`)).toMatchObject({
      status: 409,
      body: { message: 'Left Cars has 2 adjustments and cannot be deleted. Deactivate it instead.' },
    });
  });

  test('statements and adjustments cannot be changed in the database either', async () => {
    for (const statement of [
      'update statements set number = 9',
      'delete from statement_adjustments',
      'truncate statement_notes cascade',
      'delete from month_adjustments',
    ])
      await expect(sql.raw(statement).execute(server.db), statement).rejects.toThrow('cannot be changed');
  });
});

describe('a month that was skipped', () => {
  test('a month that was skipped is closed after a later one, and before the next, as soon as it has rows', async () => {
    const rowIn = (month: string) => sold(clerk, month, { saleAmount: 30 });
    await rowIn('2023-06');
    await rowIn('2023-08');
    // Months before the first closed one are closed if somebody wants it.
    await close('2023-06');
    await close('2023-08');
    await rowIn('2023-07');
    await rowIn('2023-09');
    expect((await call('POST /months/2023-09/close')).body.details).toBe('EARLIER_IS_OPEN');
    await close('2023-07');
    await close('2023-09');
    expect(await expectBalanced('2023-07')).toMatchObject({ account: { statements: 30, rows: 30 } });
  });
});

test('a status that changes its meaning while a month is being closed waits for the close, and its rows are adjusted', async () => {
  const month = '2023-10';
  await sold(admin, month, { saleAmount: 300 });
  for (const { key, count } of (await overviewOf(month)).checks)
    if (count > 0)
      await call(`POST /months/${month}/waive`, admin, { check: key, rows: count, reason: 'Agreed' });
  const written = Promise.withResolvers<void>();
  // A change that is not saved yet: the close has begun and waits for it.
  const writing = server.db.transaction().execute(async (tx) => {
    await sql`select closing_of(${month})`.execute(tx);
    await written.promise;
  });
  const closing = call(`POST /months/${month}/close`);
  const locked = (isGranted: boolean) => async () =>
    (
      await sql<{ count: number }>`select count(*)::int from pg_locks
        where locktype = 'advisory' and granted = ${isGranted} and database = (
            select oid from pg_database where datname = current_database())
          and (classid::bigint << 32 | objid::bigint) = hashtextextended('month closes', 0)`.execute(
        server.db,
      )
    ).rows[0]!.count;
  await expect.poll(locked(true)).toBe(1);
  const turning = call('PUT /status-configurations/commission', admin, {
    ids: [],
    adjustmentReason: 'Nothing counts',
  });
  await expect.poll(locked(false)).toBe(1);
  written.resolve();
  await writing;
  expect([(await closing).status, (await turning).status]).toEqual([200, 200]);
  expect(await expectBalanced(month)).toMatchObject({
    account: { statements: 300, adjustments: -300, rows: 0 },
  });
  await call('PUT /status-configurations/commission', admin, {
    ids: [fixedStatuses.deal],
    adjustmentReason: 'It counts',
  });
});

describe('what is told of a closed month', () => {
  const month = '2023-08';

  test('amounts of hidden columns are told by neither balance nor refusal', async () => {
    const limited = await server.person({
      permissions: {
        features: { closeMonths: true },
        dataEntry: {
          columnVisibility: { viewAllColumns: false, visibleColumns: ['dealNumber', 'commission'] },
        },
      } as never,
    });
    const { body } = await call(`GET /months/${month}`, limited);
    expect(body.closing).toMatchObject({ commission: { statements: 0.6 }, account: null });
  });

  test('a person without access to all months reads only the own statement of another month', async () => {
    const lead2 = await server.person({
      permissions: { features: { closeMonths: true }, dataEntry: { canAccessAllMonths: false } } as never,
    });
    const [entry] = await listOf(`month=${month}`);
    expect(await listOf(`month=${month}`, lead2)).toEqual([]);
    expect((await call(`GET /statements/${entry!._id}`, lead2)).status).toBe(404);
    expect((await call(`GET /months/${month}/accounting?kind=commission&program=xero`, lead2)).status).toBe(
      404,
    );
  });

  test('the reason of an adjustment is in the audit log, and costs are in no account statement', async () => {
    const [entry] = await listOf(`month=${month}&kind=account`);
    const { lines, waivers } = await statementOf(entry!);
    expect(waivers.map(({ check }) => check)).not.toContain('costMissing');
    const id = lines[0]!.dealId;
    await change(admin, id, {
      saleAmount: 20,
      version: (await read(id)).version,
      adjustmentReason: 'Typed wrongly',
    });
    expect(await newestAudit(server, hashedId('month', month))).toMatchObject({
      action: 'month.adjusted',
      actor_name: 'Ada Admin',
      after: { name: month, reason: 'Typed wrongly', rows: 1, commission: -0.2, sales: -10 },
    });
  });
});

describe('a restore', () => {
  /** Waits for work that may outlive its request, and returns the response. */
  async function finished(route: string, body?: object) {
    const reply = await call(route, admin, body);
    const { jobId, name } = reply.body;
    if (!jobId) return reply.body;
    const job = await vi.waitUntil(
      async () => {
        const { body: state } = await call(`GET /jobs/${jobId}`);
        return state.status !== 'running' && state;
      },
      { timeout: 60_000 },
    );
    expect(job.status, JSON.stringify(job)).toBe('succeeded');
    return name;
  }
  const digests = async (query: string) =>
    (await Promise.all((await listOf(query)).map((one) => statementOf(one)))).map(
      ({ number, digest, isSuperseded }) => ({ number, digest, isSuperseded }),
    );

  test('a restore of a backup made after a close keeps the month closed; after one made before it, the month is open and its numbers are not used again', async () => {
    const month = '2024-05';
    const { _id: id } = await sold(clerk, month, { saleAmount: 400 });
    const before = await finished('POST /backups');
    await close(month);
    await change(admin, id, {
      saleAmount: 410,
      version: (await read(id)).version,
      adjustmentReason: 'Typed wrongly',
    });
    const first = await listOf(`month=${month}`);
    const statements = await digests(`month=${month}`);
    const after = await finished('POST /backups');

    await finished(`POST /backups/${before}/restore`);
    expect(await overviewOf(month)).toMatchObject({ state: 'open', closing: null });
    expect(await listOf(`month=${month}`)).toEqual([]);
    expect((await change(admin, id, { saleAmount: 500, version: (await read(id)).version })).status).toBe(
      200,
    );
    await close(month);
    const used = new Set(first.map(({ kind, number }) => `${kind} ${number}`));
    expect(
      (await listOf(`month=${month}`)).filter(({ kind, number }) => used.has(`${kind} ${number}`)),
    ).toEqual([]);

    await finished(`POST /backups/${after}/restore`);
    expect(await digests(`month=${month}`)).toEqual(statements);
    expect((await expectBalanced(month)).account).toMatchObject({
      statements: 400,
      adjustments: 10,
      rows: 410,
    });
    expect((await change(admin, id, { saleAmount: 1, version: (await read(id)).version })).body.code).toBe(
      'MONTH_CLOSED',
    );
  });
});
