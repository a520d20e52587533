import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { DealSort } from '@forecourt/contract/deal-list';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '../../../../test/app.ts';
import { addDeal, addDealership } from '../../../../test/builders.ts';
import { UNLIMITED_SCOPE } from '../deals.policy.ts';
import { readsEveryRow, sortsTooMany } from './deal-list.queries.ts';
import { createDealList } from './deal-list.service.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin' });
afterAll(() => server.close());

const get = (path: string, { token } = admin) => server.call(`GET ${path}`, { token });

const everything = { ...UNLIMITED_SCOPE, timeZone: 'Australia/Sydney' };

test.each([
  [false, {}, 'createdAt'],
  [true, {}, 'customerName'],
  [false, {}, 'month'],
  [false, { month: '2026-11' }, 'createdAt'],
  [true, { month: '2026-11' }, 'customerName'],
  [true, { month: '2026-11', status: 'Deal' }, 'createdAt'],
  [false, { search: 'an' }, 'createdAt'],
  [false, { search: 'ann' }, 'createdAt'],
  [true, { search: '-' }, 'createdAt'],
  [true, { search: 'ann', month: '2026-11' }, 'createdAt'],
  // Few of the rows with the word may have the status, or the text in a visible column.
  [true, { search: 'an', status: 'Deal' }, 'createdAt'],
  [true, { search: 'an', searchIn: ['vehicle'] }, 'createdAt'],
] as const)('a list may read every row: %s for %o by %s', (expected, filter, sort) => {
  expect(readsEveryRow(everything, filter, sort)).toBe(expected);
});

test('a list of all months of a person who sees only their own rows may read every row', () => {
  const own = { ...everything, onlyOf: { userId: 'u1' } };
  expect(readsEveryRow(own, {}, 'createdAt')).toBe(true);
  expect(readsEveryRow(own, { month: '2026-11' }, 'createdAt')).toBe(false);
});

test('all months are sorted without an index up to a number of rows', async () => {
  const deal = await addDeal(server, admin, await addDealership(server, admin), { month: '2024-05' });
  const count = async (filter: object, sort: DealSort, most: number) =>
    sortsTooMany(server.db, everything, filter, sort, most);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from deals`.execute(server.db);
  const all = rows[0]!.count;
  expect(await count({}, 'customerName', all)).toBe(false);
  expect(await count({}, 'customerName', all - 1)).toBe(true);
  expect(await count({}, 'createdAt', 0)).toBe(false);
  expect(await count({}, 'month', 0)).toBe(false);
  expect(await count({ month: deal.month }, 'customerName', 0)).toBe(false);
  const viewer = { role: 'admin', customColumns: [], permissions: { dataEntry: { columnVisibility: {} } } };
  const list = createDealList({
    withPermit: (_ctx, _readsAllMonths, read) => read(),
    inScope: () => everything,
    filterFor: (_viewer, filter) => filter,
    maxSorted: 0,
  });
  const call = list(
    { db: server.db, viewer } as never,
    { sort: 'customerName', limit: 10, shape: 'items' } as never,
  );
  await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

/** Returns how many statements wait for a lock on this table. */
const waitingFor = async (table: string) =>
  (
    await sql<{ count: number }>`
      select count(*)::integer as count from pg_locks
      where relation = ${table}::regclass and not granted`.execute(server.db)
  ).rows[0]!.count;

test('reads of all months run two at a time, so that connections remain for everything else', async () => {
  const deal = await addDeal(server, admin, await addDealership(server, admin));
  const colleague = await server.person({ role: 'admin' });
  const expectDone = (replies: { status: number }[]): void =>
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  let reads: Promise<{ status: number }[]> | undefined;
  let short: Promise<{ status: number }[]> | undefined;
  await server.db.transaction().execute(async (tx) => {
    // Sums read this table, changes of a row do not: the lock stands for a long read.
    await sql`lock table settings in access exclusive mode`.execute(tx);
    reads = Promise.all(Array.from({ length: 12 }, () => get('/reports?by=item&from=2020-01&to=2026-11')));
    await expect.poll(() => waitingFor('settings')).toBe(2);
    const body = { version: 1, notes: 'Typed meanwhile' };
    const edit = await server.call(`PATCH /deals/${deal._id}`, { token: admin.token, body });
    expect(edit).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await waitingFor('settings')).toBe(2);
    // Stored sums and the short ranges of a colleague do not wait for their turn behind them.
    short = Promise.all([get('/deals/summary'), get('/reports?by=item&from=2025-11&to=2026-11', colleague)]);
    await expect.poll(() => waitingFor('settings')).toBe(4);
  });
  expectDone(await reads!);
  expectDone(await short!);
});

test('a read that waits for its turn when its client disconnects is not run', async () => {
  const { origin } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
  const disconnect = new AbortController();
  const report = () => get('/reports?by=item&from=2020-01&to=2026-11');
  await server.db.transaction().execute(async (listed) => {
    // Among these reads only the list needs this table.
    await sql`lock table dealerships in access exclusive mode`.execute(listed);
    let reports: Promise<{ status: number }[]> | undefined;
    await server.db.transaction().execute(async (tx) => {
      await sql`lock table settings in access exclusive mode`.execute(tx);
      const running = [report(), report()];
      await expect.poll(() => waitingFor('settings')).toBe(2);
      const received = once(server.app.server, 'request');
      const list = fetch(`${origin}/api/deals?sort=customerName`, {
        headers: { authorization: `Bearer ${admin.token}` },
        signal: disconnect.signal,
      });
      const [, response] = (await received) as [unknown, ServerResponse];
      // A request that begins later and is done: the list waits by now.
      await get('/auth/me');
      reports = Promise.all([...running, report()]);
      const closed = once(response, 'close');
      disconnect.abort();
      await expect(list).rejects.toThrow('aborted');
      await closed;
    });
    expect((await reports!).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await waitingFor('dealerships')).toBe(0);
  });
});
