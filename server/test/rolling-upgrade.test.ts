import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../src/platform/db/database.ts';
import { breaksBefore, isBreaking, readMigrations, type Migration } from '../src/platform/db/migrations.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/log.ts';
import { addDeal, addDealership } from './builders.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase } from './database.ts';
import { openLiveStream, readUntil } from './live-stream.ts';
import { callServer, signInAsAdmin, startServer, stopSchedule, type ServerProcess } from './process.ts';
import { findLastRelease, writeNextRelease, writeReleaseOf } from './releases.ts';

let folder: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let started: ServerProcess[];
beforeEach(async () => {
  [folder, database] = await Promise.all([makeDataFolder('rolling-'), emptyDatabase()]);
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()));
  await Promise.all([database.close(), rm(folder, { recursive: true, force: true })]);
});

async function start(root?: string): Promise<ServerProcess> {
  const server = await startServer(join(folder, 'data'), { DATABASE_URL: database.url }, [], root);
  started.push(server);
  return server;
}

const callerOf = ({ url }: ServerProcess) => ({
  call: (route: string, { token, body }: { token: string; body: unknown }) =>
    callServer(url, route, token, body),
});

/** The time between two rows. */
const WRITE_MS = 20;

type Office = { token: string; dealershipId: string };

async function signIn(server: ServerProcess): Promise<Office> {
  const token = await signInAsAdmin(server.url);
  await stopSchedule(server.url, token);
  return { token, dealershipId: await addDealership(callerOf(server), { token }) };
}

/**
 * Adds rows one after the other, each with its idempotency key. As a browser behind a proxy does, it asks the next
 * instance while one is away.
 * `stop` returns the customers of all rows. Rejects when a row is refused.
 */
function startWriting({ token, dealershipId }: Office) {
  const names: string[] = [];
  const ending = new AbortController();
  const write = async (customerName: string): Promise<void> => {
    const key = { 'idempotency-key': newId() };
    for (let attempt = names.length; ; attempt += 1) {
      const { url } = started[attempt % started.length]!;
      const body = { dealershipId, customerName };
      const reply = await callServer(url, 'POST /deals', token, body, key).catch(() => undefined);
      if (reply?.status === 201) return;
      if (reply && reply.status !== 503) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    }
  };
  const run = async (): Promise<string[]> => {
    while (!ending.signal.aborted) {
      const name = `Row ${names.length}`;
      await write(name);
      names.push(name);
      await pause(WRITE_MS);
    }
    return names;
  };
  const running = run();
  running.catch(() => {});
  return {
    count: () => names.length,
    stop: () => {
      ending.abort();
      return running;
    },
  };
}

/** Checks that each of these rows is stored once, and that an instance lists all of them. */
async function expectRows(
  { url }: ServerProcess,
  { token }: Office,
  names: readonly string[],
): Promise<void> {
  const opened = openDatabase(database.connection, createLog('silent'), 1);
  const rows = await opened.db.selectFrom('deals').select('customer_name').execute();
  await opened.close();
  expect(rows.map((row) => row.customer_name).toSorted()).toEqual(names.toSorted());
  expect((await callServer(url, 'GET /deals', token)).body.total).toBe(names.length);
}

const STOPPED =
  /^A newer release has changed the database \(migration \d+ \w+\), which this one can no longer use/;
const stopLines = (server: ServerProcess) =>
  server
    .output()
    .split('\n')
    .filter((line) => STOPPED.test(line));

test('two releases with an expanding migration between them serve writes and live events beside each other', async () => {
  const older = await start();
  const office = await signIn(older);
  const writing = startWriting(office);
  await expect.poll(() => writing.count()).toBeGreaterThan(2);
  const next = await writeNextRelease(join(folder, 'next'), {
    '9001_later.sql':
      "alter table deals add column later text not null default '';\ncreate table later (id uuid);",
  });
  const newer = await start(next);

  const streams = await Promise.all([older, newer].map(({ url }) => openLiveStream(url, office.token)));
  const added: string[] = [];
  for (const server of [older, newer]) {
    const deal = await addDeal(callerOf(server), office, office.dealershipId, {
      customerName: `Live ${server.url}`,
    });
    added.push(deal._id);
    const path = `PATCH /deals/${deal._id}`;
    expect(
      (await callServer(server.url, path, office.token, { version: deal.version, vehicle: 'Ute' })).status,
    ).toBe(200);
  }
  for (const { reader } of streams) await readUntil(reader, (text) => added.every((id) => text.includes(id)));
  for (const stream of streams) stream.stop();

  const soFar = writing.count();
  await expect.poll(() => writing.count()).toBeGreaterThan(soFar + 4);
  const names = [...(await writing.stop()), ...[older, newer].map(({ url }) => `Live ${url}`)];
  for (const server of [older, newer]) {
    expect((await callServer(server.url, 'GET /ready')).status).toBe(200);
    await expectRows(server, office, names);
  }
  expect([await older.stop(), await newer.stop()]).toEqual([0, 0]);
});

test('a release whose part a newer one removes stops with one line, and no row that was acknowledged is lost or doubled', async () => {
  const older = await start();
  const exited = once(older.child, 'close');
  const office = await signIn(older);
  const writing = startWriting(office);
  await expect.poll(() => writing.count()).toBeGreaterThan(2);
  const next = await writeNextRelease(join(folder, 'next'), {
    '9001_title.sql':
      '-- Breaking before 99.0.0: names are titles.\nalter table items rename column name to title;',
  });
  const newer = await start(next);
  expect(await exited).toEqual([1, null]);
  expect(stopLines(older)).toHaveLength(1);

  const soFar = writing.count();
  await expect.poll(() => writing.count()).toBeGreaterThan(soFar + 4);
  await expectRows(newer, office, await writing.stop());
});

test.runIf(process.env.LONG_TESTS)(
  'the last release beside this one serves on or stops by its migrations, and no row is lost or doubled',
  async (context) => {
    const { version, commit } = await findLastRelease();
    if (!commit) {
      context.skip(`This copy of the repository has no commit of release ${version}: git fetch --tags`);
      return;
    }
    const written = await writeReleaseOf(commit, join(folder, 'last'));
    if ('missing' in written) {
      context.skip(`Release ${version} needs packages that are not installed: ${written.missing.join(', ')}`);
      return;
    }

    const known = new Set(
      (await readMigrations(join(written.root, 'server/migrations'))).map((one) => one.version),
    );
    const stopsIt = (one: Migration): boolean => {
      const release = breaksBefore(one);
      return (
        isBreaking(one) && (release === null || version.localeCompare(release, 'en', { numeric: true }) < 0)
      );
    };
    const mustStop = (await readMigrations()).some((one) => !known.has(one.version) && stopsIt(one));

    const last = await start(written.root);
    const exited = once(last.child, 'close');
    const office = await signIn(last);
    const writing = startWriting(office);
    await expect.poll(() => writing.count()).toBeGreaterThan(20);
    const newer = await start();
    const soFar = writing.count();
    await expect.poll(() => writing.count()).toBeGreaterThan(soFar + 20);
    if (mustStop) {
      expect(await exited).toEqual([1, null]);
      expect(stopLines(last)).toHaveLength(1);
    } else {
      expect((await callServer(last.url, 'GET /ready')).status).toBe(200);
      expect(await last.stop()).toBe(0);
    }
    await expectRows(newer, office, await writing.stop());
  },
);
