import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { LIMITS, openDatabase } from '../src/platform/db/database.ts';
import { chooseBinaries } from '../src/platform/db/embedded/choose-binaries.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts';
import { commandLine, findLauncher } from '../src/platform/db/embedded/postgres-programs.ts';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { newId } from '../src/platform/ids.ts';
import { openEventBus } from '../src/platform/live/event-bus.ts';
import { createLog } from '../src/platform/log.ts';
import { testApp, type Reply } from './app.ts';
import { makeDataFolder } from './data-folder.ts';
import { lineTo } from './database.ts';

const log = createLog('silent');
const startPrimary = (dataDir: string) =>
  startEmbeddedPostgres({ dataDir, log, changes: { fsync: 'off', shared_buffers: '16MB' } });
const socketOf = (folder: string) => join(folder, '.s.PGSQL.5432');

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

/** Starts a standby on a folder of a stopped primary, which serves reads. */
async function startStandby(cluster: string, socketFolder: string): Promise<ChildProcess> {
  await writeFile(join(cluster, 'standby.signal'), '');
  await mkdir(socketFolder);
  const args = ['-D', cluster, '-k', socketFolder, '-c', 'listen_addresses=', '-c', 'shared_buffers=16MB'];
  const launcher = await findLauncher();
  const { postgres } = await chooseBinaries({ cluster, launcher });
  const standby = spawn(...commandLine(launcher, postgres, args), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  for await (const text of createInterface({ input: standby.stderr })) {
    if (text.endsWith('ready to accept read-only connections')) break;
  }
  standby.stderr.resume();
  return standby;
}

/** Changes a setting of the primary while it runs. */
async function configure(text: string): Promise<void> {
  const cluster = join(folder, 'primary', 'postgres');
  await appendFile(join(cluster, 'postgresql.auto.conf'), `${text}\n`);
  const pid = Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGHUP');
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
  await primary.stop();
  await cp(join(folder, 'primary', 'postgres'), join(folder, 'standby'), { recursive: true });
  const standbySocket = join(folder, 'socket');
  const standby = await startStandby(join(folder, 'standby'), standbySocket);
  primary = await startPrimary(join(folder, 'primary'));

  line.redirect(socketOf(standbySocket));
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
  standby.kill('SIGQUIT');
  await once(standby, 'exit');
});

test('a write that waits for a lost standby returns 503, the next ones are refused, and a repetition writes nothing twice', async () => {
  await configure("synchronous_standby_names = 'lost'");
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
