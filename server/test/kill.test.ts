import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { blockWrites } from './block-inserts.ts';
import { makeDataFolder } from './data-folder.ts';
import { inDatabaseOf } from './people.ts';
import { callServer, signInAsAdmin, startServer, type ServerProcess } from './process.ts';
import { seededRandom } from './seeded-random.ts';

const ROUNDS = process.env.LONG_TESTS ? 30 : 2;
const WRITERS = 16;

let server: ServerProcess;
const dataDir = await makeDataFolder('kill-');
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Writes rows until the server stops. `acknowledged` gets every id returned with 201. */
async function write(
  url: string,
  token: string,
  dealershipId: string,
  acknowledged: string[],
): Promise<void> {
  try {
    for (;;) {
      const reply = await callServer(url, 'POST /deals', token, {
        dealershipId,
        customerName: 'Written under fire',
      });
      if (reply.status === 201) acknowledged.push(reply.body._id);
    }
  } catch {
    // The server stopped: pending rows are unknown, acknowledged ones must exist.
  }
}

/** Returns the ids of all rows. */
async function readAll(url: string, token: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await callServer(url, `GET /deals?limit=500${cursor && `&cursor=${cursor}`}`, token);
    for (const deal of body.items) ids.add(deal._id);
    cursor = body.nextCursor;
  }
  return ids;
}

test(
  `the server loses no acknowledged row in ${ROUNDS} kills -9 under ${WRITERS} inserting writers`,
  { timeout: 300_000 + ROUNDS * 60_000 },
  async () => {
    const random = seededRandom('kill');
    const acknowledged: string[] = [];
    let dealershipId = '';
    for (let round = 1; round <= ROUNDS; round += 1) {
      server = await startServer(dataDir);
      const token = await signInAsAdmin(server.url);
      dealershipId ||= await firstDealership(server.url, token);
      const writers = Array.from({ length: WRITERS }, () =>
        write(server.url, token, dealershipId, acknowledged),
      );
      const enough = acknowledged.length + 10 + random() * 300;
      await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThan(enough);
      await server.kill();
      await Promise.all(writers);
    }
    server = await startServer(dataDir);
    const present = await readAll(server.url, await signInAsAdmin(server.url));
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 10);
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    process.stdout.write(`kill -9: ${ROUNDS} rounds, ${acknowledged.length} rows acknowledged, 0 lost\n`);
  },
);

test('the server exits with 0 on SIGTERM, and the next start has all data', async () => {
  const before = await readAll(server.url, await signInAsAdmin(server.url));
  expect(await server.stop()).toBe(0);
  server = await startServer(dataDir);
  const afterwards = await readAll(server.url, await signInAsAdmin(server.url));
  expect(afterwards).toEqual(before);
});

test('a request that never ends does not delay the stop', async () => {
  const { port, hostname } = new URL(server.url);
  const half = connect(Number(port), hostname).on('error', () => {});
  await once(half, 'connect');
  half.write('GET /api/health HTTP/1.1\r\nHo');
  // A stop that takes 10 s is forced, with exit code 1.
  expect(await server.stop()).toBe(0);
  server = await startServer(dataDir);
});

test('the server returns 201 or 503 to writers while the database is killed with -9, reconnects, and loses nothing', async () => {
  const token = await signInAsAdmin(server.url);
  const dealershipId = await firstDealership(server.url, token);
  const statuses = new Set<number>();
  const acknowledged: string[] = [];
  const back = new AbortController();
  const write = async (): Promise<void> => {
    while (!back.signal.aborted) {
      const reply = await callServer(server.url, 'POST /deals', token, {
        dealershipId,
        customerName: 'Through a crash',
      });
      statuses.add(reply.status);
      if (reply.status === 201) acknowledged.push(reply.body._id);
    }
  };
  const writers = Array.from({ length: 8 }, write);
  await expect.poll(() => acknowledged.length).toBeGreaterThan(0);
  process.kill(await postmasterPid(), 'SIGKILL');
  await expect.poll(() => [...statuses]).toContain(503);
  const beforeTheCrash = acknowledged.length;
  // More than the requests in flight, so the recovered database has written some of them.
  await expect.poll(() => acknowledged.length).toBeGreaterThan(beforeTheCrash + writers.length);
  back.abort();
  await Promise.all(writers);
  expect(statuses).toEqual(new Set([201, 503]));
  const present = await readAll(server.url, token);
  expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
});

test('a file that is uploaded while the server is killed is stored once by the next upload, before and after its row', async () => {
  const token = await signInAsAdmin(server.url);
  const dealershipId = await firstDealership(server.url, token);
  const deal = await callServer(server.url, 'POST /deals', token, { dealershipId, customerName: 'Ann' });
  const path = `/api/deals/${deal.body._id}/attachments`;
  const headers = { authorization: `Bearer ${token}` };
  const upload = async (): Promise<Response> => {
    const body = new FormData();
    body.append('file', new Blob(['signed']), 'contract.txt');
    return fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  };
  const storedFiles = async (): Promise<number> =>
    (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length;
  // After the content has its name, and before the commit.
  for (const table of ['files', 'deal_attachments']) {
    await inDatabaseOf(dataDir, async (db) => {
      const event = sql`insert on ${sql.table(table)} for each row`;
      await blockWrites(db, 'hold_files', event, async (untilBlocked) => {
        upload().catch(() => {});
        await untilBlocked();
        expect(await storedFiles()).toBe(1);
        await server.kill();
      });
      await sql`drop function hold_files cascade`.execute(db);
    });
    server = await startServer(dataDir);
    const list = await callServer(server.url, `GET /deals/${deal.body._id}/attachments`, token);
    expect(list).toMatchObject({ status: 200, body: { total: 0 } });
  }
  const { _id } = (await (await upload()).json()) as { _id: string };
  expect(await (await fetch(`${server.url}${path}/${_id}`, { headers })).text()).toBe('signed');
  expect(await storedFiles()).toBe(1);
});

/** Returns the process id in PostgreSQL's pid file. */
const postmasterPid = async (): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

async function firstDealership(url: string, token: string): Promise<string> {
  const template = await callServer(url, 'POST /email-templates', token, {
    name: `Daily ${Date.now()}`,
    subject: 'Your deal',
    status: 'active',
    document: { blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] },
    variables: [],
  });
  const dealership = await callServer(url, 'POST /dealerships', token, {
    name: 'Harbour New Cars',
    address: '1 Pier Street',
    defaultEmailTemplateId: template.body._id,
    contacts: [],
  });
  return dealership.body._id;
}
