import { appendFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS, openDatabase, type Db } from '../src/platform/db/database.ts';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { openReplica } from '../src/platform/db/replica.ts';
import { createLog } from '../src/platform/log.ts';
import { startInProcess, TEST_KEY, testApp } from './app.ts';
import { blockWrites } from './block-inserts.ts';
import { addDeal, addDealership, addManyDeals } from './builders.ts';
import { makeDataFolder } from './data-folder.ts';
import { urlOf } from './database.ts';
import { openFaultyLine } from './faulty-line.ts';
import { freePort } from './free-port.ts';
import { hasTool } from './operator-tools.ts';
import { openPgBouncer } from './pgbouncer.ts';
import { callServer } from './process.ts';
import { socketOf, startPrimary, startStandby, type Standby } from './standby.ts';

/** A commit is replayed this much later, so that a read that does not wait misses it. */
const DELAY_MS = 100;

const log = createLog('silent');
const folder = await makeDataFolder('replica-');
const clusterOf = (name: string) => join(folder, name, 'postgres');
let primary = await startPrimary(join(folder, 'primary'));
await primary.stop();
await appendFile(
  join(clusterOf('primary'), 'pg_hba.conf'),
  'local replication postgres trust\nlocal all postgres trust\n',
);
for (const name of ['standby', 'sibling'])
  await cp(clusterOf('primary'), clusterOf(name), { recursive: true });
primary = await startPrimary(join(folder, 'primary'));
const { user, database, host } = primary.connection;
/** Starts a standby that streams from the primary, or from another server. */
const startStreaming = (name: string, settings: Record<string, string>, from = host): Promise<Standby> =>
  startStandby(clusterOf(name), {
    primary_conninfo: `host=${from} port=5432 user=postgres`,
    max_standby_streaming_delay: '0',
    ...settings,
  });
const startReplica = () => startStreaming('standby', { recovery_min_apply_delay: `${DELAY_MS}ms` });
let standby: Standby | undefined = await startReplica();
await migrate(primary.connection, await readMigrations(), createLog('silent'));

const opened = openDatabase(primary.connection, createLog('silent'), 6, undefined, {
  ...LIMITS,
  statement_timeout: '0',
});
const line = await openFaultyLine(socketOf(standby.socketFolder));
const urlAt = (...ports: number[]) =>
  `postgresql://${user}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${database}`;
const warn = vi.spyOn(log, 'warn');
const info = vi.spyOn(log, 'info');
const openWith = (lagMs: number, responseMs: number) =>
  openReplica(urlAt(line.port), opened.db, log, { lagMs, responseMs, retryMs: 100 });
/** Waits as long as a slow machine needs, until a test is about a replica that is left out. */
let replica = await openWith(60_000, 60_000);
const server = await testApp(
  {},
  { database: { ...opened, connection: primary.connection }, read: (work) => replica.read(work) },
);
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, admin);
beforeEach(() => {
  warn.mockClear();
  info.mockClear();
});
afterAll(async () => {
  await replica.close();
  await server.close();
  await line.close();
  await standby?.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

const isReplica = async (db: Db): Promise<boolean> =>
  (await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(db)).rows[0]!.is;
/** Returns why the replica was left out in this test. */
const faults = () =>
  warn.mock.calls.flatMap(([fields, message]: unknown[]) =>
    message === 'replica left out: the primary serves its reads' ? [fields] : [],
  );
/** Whether the replica serves reads now. */
const isInUse = () => replica.read(isReplica);
const get = async (route: string) => (await server.call(`GET ${route}`, { token: admin.token })).body;
const countReported = async (): Promise<number> => (await get('/reports')).total.deals;
const addRow = (customerName: string) => addDeal(server, admin, dealershipId, { customerName });

/** Runs a statement on the standby, or on another one, as its superuser. */
async function administer(text: string, { socketFolder } = standby!): Promise<unknown[]> {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

/** Ends what reads deals on the standby: replaying the lock conflicts with it. */
const lockDeals = () =>
  opened.db.transaction().execute((tx) => sql`lock table deals in access exclusive mode`.execute(tx));

const beginExport = async (): Promise<string> => {
  const body = { kind: 'deals', format: 'csv' };
  return (await server.call('POST /exports', { token: admin.token, body })).body._id;
};
/** Returns the customers in the file of an export, once it is complete. */
async function exportedNames(id: string): Promise<string[]> {
  await expect.poll(async () => (await get(`/exports/${id}`)).state).toBe('ready');
  const rows: Record<string, string>[] = parse(await get(`/exports/${id}/download`), {
    bom: true,
    columns: true,
  });
  return rows.map((row) => row['Customer']!);
}

/** Returns the last statements of the sessions on the standby that serve requests. */
const statements = async (): Promise<string> =>
  JSON.stringify(await administer("select query from pg_stat_activity where application_name = 'forecourt'"));

test('the replica serves reports, the audit log and exports, each with what was written just before', async () => {
  await expect.poll(isInUse).toBe(true);
  const names: string[] = [];
  for (let round = 1; round <= 3; round += 1) {
    names.push(`Exported ${round}`);
    await addRow(names.at(-1)!);
    expect(await exportedNames(await beginExport())).toEqual(names.toReversed());
    names.push(`Reported ${round}`);
    await addRow(names.at(-1)!);
    expect(await countReported()).toBe(names.length);
    expect(await statements()).toContain('part.month');
    names.push(`Audited ${round}`);
    const { _id } = await addRow(names.at(-1)!);
    const { items } = await get('/audit-logs?limit=1&action=deal.created&search=audited');
    expect(items).toMatchObject([{ recordId: _id }]);
  }
  expect((await get('/reports/commission-statement')).rows).toEqual([]);
  expect((await get('/reports/commission-statements')).statements).toEqual([]);
  expect(await replica.measure()).toEqual({ isInUse: true, lagBytes: expect.any(Number) });
  expect(faults()).toEqual([]);
});

test('a read while all connections to the replica are in use is served by the primary at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = Array.from({ length: 10 }, () =>
    replica.read(async (db) => {
      const isRead = await isReplica(db);
      await promise;
      return isRead;
    }),
  );
  expect(await isInUse()).toBe(false);
  resolve();
  expect(await Promise.all(held)).toEqual(Array(10).fill(true));
  expect(faults()).toEqual([]);
});

test('a read that the replay of the log ends is repeated on the primary, and the replica stays in use', async () => {
  const attempts: boolean[] = [];
  await replica.read(async (db) => {
    const isOnReplica = await isReplica(db);
    attempts.push(isOnReplica);
    if (!isOnReplica) return;
    await db.transaction().execute(async (tx) => {
      await sql`select from deals`.execute(tx);
      const sleeping = sql`select pg_sleep(60)`.execute(tx);
      sleeping.catch(() => {});
      await expect
        .poll(() => administer("select from pg_stat_activity where wait_event = 'PgSleep'"))
        .toHaveLength(1);
      await lockDeals();
      await sleeping;
    });
  });
  expect(attempts).toEqual([true, false]);
  expect(await isInUse()).toBe(true);
  expect(faults()).toEqual([]);
});

test('an export that the replica ends begins again on the primary, and has each row once', async () => {
  const { _id } = await addRow('First of many');
  await addManyDeals(opened.db, _id, 8000);
  const id = await blockWrites(
    opened.db,
    'hold_exports',
    sql`update on exports for each row`,
    async (untilBlocked) => {
      const begun = await beginExport();
      await untilBlocked();
      await lockDeals();
      await expect
        .poll(() => administer("select from pg_stat_activity where state like 'idle in transaction%'"))
        .toEqual([]);
      return begun;
    },
  );
  const names = await exportedNames(id);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(await countReported());
  expect(faults()).toHaveLength(1);
  await expect.poll(isInUse).toBe(true);
});

test('a replica that is behind is left out with one line, reads are complete meanwhile, and it is used again once it has caught up', async () => {
  await replica.close();
  replica = await openWith(1000, 3000);
  await expect.poll(isInUse).toBe(true);
  await administer('select pg_wal_replay_pause()');
  const before = await countReported();
  await addRow('Not replayed');
  const counts = await Promise.all([countReported(), countReported(), countReported()]);
  expect(counts).toEqual([before + 1, before + 1, before + 1]);
  expect(faults()).toEqual([{ reason: 'it is behind the primary', lagBytes: expect.any(Number) }]);
  expect(await replica.measure()).toMatchObject({ isInUse: false });
  await administer('select pg_wal_replay_resume()');
  await expect.poll(isInUse).toBe(true);
  expect(info.mock.calls).toEqual([['replica used again']]);
  expect(await countReported()).toBe(before + 1);
});

test('a replica that falls silent or crashes is left out at the first read, and is used again once it is back', async () => {
  const before = await countReported();
  line.silence();
  expect(await countReported()).toBe(before);
  expect(faults()).toEqual([{ reason: 'it does not respond' }]);
  await expect.poll(isInUse).toBe(true);
  await standby!.stop();
  expect(await countReported()).toBe(before);
  expect(await isInUse()).toBe(false);
  expect(faults()).toHaveLength(2);
  standby = await startReplica();
  await expect.poll(isInUse).toBe(true);
});

test('of several hosts the one that is a replica is used', async () => {
  const lineToPrimary = await openFaultyLine(socketOf(host));
  const found = await openReplica(urlAt(lineToPrimary.port, line.port), opened.db, log);
  await expect.poll(() => found.read(isReplica)).toBe(true);
  await found.close();
  await lineToPrimary.close();
});

test('a start refuses a primary, another database and a pooler as the replica, each in one line', async () => {
  const open = (url: string) => openReplica(url, opened.db, log);
  await expect(open(urlOf(primary.connection))).rejects.toThrow(
    /^DATABASE_REPLICA_URL leads to a primary: [^\n]+$/,
  );
  await sql`create database other`.execute(opened.db);
  await expect.poll(() => administer("select from pg_database where datname = 'other'")).toHaveLength(1);
  await expect(open(urlAt(line.port).replace(/\w+$/, 'other'))).rejects.toThrow(
    /^DATABASE_REPLICA_URL leads to another database than DATABASE_URL: [^\n]+$/,
  );
  if (!hasTool('pgbouncer')) return;
  for (const setting of ['', 'ignore_startup_parameters = options']) {
    const pooler = await openPgBouncer({ ...primary.connection, host: standby!.socketFolder }, setting);
    await expect(open(pooler.url)).rejects.toThrow(/^DATABASE_REPLICA_URL leads to a pooler: [^\n]+$/);
    await pooler.close();
  }
});

test('the program starts with a replica that it measures, without one that is not reached, and not with a primary', async () => {
  const environment = {
    DATABASE_URL: urlOf(primary.connection),
    SECRET_KEY: TEST_KEY.toString('base64'),
    METRICS_PORT: String(await freePort()),
  };
  const start = (url: string) =>
    startInProcess(join(folder, 'data'), { ...environment, DATABASE_REPLICA_URL: url });
  const readReport = async ({ url }: { url: string }) =>
    (await callServer(url, 'GET /reports', admin.token)).body.total.deals;
  const readMetrics = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${environment.METRICS_PORT}/metrics`)).text();
  const count = await countReported();

  const started = await start(urlAt(line.port));
  expect(await readReport(started)).toBe(count);
  await expect.poll(readMetrics).toMatch(/forecourt_replica_in_use 1\n[^]*forecourt_replica_lag_bytes \d+\n/);
  await started.stop();
  const alone = await start('postgresql://127.0.0.1:1/none');
  expect(await readReport(alone)).toBe(count);
  const metrics = await readMetrics();
  expect(metrics).toContain('forecourt_replica_in_use 0\n');
  expect(metrics).not.toMatch(/^forecourt_replica_lag_bytes /m);
  await alone.stop();
  await expect(start(environment.DATABASE_URL)).rejects.toThrow(/^DATABASE_REPLICA_URL leads to a primary: /);
});

test('a replica that became a primary is left out; one that follows it is used after its restart point, and never with the former primary', async () => {
  await expect.poll(isInUse).toBe(true);
  await standby!.promote();
  await expect.poll(() => administer('select pg_is_in_recovery() as is')).toEqual([{ is: false }]);
  const before = await countReported();
  await addRow('After the failover');
  expect(await countReported()).toBe(before + 1);
  expect(faults()).toEqual([{ reason: expect.stringContaining('leads to a primary') }]);

  const { socketFolder } = standby!;
  const promoted = openDatabase({ ...primary.connection, host: socketFolder }, createLog('silent'));
  await sql`create table later as select generate_series(1, 10000)`.execute(promoted.db);
  const sibling = await startStreaming('sibling', {}, socketFolder);
  const siblingUrl = urlOf({ ...primary.connection, host: sibling.socketFolder });
  const following = await openReplica(siblingUrl, promoted.db, log, { retryMs: 100 });
  const hasLater = () => administer("select to_regclass('forecourt.later') is not null as is", sibling);
  await expect.poll(hasLater).toEqual([{ is: true }]);
  await administer('checkpoint', sibling);
  await expect.poll(() => following.read(isReplica)).toBe(true);
  await following.close();

  warn.mockClear();
  const diverged = await openReplica(siblingUrl, opened.db, log);
  expect(faults()).toEqual([{ reason: 'its timeline is 00000002, that of the primary is 00000001' }]);
  expect(await diverged.read(isReplica)).toBe(false);
  await diverged.close();
  await promoted.close();
  await sibling.stop();
});
