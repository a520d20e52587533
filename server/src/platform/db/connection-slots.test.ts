import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testApp, type Person, type Reply } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';
import { testDatabase } from '../../../test/database.ts';
import { createConnectionSlots, type LockWait } from './connection-slots.ts';
import { clientConfig, LOCK_WAITS, NO_LIMITS, type Db, type Tx } from './database.ts';

/** More than all connections, spare ones included. */
const CALLS = 30;
/** The number of waiting statements at which spare connections open, and later ones on the same lock fail. */
const HALF = 3;

let admins: Person[];
let other: pg.Client;
let watcher: pg.Client;
const otherProgram = (): pg.Client =>
  new pg.Client({ ...clientConfig(server.connection, NO_LIMITS), application_name: 'other' });
let dealership: { _id: string; name: string };
// Without limits a statement waits for its lock until the test releases it, on a machine of any speed.
const server = await testApp({}, { database: await testDatabase(NO_LIMITS) });
const admin = await server.person({ role: 'admin' });
const id = await addDealership(server, admin);
beforeAll(async () => {
  const { version: _version, ...body } = (await read(`/dealerships/${id}`)).body;
  dealership = body;
  admins = await Promise.all(Array.from({ length: CALLS }, () => server.person({ role: 'admin' })));
  [other, watcher] = [otherProgram(), otherProgram()];
  await Promise.all([other.connect(), watcher.connect()]);
});
afterAll(async () => {
  await Promise.all([other.end(), watcher.end()]);
  await server.close();
});

async function countLockWaits(): Promise<number> {
  const { rows } = await watcher.query<{ waits: number }>(
    "select count(*)::int as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]!.waits;
}

const read = (path: string): Promise<Reply> => server.call(`GET ${path}`, { token: admin.token });
const renameBy = ({ token }: Person, number: number): Promise<Reply> =>
  server.call(`PUT /dealerships/${dealership._id}`, {
    token,
    body: { ...dealership, name: `Name ${number}` },
  });
/** By several users, since each has a limit. */
const rename = (_: unknown, number: number): Promise<Reply> =>
  renameBy(admins[number % admins.length]!, number);

test.each([
  ['reads of a locked table', 'lock table dealerships', () => read('/dealerships')],
  ['writes of a locked table', 'lock table dealerships', rename],
  ['writes of locked rows', 'select from dealerships for update', rename],
])('the pool of connections serves requests for other tables while %s wait', async (_case, lock, call) => {
  await other.query(`begin; ${lock}`);
  const calls = Array.from({ length: CALLS }, call);
  await expect.poll(countLockWaits).toBeGreaterThanOrEqual(HALF);

  await expect.poll(async () => (await read('/item-configurations')).status).toBe(200);
  expect(await countLockWaits()).toBeGreaterThanOrEqual(HALF);

  await other.query('rollback');
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  // The waiting statements were served; the others failed at once with a retry hint.
  expect(statuses).toContain(200);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect((await call(undefined, 0)).status).toBe(200);
});

test.each([
  ['filters of a month', 'deals', () => read(`/deals?month=2026-11&search=ann`)],
  ['figures of a month', 'deals', () => read(`/deals/summary?month=2026-11&search=ann`)],
  ['writes', 'dealerships', (_: unknown, number: number) => renameBy(admin, number)],
])(
  'a user with many %s at once uses four connections, and a colleague is served',
  async (_case, table, call) => {
    // The lock stands for long statements of this user.
    const request = new pg.Client(clientConfig(server.connection, NO_LIMITS));
    onTestFinished(() => request.end());
    await request.connect();
    await request.query(`begin; lock table ${table}`);
    const calls = Array.from({ length: CALLS }, call);
    await expect.poll(countLockWaits).toBeGreaterThanOrEqual(4);
    const { status } = await server.call('GET /settings', { token: admins[0]!.token });
    expect([status, await countLockWaits()]).toEqual([200, 4]);

    await request.query('rollback');
    const statuses = (await Promise.all(calls)).map((reply) => reply.status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  },
);

test('a request that waits for another request is a lock wait only once that one waits for a session outside the pool', async () => {
  const waits = async (): Promise<LockWait[]> => {
    const { rows } = await watcher.query<{ pid: number }>('select pid from pg_stat_activity');
    return (await watcher.query<LockWait>(LOCK_WAITS, [rows.map(({ pid }) => pid)])).rows;
  };
  const change = (db: Db | Tx) =>
    db.updateTable('dealerships').set({ address: 'Here' }).where('id', '=', dealership._id).execute();
  const transaction = await server.db.startTransaction().execute();
  await change(transaction);
  const behind = change(server.db);
  await expect.poll(countLockWaits).toBe(1);
  expect(await waits()).toEqual([]);

  await other.query('begin; lock table items');
  const first = sql`select 1 from items`.execute(transaction);
  await expect.poll(countLockWaits).toBe(2);
  expect(new Set((await waits()).map(({ table }) => table))).toEqual(new Set(['items', null]));

  await other.query('rollback');
  await first;
  await transaction.commit().execute();
  await behind;
});

describe('without a database', () => {
  afterEach(() => void vi.useRealTimers());

  const SIZE = 4;
  const endless = (): Promise<never> => new Promise(() => {});
  /** All connections run a statement for a second, and some of them wait for a lock. */
  async function allInUse(waits: LockWait[]) {
    vi.useFakeTimers();
    const slots = createConnectionSlots(SIZE, 2, async () => waits);
    for (let pid = 1; pid <= SIZE; pid += 1) {
      await slots.acquire();
      void slots.run(pid, `select ${pid} from "items"`, endless);
    }
    await vi.advanceTimersByTimeAsync(1000);
    return slots;
  }
  const lockWait = (pid: number): LockWait => ({ pid, table: 'deals' });

  test('the pool of connections fails after 2 s without a free connection', async () => {
    const slots = await allInUse([]);
    await Promise.all([
      expect(slots.acquire()).rejects.toThrow('timeout exceeded when trying to connect'),
      vi.advanceTimersByTimeAsync(2000),
    ]);
  });

  test('the pool of connections waits up to 5 s while others get a connection', async () => {
    const slots = await allInUse([]);
    const outcomes: string[] = [];
    for (const caller of ['first', 'second', 'third', 'fourth']) {
      slots.acquire().then(
        () => outcomes.push(caller),
        () => outcomes.push('failed'),
      );
    }
    for (let count = 0; count < 3; count += 1) {
      await vi.advanceTimersByTimeAsync(1500);
      slots.release();
    }
    await vi.advanceTimersByTimeAsync(499);
    expect(outcomes).toEqual(['first', 'second', 'third']);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual(['first', 'second', 'third', 'failed']);
  });

  test('the pool of connections gives a freed connection to the caller that has waited longest', async () => {
    const slots = await allInUse([]);
    const served: number[] = [];
    for (const caller of [1, 2]) void slots.acquire().then(() => served.push(caller));
    slots.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toEqual([1]);
  });

  test('the pool of connections opens no spare connection while fewer than half of them wait for locks', async () => {
    const slots = await allInUse([lockWait(1)]);
    await Promise.all([
      expect(slots.acquire()).rejects.toThrow('timeout exceeded'),
      vi.advanceTimersByTimeAsync(2000),
    ]);
  });

  test('the pool of connections rejects only the locked table and repeated statements on spare connections', async () => {
    const slots = await allInUse([lockWait(1), { pid: 2, table: null }]);
    const acquired = slots.acquire();
    await vi.advanceTimersByTimeAsync(100);
    await acquired;
    const run = (text: string): Promise<string> => slots.run(9, text, async () => 'done');
    for (const text of ['select from "deals" as d', 'update deals set id = 1', 'select 2 from "items"'])
      await expect(run(text), text).rejects.toMatchObject({ code: '55P03' });
    for (const text of ['select "deals" from "users"', 'select from "deals_old"', 'commit'])
      await expect(run(text), text).resolves.toBe('done');
    slots.release();
    await expect(run('select from "deals"')).resolves.toBe('done');
  });

  test('the pool of connections rejects nothing once the lock is released, before the next check', async () => {
    vi.useFakeTimers();
    const slots = createConnectionSlots(2, 1, async () => [lockWait(1), lockWait(2)]);
    const { promise: lockReleased, resolve: releaseLock } = Promise.withResolvers<string>();
    const waiting = [1, 2].map(async (pid) => {
      await slots.acquire();
      return slots.run(pid, `select ${pid} from "deals"`, () => lockReleased);
    });
    await vi.advanceTimersByTimeAsync(1000);
    const acquired = slots.acquire();
    await vi.advanceTimersByTimeAsync(100);
    await acquired;
    const read = () => slots.run(3, 'select from "deals"', async () => 'done');
    await expect(read()).rejects.toMatchObject({ code: '55P03' });

    releaseLock('done');
    await Promise.all(waiting);
    await expect(read()).resolves.toBe('done');
  });
});
