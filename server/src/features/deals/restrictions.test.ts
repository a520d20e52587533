import type { DealColumn } from '@forecourt/contract/deal-fields';
import type { PermissionChanges } from '@forecourt/contract/permissions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership, changePermissions, newestAudit } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const open = await addDealership(server, admin, { name: 'Open New Cars' });
const closed = await addDealership(server, admin, { name: 'Closed Used Cars' });
const url = await server.app.listen({ port: 0 });
afterAll(() => server.close());

type Visibility = NonNullable<NonNullable<PermissionChanges['dataEntry']>['columnVisibility']>;
type Rights = Omit<NonNullable<PermissionChanges['dataEntry']>, 'columnVisibility'>;
type Row = { _id: string; customerName: string; version: number };

/** Adds a person with all rights on rows except those removed by `columnVisibility` and `rights`. */
async function restricted(columnVisibility: Visibility, rights: Rights = {}): Promise<Person> {
  const person = await server.person({ name: 'Rae Reader' });
  const all = { canAddRows: true, canEditRows: true, canDeleteRows: true };
  const body = { dataEntry: { ...all, ...rights, columnVisibility } };
  const reply = await changePermissions(server, admin, person, body);
  expect(reply.status).toBe(200);
  return person;
}
const get = (person: Person, path: string) => server.call(`GET ${path}`, { token: person.token });
const visibleNamesOf = async (person: Person, query = '') =>
  (await get(person, `/deals${query}`)).body.items.map((row: Row) => row.customerName);

describe('hidden rows', () => {
  let shown: Row;
  let hidden: Row;
  let rae: Person;
  const createdAt = (row: Row, time: string) =>
    server.db.updateTable('deals').set({ created_at: time }).where('id', '=', row._id).execute();
  // Sydney is 11 hours ahead in January: 11 January ends at 13:00Z.
  const DAY = '2026-01-11';
  const [FIRST_MOMENT, LAST_MOMENT] = ['2026-01-10T13:00:00Z', '2026-01-11T12:59:59.999Z'];
  const kinds: [string, () => Promise<[Visibility, Rights?]>][] = [
    ['the limit to own rows', async () => [{ restrictedToOwn: true }]],
    ['a restricted dealership', async () => [{ restrictedDealerships: [closed] }]],
    [
      'a restricted status',
      async () => {
        const body = { version: hidden.version, status: 'No deal' };
        await server.call(`PATCH /deals/${hidden._id}`, { token: admin.token, body });
        return [{ restrictedStatuses: ['No deal'] }];
      },
    ],
    ['a restricted row', async () => [{ restrictedRows: [hidden._id] }]],
    [
      'the first day of a date range, which is included',
      async () => {
        await createdAt(hidden, '2026-01-10T12:59:59.999Z');
        await createdAt(shown, FIRST_MOMENT);
        return [{ dateRangeStart: DAY }];
      },
    ],
    [
      'the last day of a date range, which is included',
      async () => {
        await createdAt(hidden, '2026-01-11T13:00:00Z');
        await createdAt(shown, LAST_MOMENT);
        return [{ dateRangeEnd: DAY }];
      },
    ],
    [
      'the current month',
      async () => {
        await server.db.updateTable('deals').set({ month: '2026-01' }).where('id', '=', hidden._id).execute();
        return [{}, { canAccessAllMonths: false }];
      },
    ],
  ];

  describe.each(kinds)('by %s', (_kind, limits) => {
    beforeAll(async () => {
      await server.db.deleteFrom('deals').execute();
      shown = await addDeal(server, admin, open, { customerName: 'Shown Sam', saleAmount: 100 });
      hidden = await addDeal(server, admin, closed, { customerName: 'Hidden Hal', saleAmount: 7 });
      const [visibility, rights] = await limits();
      rae = await restricted(visibility, rights);
      // Rae owns both rows, so that only the restriction can deny access.
      await server.db
        .updateTable('deals')
        .set({ created_by: rae.id, owner_id: rae.id })
        .where('id', 'in', visibility.restrictedToOwn ? [shown._id] : [shown._id, hidden._id])
        .execute();
    });

    test('rows hidden by a restriction are absent from lists, counts, sums, searches and filters', async () => {
      expect(await visibleNamesOf(rae)).toEqual(['Shown Sam']);
      expect(await visibleNamesOf(rae, '?search=Hal')).toEqual([]);
      expect(await visibleNamesOf(rae, `?dealershipId=${closed}`)).toEqual([]);
      expect((await get(rae, '/deals')).body.total).toBe(1);
      expect((await get(rae, '/deals/summary')).body).toMatchObject({ total: 1, saleAmount: 100 });
      expect(await visibleNamesOf(admin)).toContain('Hidden Hal');
    });

    test('rows hidden by a restriction cannot be opened, changed, deleted or mailed: the response is that for missing rows', async () => {
      const before = (await get(admin, `/deals/${hidden._id}`)).body;
      const calls: [string, object?][] = [
        [`GET /deals/${hidden._id}`],
        // Plain fields are updated in one statement, all others with separate checks.
        [`PATCH /deals/${hidden._id}`, { version: before.version, notes: 'mine' }],
        [`PATCH /deals/${hidden._id}`, { version: before.version, saleAmount: 8 }],
        [`DELETE /deals/${hidden._id}`],
        [`GET /deals/${hidden._id}/templates`],
      ];
      for (const [route, body] of calls)
        expect(await server.call(route, { token: rae.token, body }), route).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        });
      expect((await get(admin, `/deals/${hidden._id}`)).body).toEqual(before);
    });

    test('rows hidden by a restriction do not prevent reading and changing others', async () => {
      expect((await get(rae, `/deals/${shown._id}`)).status).toBe(200);
      for (const [index, change] of [{ notes: 'mine' }, { saleAmount: 8 }].entries()) {
        const body = { version: index + 1, ...change };
        expect(await server.call(`PATCH /deals/${shown._id}`, { token: rae.token, body })).toMatchObject({
          status: 200,
          body: change,
        });
      }
    });

    test('rows hidden by a restriction are absent from the live events of changes to them and to others', async () => {
      const { reader, stop } = await openLiveStream(url, rae.token);
      const before = await readUntil(reader, (text) => text.includes('event: permissions'));
      for (const { _id } of [hidden, shown]) {
        const { version } = (await get(admin, `/deals/${_id}`)).body;
        const body = { version, notes: `Called about ${_id}` };
        const { status } = await server.call(`PATCH /deals/${_id}`, { token: admin.token, body });
        expect(status).toBe(200);
      }
      const output = await readUntil(reader, (text) => text.includes(`Called about ${shown._id}`), before);
      stop();
      expect(output).not.toContain(hidden._id);
      expect(output).not.toContain('Hidden Hal');
    });
  });

  test.each([
    ['own', (row: Row, by: Person) => ({ owner_id: by.id, id: row._id })],
    ['created', (row: Row, by: Person) => ({ created_by: by.id, id: row._id })],
  ])('a user who sees only their own rows sees a row that they %s', async (_how, values) => {
    const [mine, other] = [await addDeal(server, admin, open), await addDeal(server, admin, open)];
    const person = await restricted({ restrictedToOwn: true });
    const { id, ...set } = values(mine, person);
    await server.db.updateTable('deals').set(set).where('id', '=', id).execute();
    expect((await get(person, '/deals')).body).toMatchObject({ total: 1, items: [{ _id: mine._id }] });
    expect((await get(person, `/deals/${other._id}`)).status).toBe(404);
  });

  test('a user who sees only their own rows sees shared rows until the share ends, and adds rows', async () => {
    const row = await addDeal(server, admin, open, { customerNumber: '(0412) 345 678' });
    const person = await restricted({ restrictedToOwn: true });
    const own = await addDeal(server, person, open, { customerNumber: '(0412) 345 678' });
    const share = (sharedWith: object[]) =>
      server.call(`PUT /deals/${row._id}/sharing`, { token: admin.token, body: { sharedWith } });
    const paths = [
      `/deals/${row._id}`,
      `/deals/${row._id}/history`,
      `/deals/${row._id}/comments`,
      `/deals/${row._id}/attachments`,
      `/deals/${row._id}/duplicates`,
    ];
    const statuses = () => Promise.all(paths.map(async (path) => (await get(person, path)).status));
    const counted = async () => {
      const { body: status } = await get(person, '/status-configurations');
      return {
        list: (await get(person, '/deals')).body.total,
        summary: (await get(person, '/deals/summary')).body.total,
        dashboard: (await get(person, '/dashboard')).body.thisMonth.deals,
        report: (await get(person, '/reports?by=status')).body.total.deals,
        byStatus: status.items.reduce((sum: number, { usage }: { usage: number }) => sum + usage, 0),
        duplicates: (await get(person, `/deals/${own._id}/duplicates`)).body.total,
      };
    };
    const alone = { list: 1, summary: 1, dashboard: 1, report: 1, byStatus: 1, duplicates: 0 };
    const both = { list: 2, summary: 2, dashboard: 2, report: 2, byStatus: 2, duplicates: 1 };
    expect(await statuses()).toEqual(paths.map(() => 404));
    expect(await counted()).toEqual(alone);
    await share([{ userId: person.id, permissions: 'view' }]);
    expect(await statuses()).toEqual(paths.map(() => 200));
    expect(await counted()).toEqual(both);
    expect((await get(person, '/notifications')).body.items).toMatchObject([{ kind: 'shared' }]);
    await share([]);
    expect(await statuses()).toEqual(paths.map(() => 404));
    expect(await counted()).toEqual(alone);
    expect((await get(person, '/notifications')).body.items).toEqual([]);
  });

  test('a row cannot be moved or added where its editor would not see it', async () => {
    const person = await restricted({ restrictedDealerships: [closed], restrictedStatuses: ['No deal'] });
    const own = await addDeal(server, person, open, { customerName: 'Own Row' });
    for (const change of [{ dealershipId: closed }, { status: 'No deal' }]) {
      const field = Object.keys(change)[0]!;
      const body = { ...change, version: own.version };
      const moved = await server.call(`PATCH /deals/${own._id}`, { token: person.token, body });
      expect(moved).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
      const added = await server.call('POST /deals', {
        token: person.token,
        body: { customerName: 'New', dealershipId: open, ...change },
      });
      expect(added.status).toBe(400);
    }
    const past = await restricted({ dateRangeEnd: '2026-01-31' });
    expect(
      await server.call('POST /deals', {
        token: past.token,
        body: { customerName: 'New', dealershipId: open },
      }),
    ).toMatchObject({ status: 403, body: { details: 'ROW_OUT_OF_SIGHT' } });
  });

  test('a new row is offered only to users who would see it, and the refusal names the way out', async () => {
    const add = async (person: Person) => (await get(person, '/deals/options')).body.add;
    const statuses = (await get(admin, '/deals/options')).body.statuses;
    const byDefault = statuses.find((status: { isDefault: boolean }) => status.isDefault).name;
    const columns = (visibleColumns: DealColumn[]) => ({ viewAllColumns: false, visibleColumns });
    expect(await add(await restricted({}))).toBe(true);
    expect(await add(await restricted({ dateRangeEnd: '2026-01-31' }))).toBe('ROW_OUT_OF_SIGHT');
    expect(await add(await restricted(columns(['customerName'])))).toBe('COLUMN_HIDDEN');
    const barred = { restrictedStatuses: [byDefault], ...columns(['customerName', 'dealershipId']) };
    expect(await add(await restricted(barred))).toBe('ROW_OUT_OF_SIGHT');
    // They may choose another status.
    const chooser = await restricted({ restrictedStatuses: [byDefault] });
    expect(await add(chooser)).toBe(true);
    const body = { customerName: 'New', dealershipId: open };
    expect(await server.call('POST /deals', { token: chooser.token, body })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('Choose another status, or ask an administrator') },
    });
  });

  test('restricted choices are not offered', async () => {
    const person = await restricted({ restrictedDealerships: [closed], restrictedStatuses: ['No deal'] });
    const { body } = await get(person, '/deals/options');
    expect(body.dealerships.map(({ _id }: Row) => _id)).toEqual([open]);
    expect(body.statuses.map(({ name }: { name: string }) => name)).not.toContain('No deal');
  });
});

describe('hidden columns', () => {
  const visibleColumns: Visibility['visibleColumns'] = ['customerName', 'dealershipId', 'notes'];
  let rae: Person;
  let row: Row;
  beforeAll(async () => {
    await server.db.deleteFrom('deals').execute();
    rae = await restricted({ viewAllColumns: false, visibleColumns });
    row = await addDeal(server, admin, open, {
      customerName: 'Ann Example',
      customerNumber: '(0412) 345 678',
      dealNumber: 'D-77',
      saleAmount: 100,
      costAmount: 60,
    });
  });

  test('hidden columns are absent from every row, as are their sums', async () => {
    const [listed] = (await get(rae, '/deals')).body.items;
    const single = (await get(rae, `/deals/${row._id}`)).body;
    for (const deal of [listed, single]) {
      expect(deal).toMatchObject({ customerName: 'Ann Example', dealershipId: open, notes: '' });
      for (const field of [
        'customerNumber',
        'dealNumber',
        'saleAmount',
        'costAmount',
        'grossProfit',
        'status',
        'owner',
        'ownerName',
        'emailStatus',
        'isChangedSinceSent',
      ])
        expect(deal).not.toHaveProperty(field);
    }
    expect((await get(rae, '/deals/summary')).body).toEqual({ total: 1, byStatus: [] });
    expect((await get(rae, '/deals/options')).body.columns).toEqual(expect.arrayContaining(visibleColumns!));
  });

  test('hidden columns cannot be searched or filtered by', async () => {
    expect(await visibleNamesOf(rae, '?search=D-77')).toEqual([]);
    expect(await visibleNamesOf(rae, '?search=0412345678')).toEqual([]);
    expect(await visibleNamesOf(rae, '?search=ann%20ex')).toEqual(['Ann Example']);
    expect(await get(rae, '/deals?status=Entered')).toMatchObject({
      status: 400,
      body: { errors: { status: expect.any(String) } },
    });
  });

  test('hidden columns cannot be written, and a change of others does not change them', async () => {
    const own = await addDeal(server, rae, open, { customerName: 'Own Row' });
    await server.db
      .updateTable('deals')
      .set({ deal_number: 'kept', sale_amount: 5 })
      .where('id', '=', own._id)
      .execute();
    const change = (body: object) => server.call(`PATCH /deals/${own._id}`, { token: rae.token, body });
    expect(await change({ version: 1, dealNumber: 'x' })).toMatchObject({
      status: 400,
      body: { errors: { dealNumber: expect.any(String) } },
    });
    expect((await change({ version: 1, notes: 'seen' })).status).toBe(200);
    expect((await get(admin, `/deals/${own._id}`)).body).toMatchObject({
      dealNumber: 'kept',
      saleAmount: 5,
      notes: 'seen',
    });
  });

  test('hidden columns are in the audit entry of a deleted row', async () => {
    const own = await addDeal(server, rae, open, { customerName: 'Own Row' });
    expect((await server.call(`DELETE /deals/${own._id}`, { token: rae.token })).status).toBe(204);
    expect(await newestAudit(server, own._id)).toMatchObject({
      before: { dealNumber: '', status: 'Entered' },
    });
  });

  test('hidden columns also hide the email if the dealership is hidden', async () => {
    const person = await restricted({ viewAllColumns: false, visibleColumns: ['customerName'] });
    expect((await get(person, `/deals/${row._id}`)).body.abilities.email).toBe('COLUMN_HIDDEN');
  });
});
