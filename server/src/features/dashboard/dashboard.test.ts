import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership, addManyDeals } from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';
import { createFollowUps } from '../deals/follow-ups/follow-ups.service.ts';
import { monthsUpTo } from './dashboard.service.ts';

const CLERK = { dataEntry: { canAddRows: true, canEditRows: true } };

const server = await testApp();
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
const kim = await server.person({ name: 'Kim Novak', permissions: CLERK });
const dealershipId = await addDealership(server, ada);
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('deals').execute();
});

const get = (person: Person, path: string) => server.call(`GET ${path}`, { token: person.token });
const add = (person: Person, changes: object = {}) => addDeal(server, person, dealershipId, changes);
const patch = (person: Person, { _id, version }: { _id: string; version: number }, body: object) =>
  server.call(`PATCH /deals/${_id}`, { token: person.token, body: { version, ...body } });
const UNLIMITED = {
  onlyMonth: null,
  exceptRows: [],
  exceptDealerships: [],
  exceptStatuses: [],
  from: null,
  to: null,
  onlyOf: null,
  timeZone: 'UTC',
};
/** A user who sees these columns only. */
const seeing = (...visibleColumns: string[]) => {
  const columnVisibility = { viewAllColumns: false, visibleColumns };
  return server.person({
    permissions: { dataEntry: { canAddRows: true, columnVisibility: columnVisibility as never } },
  });
};

test('the dashboard counts months back across the turn of a year', () => {
  expect(monthsUpTo('2026-02', 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
});

describe('figures', () => {
  test('the figures of the dashboard are zero without rows, in each of 13 months', async () => {
    const { body } = await get(ada, '/dashboard');
    expect(body.thisMonth).toMatchObject({ deals: 0, saleAmount: 0, conversion: null, daysToClose: null });
    expect(body.trend).toHaveLength(13);
    expect(body.trend[0]).toMatchObject({ deals: 0, commission: 0 });
    expect(body.trend.at(-1).month).toBe(body.thisMonth.month);
  });

  test('the figures of the dashboard contain the time from the creation of a row until it became a deal', async () => {
    const won = await add(ada, { status: 'Deal' });
    const again = await add(ada, { status: 'Deal' });
    await server.db
      .updateTable('deals')
      .set({ created_at: '2026-01-01T00:00:00Z', closed_at: '2026-01-04T12:00:00Z' })
      .where('id', '=', won._id)
      .execute();
    expect((await get(ada, '/dashboard')).body.thisMonth).toMatchObject({ won: 2, daysToClose: 1.8 });
    // A reopened row does not count as closed.
    await patch(ada, won, { status: 'Called' });
    await patch(ada, again, { status: 'No deal' });
    const { body } = await get(ada, '/dashboard');
    expect(body.thisMonth).toMatchObject({ won: 0, lost: 1, conversion: 0, daysToClose: null });
  });

  test('the figures of the dashboard omit figures of a column hidden from the caller', async () => {
    await add(ada, { saleAmount: 100, costAmount: 40, status: 'Deal' });
    const reader = await seeing('customerName', 'saleAmount');
    const { body } = await get(reader, '/dashboard');
    expect(body.thisMonth).toEqual({ month: expect.any(String), deals: 1, saleAmount: 100, byStatus: [] });
    expect(Object.keys(body.trend[0]).sort()).toEqual(['deals', 'month', 'saleAmount']);
  });

  test('the figures of the dashboard are those of the current month for a user limited to it', async () => {
    const clerk = await server.person({ permissions: { dataEntry: { canAccessAllMonths: false } } });
    const { body } = await get(clerk, '/dashboard');
    expect(body.lastMonth).toBeNull();
    expect(body.trend.map(({ month }: { month: string }) => month)).toEqual([body.thisMonth.month]);
  });
});

describe('calls to make', () => {
  const names = async (person: Person) =>
    (await get(person, '/dashboard/to-call')).body.items.map(
      ({ customerName }: { customerName: string }) => customerName,
    );

  test('calls to make are the own open rows by due time, those without a time last', async () => {
    await add(kim, { customerName: 'No time', status: 'To Call' });
    await add(kim, { customerName: 'Late', followUpAt: '2026-01-03T00:00:00.000Z', status: 'To Call' });
    await add(kim, { customerName: 'Early', followUpAt: '2026-01-02T00:00:00.000Z' });
    await add(kim, { customerName: 'Closed', followUpAt: '2026-01-01T00:00:00.000Z', status: 'Deal' });
    await add(kim, { customerName: 'Not waiting' });
    await add(ada, { customerName: 'Somebody else’s', status: 'To Call' });
    expect(await names(kim)).toEqual(['Early', 'Late', 'No time']);
  });

  test('calls to make are counted up to a thousand: rows with a time, and then those without', async () => {
    const { _id } = await add(ada, { customerName: 'First', followUpAt: '2026-01-02T00:00:00.000Z' });
    const last = await add(ada, { customerName: 'Waits', status: 'To Call' });
    await addManyDeals(server.db, last._id, 1000);
    const { items, ...counted } = (await get(ada, '/dashboard/to-call')).body;
    expect(counted).toEqual({ total: 1000, totalIsCapped: true });
    expect([items.length, items[0]._id]).toEqual([50, _id]);
    await server.db
      .updateTable('deals')
      .set({ deleted_at: new Date() })
      .where('customer_name', 'like', 'Row %')
      .execute();
    expect((await get(ada, '/dashboard/to-call')).body).toMatchObject({ total: 2, totalIsCapped: false });
  });

  test('calls to make are none for a user without the required columns', async () => {
    const reader = await seeing('customerName', 'owner', 'dealershipId', 'followUpAt');
    const id = (await add(ada, { status: 'To Call' }))._id;
    await server.db.updateTable('deals').set({ owner_id: reader.id }).where('id', '=', id).execute();
    expect(await names(reader)).toEqual([]);
  });
});

describe('changes since the last visit', () => {
  /** Inserts a session of this user with that time of last use. */
  const visited = (person: Person, at: Date) =>
    server.db
      .insertInto('sessions')
      .values({
        id: newId(),
        token_hash: Buffer.from(newId()),
        user_id: person.id,
        user_agent: 'test',
        ip: '127.0.0.1',
        created_at: new Date(at.getTime() - 1000),
        last_used_at: at,
        expires_at: at,
      })
      .execute();

  test('changes since the last visit are none at the first visit', async () => {
    expect((await get(kim, '/dashboard/changes')).body).toEqual({ items: [], total: 0, since: null });
  });

  test('changes since the last visit are those of others to own and shared rows, one entry for each row', async () => {
    const lee = await server.person({ name: 'Lee Long', permissions: CLERK });
    const own = await add(lee, { customerName: 'Own Olga' });
    const shared = await add(ada, { customerName: 'Shared Sid' });
    await add(ada, { customerName: 'Foreign Fay' });
    await visited(lee, new Date(Date.now() - 3_600_000));
    await patch(ada, own, { notes: 'called', status: 'Called' });
    const body = { sharedWith: [{ userId: lee.id, permissions: 'view' }] };
    await server.call(`PUT /deals/${shared._id}/sharing`, { token: ada.token, body });
    const reply = await get(lee, '/dashboard/changes');
    expect(reply.body.total).toBe(2);
    expect(reply.body.items[0]).toMatchObject({ _id: shared._id, byName: 'Ada Admin' });
    expect(reply.body.items[1]).toMatchObject({ customerName: 'Own Olga', byName: 'Ada Admin' });
    expect(new Set(reply.body.items[1].fields)).toEqual(new Set(['notes', 'status']));
  });

  test('changes since the last visit of somebody with very many rows are those of the newest audit entries, with the time since which these are', async () => {
    const max = await server.person({ name: 'Max Many', permissions: CLERK });
    const [older, newer] = [await add(max), await add(max)];
    await add(ada);
    await patch(ada, older, { notes: 'first' });
    await patch(ada, newer, { notes: 'second' });
    const visit = new Date(Date.now() - 3_600_000).toISOString();
    await visited(max, new Date(visit));
    const changes = async (maxOwnRows: number, maxEntries: number) => {
      const followUps = createFollowUps({
        customFields: { definitions: async () => [] },
        inScope: () => UNLIMITED,
        maxOwnRows,
        maxEntries,
      });
      const { id: sessionId } = await server.db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', max.id)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      const permissions = { dataEntry: { columnVisibility: {} } };
      const viewer = { role: 'admin', customColumns: [], permissions, userId: max.id, sessionId };
      return followUps.changes({ db: server.db, viewer } as never);
    };
    const all = await changes(2, 1);
    expect(all).toMatchObject({ total: 2, since: visit, items: [{ _id: newer._id }, { _id: older._id }] });
    expect(await changes(1, 1_000_000)).toEqual(all);
    const recent = await changes(1, 2);
    expect(recent).toMatchObject({ total: 1, items: [{ _id: newer._id, fields: ['notes'] }] });
    expect(recent.since! > visit).toBe(true);
  });

  test('changes since the last visit do not name a column hidden from the caller', async () => {
    const reader = await seeing('customerName', 'status', 'owner', 'dealershipId');
    const row = await add(reader);
    await visited(reader, new Date(Date.now() - 3_600_000));
    await patch(ada, row, { notes: 'secret', status: 'Called' });
    const { body } = await get(reader, '/dashboard/changes');
    expect(body.items).toMatchObject([{ fields: ['status'] }]);
  });

  test('changes since the last visit omit rows and authors of which only hidden columns changed, also from the count', async () => {
    const reader = await seeing('customerName', 'status', 'owner', 'dealershipId');
    const [hidden, seen] = [await add(reader), await add(reader)];
    await visited(reader, new Date(Date.now() - 3_600_000));
    const { version } = (await patch(ada, seen, { status: 'Called' })).body;
    const other = await server.person({ role: 'admin', name: 'Olga Other' });
    await patch(other, { ...seen, version }, { notes: 'secret' });
    await patch(ada, hidden, { notes: 'secret', saleAmount: 100 });
    const { body } = await get(reader, '/dashboard/changes');
    expect(body).toMatchObject({
      total: 1,
      items: [{ _id: seen._id, byName: 'Ada Admin', fields: ['status'] }],
    });
  });

  test('changes since the last visit contain a restored row', async () => {
    const reader = await seeing('customerName', 'status', 'owner', 'dealershipId');
    const row = await add(reader);
    await visited(reader, new Date(Date.now() - 3_600_000));
    await server.call(`DELETE /deals/${row._id}`, { token: ada.token });
    await server.call('POST /deals/bulk/restore', { token: ada.token, body: { ids: [row._id] } });
    expect((await get(reader, '/dashboard/changes')).body).toMatchObject({
      total: 1,
      items: [{ _id: row._id }],
    });
  });
});
