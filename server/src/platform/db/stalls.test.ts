import { sql } from 'kysely';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { lineTo, testDatabase } from '../../../test/database.ts';
import { openEventBus } from '../live/event-bus.ts';
import { createLog } from '../log.ts';
import { LIMITS, NO_LIMITS, openDatabase, type Database } from './database.ts';
import { createStallWatch, StallError } from './stalls.ts';
import { createStatementBatcher } from './statement-batcher.ts';

const log = createLog('silent');

const server = await testDatabase();
await sql`create table written (number integer)`.execute(server.db);
const { line, connection } = await lineTo(server.connection);
afterAll(async () => {
  await line.close();
  await server.close();
});

let opened: Database | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await opened?.close();
  opened = undefined;
});

/** Opens a database with one connection, which is used once, and stops the clock. */
async function open(limits = LIMITS): Promise<Database> {
  opened = openDatabase(connection, log, 1, undefined, limits);
  await sql`select 1`.execute(opened.db);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return opened;
}
const numberOf = async (db: Database): Promise<number> =>
  (await sql<{ number: number }>`select 7 as number`.execute(db.db)).rows[0]!.number;

test('a statement on a connection that falls silent fails 3 s after its limit, and the next one uses a new connection', async () => {
  const database = await open();
  line.silence();
  const failed = vi.fn<(error: unknown) => void>();
  const reading = numberOf(database).catch(failed);
  await vi.advanceTimersByTimeAsync(9900);
  expect(database.stall()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(200);
  expect(database.stall()).toBe('silent');
  await vi.advanceTimersByTimeAsync(2800);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  await reading;
  expect(failed).toHaveBeenCalledWith(new StallError('silent', true));
  expect(database.stall()).toBeUndefined();
  expect(await numberOf(database)).toBe(7);
});

test('a transaction on a connection that falls silent reports that, and not the failure of its rollback', async () => {
  const database = await open();
  const silent = Promise.withResolvers<void>();
  const work = database.db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx);
    line.silence();
    silent.resolve();
    await sql`insert into written values (1)`.execute(tx);
  });
  const failure = work.catch((error: unknown) => error);
  await silent.promise;
  await vi.advanceTimersByTimeAsync(13_100);
  expect(await failure).toEqual(new StallError('silent', true));
});

test('a batch on a connection that falls silent fails, and the next batch of its form runs', async () => {
  const database = await open();
  const batcher = createStatementBatcher(
    async (items: readonly number[]) => {
      const number = await numberOf(database);
      return items.map((item) => item + number);
    },
    { recordOf: String },
  );
  line.silence();
  const first = batcher('form', 1).catch((error: unknown) => error);
  const second = batcher('form', 2);
  await vi.advanceTimersByTimeAsync(13_100);
  expect(await first).toBeInstanceOf(StallError);
  vi.useRealTimers();
  expect(await second).toBe(9);
});

test('a statement of a connection without a limit is not ended', async () => {
  const database = await open(NO_LIMITS);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = server.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(64)`.execute(tx);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const waiting = sql`select pg_advisory_xact_lock(64)`.execute(database.db);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(database.stall()).toBeUndefined();
  release.resolve();
  await holder;
  expect((await waiting).rows).toHaveLength(1);
});

test('the listening connection is replaced if it falls silent', async () => {
  const eventBus = openEventBus(connection, log, 50);
  const resumed = vi.fn<() => void>();
  eventBus.on('resumed', resumed);
  try {
    await expect.poll(() => eventBus.isListening()).toBe(true);
    const before = resumed.mock.calls.length;
    line.silence();
    await expect.poll(() => resumed.mock.calls.length).toBeGreaterThan(before);
    expect(eventBus.isListening()).toBe(true);
  } finally {
    await eventBus.close();
  }
});

test('writes are refused unsent while a commit waits for a standby, reads continue, and writes resume afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isWaiting = true;
  const stalls = createStallWatch(10_000, async () => isWaiting);
  const never = Promise.withResolvers<string>();
  const run = (text: string, work = async () => 'done') =>
    stalls.run({ text, destroy: never.reject }, work).catch((error: unknown) => error);
  const slowRead = Promise.withResolvers<string>();
  const reading = run('select id from deals', () => slowRead.promise);
  const first = run('commit', () => never.promise);
  await vi.advanceTimersByTimeAsync(10_000);
  slowRead.resolve('read');
  expect(await reading).toBe('read');
  expect(await first).toEqual(new StallError('unconfirmed', true));
  expect(stalls.current()).toBe('unconfirmed');

  const refused = new StallError('unconfirmed', false);
  for (const text of [
    'insert into deals values (1)',
    'with row as (update deals set note = 1 returning id) select id from row',
    'delete from deals',
    'select id from deals for update',
    'select id from deals for no key update',
    'select id from deals for key share',
  ])
    expect(await run(text), text).toEqual(refused);
  for (const text of [
    'select id, updated_at from deals',
    'begin',
    "update sessions set last_used_at = now() returning set_config('synchronous_commit', 'off', true)",
  ])
    expect(await run(text), text).toBe('done');

  isWaiting = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(stalls.current()).toBeUndefined();
  expect(await run('delete from deals')).toBe('done');
});
