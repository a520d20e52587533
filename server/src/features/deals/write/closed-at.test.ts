import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../../test/app.ts';
import { addDeal, addDealership } from '../../../../test/builders.ts';
import { SYSTEM } from '../../../platform/audit.ts';
import { replaceStatus } from './change-deals.queries.ts';

const CLOSED = 'Deal';
const OPEN = 'Called';
const MOVE = 'dataEntry.moveEditedToCurrentMonth';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const { token } = admin;
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const row = { dealershipId, customerName: 'Ann Example' };

async function call(route: string, body?: object) {
  const reply = await server.call(route, { token, body });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
}

const closedAtOf = async (id: string): Promise<string | null> =>
  (await server.db.selectFrom('deals').where('id', '=', id).select('closed_at').executeTakeFirstOrThrow())
    .closed_at;

const statusNamed = async (name: string) =>
  server.db.selectFrom('statuses').where('name', '=', name).select(['id', 'name']).executeTakeFirstOrThrow();

/** Writes that create a row with a status, and return its id. */
const creations: Record<string, (status: string) => Promise<string>> = {
  'one new row': async (status) => (await call('POST /deals', { ...row, status }))._id,
  'typed or pasted rows': async (status) => {
    const { items } = await call('POST /deals/bulk/create', {
      rows: [{ key: randomUUID().replaceAll('-', ''), deal: { ...row, status } }],
    });
    return items[0].deal._id;
  },
  'an import': async (status) =>
    (await call('POST /deals/import', { rows: [{ ...row, status }] })).items[0]._id,
};

test.each(Object.keys(creations))('%s with a closed status has the time of closing', async (name) => {
  expect(await closedAtOf(await creations[name]!(OPEN))).toBeNull();
  expect(await closedAtOf(await creations[name]!(CLOSED))).not.toBeNull();
});

const version = async (id: string): Promise<number> => (await call(`GET /deals/${id}`)).version;

/** Writes that change the status of a row. */
const changes: Record<string, (id: string, status: string) => Promise<unknown>> = {
  'a change of the cell': async (id, status) =>
    call(`PATCH /deals/${id}`, { status, version: await version(id) }),
  'a change of several fields that depend on others': async (id, status) =>
    call(`PATCH /deals/${id}`, { status, items: [], saleAmount: 100, version: await version(id) }),
  'a change of many rows': (id, status) => call('POST /deals/bulk/status', { ids: [id], status }),
  'a change of many rows that moves them to the current month': async (id, status) => {
    await call(`PUT /settings/user/company/${MOVE}`, { value: true });
    await server.db.updateTable('deals').set({ month: '2024-05' }).where('id', '=', id).execute();
    await call('POST /deals/bulk/status', { ids: [id], status });
    await call(`PUT /settings/user/company/${MOVE}`, { value: false });
    expect((await call(`GET /deals/${id}`)).month).not.toBe('2024-05');
  },
  'a replacement of the status': async (id, status) => {
    const { status: current } = await call(`GET /deals/${id}`);
    const [from, to] = [await statusNamed(current), await statusNamed(status)];
    await server.db
      .transaction()
      .execute((tx) => replaceStatus(tx, SYSTEM, from, to, { after: undefined, limit: 10_000 }));
  },
};

test.each(Object.keys(changes))(
  '%s sets the time of closing once, and an open status removes it',
  async (name) => {
    const change = changes[name]!;
    const { _id: id } = await addDeal(server, admin, dealershipId, { status: OPEN });
    await change(id, CLOSED);
    const closed = await closedAtOf(id);
    expect(closed).not.toBeNull();
    await change(id, 'No deal');
    expect(await closedAtOf(id)).toBe(closed);
    await change(id, OPEN);
    expect(await closedAtOf(id)).toBeNull();
  },
);

test('a change of the status of a row changes no index', async () => {
  await addDeal(server, admin, dealershipId, { status: 'Entered' });
  const [from, to] = [await statusNamed('Entered'), await statusNamed(CLOSED)];
  const hot = await server.db.transaction().execute(async (tx) => {
    await replaceStatus(tx, SYSTEM, from, to, { after: undefined, limit: 10_000 });
    const { rows } = await sql<{ hot: number }>`
      select pg_stat_get_xact_tuples_hot_updated('deals'::regclass) as hot`.execute(tx);
    return rows[0]!.hot;
  });
  // Rows on a page that is full are moved, and then every index is changed.
  expect(hot).toBeGreaterThan(0);
});
