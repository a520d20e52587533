import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callServer, signInAsAdmin, startServer, type ServerProcess } from './process.ts';
import { seededRandom } from './seeded-random.ts';

const ROUNDS = process.env.LONG_TESTS ? 30 : 2;
const WRITERS = 16;

let dataDir: string;
let server: ServerProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kill-'));
});
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Writes rows until the server is gone. Every id that was answered with 201 is `acknowledged`. */
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
    // The server is gone: what was on its way is unknown, what was answered must be there.
  }
}

/** Every id in the database with how many audit entries say that it was created. */
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
  `killed with -9 while ${WRITERS} writers insert, ${ROUNDS} times: no acknowledged row is lost`,
  { timeout: ROUNDS * 20_000 },
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
      // Not a wait for something: the moment of the kill is what is drawn by lot.
      await after(100 + random() * 400);
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

test('SIGTERM ends it with 0, and everything is still there at the next start', async () => {
  const before = await readAll(server.url, await signInAsAdmin(server.url));
  expect(await server.stop()).toBe(0);
  server = await startServer(dataDir);
  const afterwards = await readAll(server.url, await signInAsAdmin(server.url));
  expect(afterwards).toEqual(before);
});

test('a request that is never sent to its end does not hold up the stop', async () => {
  const { port, hostname } = new URL(server.url);
  const half = connect(Number(port), hostname).on('error', () => {});
  await once(half, 'connect');
  half.write('GET /api/health HTTP/1.1\r\nHo');
  const startedAt = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  server = await startServer(dataDir);
});

test('the database killed with -9 under writers: answers are 201 or 503, it comes back by itself, nothing is lost', async () => {
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
  /** Until something is so, asking the server meanwhile; it must come within 15 s. */
  const until = async (isSo: () => boolean): Promise<void> => {
    const from = performance.now();
    while (!isSo()) {
      await callServer(server.url, 'GET /health');
      expect(performance.now() - from).toBeLessThan(15_000);
    }
  };
  const writers = Array.from({ length: 8 }, write);
  await until(() => acknowledged.length > 0);
  process.kill(await postmasterPid(), 'SIGKILL');
  await until(() => statuses.has(503));
  const beforeTheCrash = acknowledged.length;
  // More than can have been on their way: these were written by the database that came back.
  await until(() => acknowledged.length > beforeTheCrash + writers.length);
  back.abort();
  await Promise.all(writers);
  expect(statuses).toEqual(new Set([201, 503]));
  const present = await readAll(server.url, token);
  expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
});

/** The process id that PostgreSQL wrote into its folder. */
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
