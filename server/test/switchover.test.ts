import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { LIMITS, openDatabase } from '../src/platform/db/database.ts';
import type { EmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { newId } from '../src/platform/ids.ts';
import { openEventBus } from '../src/platform/live/event-bus.ts';
import { createLog } from '../src/platform/log.ts';
import { testApp, type Reply } from './app.ts';
import { makeDataFolder } from './data-folder.ts';
import { lineTo } from './database.ts';
import { openFaultyLine } from './faulty-line.ts';
import { openLiveStream, readUntil } from './live-stream.ts';
import { socketOf, startPrimary, startStandby, type Standby } from './standby.ts';

const log = createLog('silent');
let primary: EmbeddedPostgres;
const folder = await makeDataFolder('switchover-');
primary = await startPrimary(join(folder, 'primary'));
await migrate(primary.connection, await readMigrations(), log);
const { connection, ...opening } = await lineTo(primary.connection);
const line = opening.line;
// Writes that get no response end after a second instead of 10.
const opened = openDatabase(connection, log, 6, undefined, { ...LIMITS, statement_timeout: '1000' });
const server = await testApp({}, { database: { ...opened, connection } });
const admin = await server.person({ role: 'admin' });
afterAll(async () => {
  await server.close();
  await line.close();
  await primary?.stop();
  await rm(folder, { recursive: true, force: true });
});

const write = (name = newId()): Promise<Reply> =>
  server.call('POST /item-configurations', {
    token: admin.token,
    body: { name },
    headers: { 'idempotency-key': name },
  });
const health = () => server.call('GET /ready');

/** Restarts the primary, and starts a standby on a copy of its folder, which serves reads and gets no later writes. */
async function copyToStandby(name: string): Promise<Standby> {
  await primary.stop();
  const cluster = join(folder, name);
  await cp(join(folder, 'primary', 'postgres'), cluster, { recursive: true });
  const standby = await startStandby(cluster);
  primary = await startPrimary(join(folder, 'primary'));
  return standby;
}

/** Changes a setting of the primary while it runs. */
async function configure(text: string): Promise<void> {
  const cluster = join(folder, 'primary', 'postgres');
  await appendFile(join(cluster, 'postgresql.auto.conf'), `${text}\n`);
  const pid = Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGHUP');
}

/** Whether a commit gets no response. Its session waits on. */
async function isCommitWaiting(): Promise<boolean> {
  const client = new pg.Client({ ...primary.connection, query_timeout: 300 });
  client.on('error', () => {});
  await client.connect();
  try {
    // Writes to the log and to no table.
    await client.query("select pg_logical_emit_message(true, 'probe', '')");
    await client.end();
    return false;
  } catch {
    return true;
  }
}

test('a switchover returns 503 with the reason and never 500, and the next connections reach the new primary', async () => {
  const eventBus = openEventBus(server.connection, log, 50);
  const statuses: number[] = [];
  const attempt = async () => {
    const { status, body } = await write();
    statuses.push(status);
    return body.message ?? status;
  };
  expect(await attempt()).toBe(201);
  const standby = await copyToStandby('standby');

  line.redirect(socketOf(standby.socketFolder));
  await expect
    .poll(attempt)
    .toBe('The database is read-only. Nothing was saved. Please try again in a moment.');
  expect((await server.call('GET /item-configurations', { token: admin.token })).status).toBe(200);
  await expect
    .poll(health)
    .toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', message: 'The database is read-only.' } });
  expect((await server.call('GET /live')).status).toBe(200);
  await expect.poll(() => eventBus.isListening()).toBe(false);

  line.redirect(socketOf(primary.connection.host));
  await expect.poll(attempt).toBe(201);
  await expect.poll(async () => (await health()).status).toBe(200);
  await expect.poll(() => eventBus.isListening()).toBe(true);
  expect(new Set(statuses)).toEqual(new Set([201, 503]));
  await eventBus.close();
  await standby.stop();
});

test('a write that waits for a lost standby returns 503, the next ones are refused, and a repetition writes nothing twice', async () => {
  await configure("synchronous_standby_names = 'lost'");
  // Sessions use the setting only after the checkpointer has read it.
  await expect.poll(isCommitWaiting).toBe(true);
  expect(await write('once')).toMatchObject({
    status: 503,
    body: {
      message:
        'The standby of the database does not respond. It is not known whether this was saved; please check before you try again.',
    },
  });
  expect(await write()).toMatchObject({
    status: 503,
    body: {
      message:
        'The standby of the database does not respond. Nothing was saved. Please try again in a moment.',
    },
  });
  expect(await health()).toMatchObject({
    status: 503,
    body: { message: 'The standby of the database does not respond.' },
  });
  expect((await server.call('GET /item-configurations', { token: admin.token })).status).toBe(200);

  await configure("synchronous_standby_names = ''");
  await expect.poll(async () => (await health()).status).toBe(200);
  expect((await write('once')).status).toBe(201);
  const { body: list } = await server.call('GET /item-configurations', { token: admin.token });
  expect(list.items.filter(({ name }: { name: string }) => name === 'once')).toHaveLength(1);
});

test('an instance with several hosts writes to the primary, and after a failover that lost transactions to the new one, and its pages reload', async () => {
  const standby = await copyToStandby('behind');
  const { user, database } = primary.connection;
  const lines = [
    await openFaultyLine(socketOf(standby.socketFolder)),
    await openFaultyLine(socketOf(primary.connection.host)),
  ];
  const hosts = lines.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const severalHosts = { connectionString: `postgresql://${user}@${hosts}/${database}` };
  const opened = openDatabase(severalHosts, log, 6);
  const instance = await testApp({}, { database: { ...opened, connection: severalHosts } });
  const add = (name: string) =>
    instance
      .call('POST /item-configurations', { token: admin.token, body: { name } })
      .then(({ status }) => status);
  expect(await add('lost')).toBe(201);
  const url = await instance.app.listen({ port: 0, host: '127.0.0.1' });
  const stream = await openLiveStream(url, admin.token);
  await readUntil(stream.reader, (text) => text.includes('permissions'));

  lines[1]!.redirect('/nowhere');
  lines[1]!.breakAll();
  await expect.poll(() => add('refused')).toBe(503);
  await standby.promote();
  await expect(readUntil(stream.reader, () => false)).rejects.toThrow('the stream ended');
  await expect.poll(() => add('kept')).toBe(201);
  const { body: list } = await instance.call('GET /item-configurations', { token: admin.token });
  const names = list.items.map(({ name }: { name: string }) => name);
  expect(names).toContain('kept');
  expect(names).not.toContain('lost');
  const next = await openLiveStream(url, admin.token);
  const received = readUntil(next.reader, (text) => text.includes('"action":"created"'));
  expect(await add('live')).toBe(201);
  await received;
  next.stop();
  await instance.close();
  await Promise.all(lines.map((one) => one.close()));
  await standby.stop();
});
