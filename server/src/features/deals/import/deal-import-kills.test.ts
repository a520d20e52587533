import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { addDealership } from '../../../../test/builders.ts';
import { makeDataFolder } from '../../../../test/data-folder.ts';
import { inDatabaseOf, postmasterPid } from '../../../../test/people.ts';
import { callServer, signInAsAdmin, startServer, type ServerProcess } from '../../../../test/process.ts';
import { seededRandom } from '../../../../test/seeded-random.ts';

const ROUNDS = process.env.LONG_TESTS ? 30 : 2;
const ROWS = 10_000;

let server: ServerProcess;
const dataDir = await makeDataFolder('import-kills-');
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends the rows of a round. Returns undefined if the server was killed before it responded. */
async function send(token: string, key: string, rows: object[]) {
  const response = await fetch(`${server.url}/api/deals/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ rows }),
  }).catch(() => undefined);
  return (
    response && {
      status: response.status,
      body: (await response.json()) as { jobId?: string; total?: number },
    }
  );
}

type Left = { deals: number; entries: number; written: number | null; status: string | null };

/** Returns the number of stored rows and audit entries of a round, and the state of its newest job. */
const leftOf = (key: string): Promise<Left> =>
  inDatabaseOf(dataDir, async (db) => {
    const { rows } = await sql<Left>`
      select (select count(*) from deals where customer_name = ${key})::int as deals,
        (select count(*) from audit_entries where after ->> 'customerName' = ${key})::int as entries,
        job.done as written, job.status
      from (values (1)) as one left join lateral
        (select done, status from jobs
        where idempotency_key = ${key} order by created_at desc limit 1) as job on true`.execute(db);
    return rows[0]!;
  });

/** Locks a dealership, which blocks new rows. Returns a function that releases the lock. */
async function lockDealership(id: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: nowLocked } = Promise.withResolvers<void>();
  const holding = inDatabaseOf(dataDir, (db) =>
    db.transaction().execute(async (trx) => {
      await sql`select from dealerships where id = ${id} for update`.execute(trx);
      nowLocked();
      await released;
    }),
  );
  await Promise.race([locked, holding]);
  return async () => {
    release();
    await holding;
  };
}

/**
 * Restarts the server after the heartbeat of running jobs has expired, so that it marks them as failed.
 * Returns a session token.
 */
async function startAgain(): Promise<string> {
  await server.kill();
  server = await startServer(dataDir);
  await inDatabaseOf(dataDir, (db) =>
    db
      .updateTable('jobs')
      .set({ heartbeat_at: sql`now() - interval '1 minute'` })
      .where('status', '=', 'running')
      .execute(),
  );
  await server.kill();
  server = await startServer(dataDir);
  return signInAsAdmin(server.url);
}

test(
  `an import killed in the middle ${ROUNDS} times, the app or the database: all rows or none, and a repeat adds none twice`,
  { timeout: 300_000 + ROUNDS * 40_000 },
  async () => {
    const random = seededRandom('import-kills');
    server = await startServer(dataDir);
    let token = await signInAsAdmin(server.url);
    const call = (route: string, given: { token?: string; body?: unknown } = {}) =>
      callServer(server.url, route, given.token ?? token, given.body);
    const dealershipId = await addDealership({ call }, { token } as never);
    const seen = { app: 0, database: 0, none: 0, all: 0 };

    for (let round = 1; round <= ROUNDS; round += 1) {
      const key = `round-${round}`;
      const rows = Array.from({ length: ROWS }, () => ({ dealershipId, customerName: key }));
      // The first import cannot finish before the kill, since the dealership of its rows is locked.
      const unlock = round === 1 ? await lockDealership(dealershipId) : undefined;
      const sending = send(token, key, rows);
      const over = new AbortController();
      void sending.then(() => over.abort());
      // Kills at a random number of written rows, or after the import has finished.
      const from = unlock ? 0 : Math.floor(random() * 5) * 2000;
      while (!over.signal.aborted && ((await leftOf(key)).written ?? -1) < from);
      const isApp = round % 2 === 1;
      seen[isApp ? 'app' : 'database'] += 1;
      if (isApp) await server.kill();
      else process.kill(await postmasterPid(dataDir), 'SIGKILL');
      await unlock?.();
      const response = await sending;
      token = await startAgain();

      const left = await leftOf(key);
      expect([0, ROWS], `round ${round}`).toContain(left.deals);
      expect(left.entries).toBe(left.deals);
      expect(left.status, 'what the job says').toBe(left.deals === 0 ? 'failed' : 'succeeded');
      if (response?.status === 201) expect(left.deals).toBe(ROWS);
      seen[left.deals === 0 ? 'none' : 'all'] += 1;

      const repeat = await send(token, key, rows);
      const jobId = repeat?.body.jobId;
      if (jobId) {
        const job = async () => (await callServer(server.url, `GET /jobs/${jobId}`, token)).body.status;
        await expect.poll(job).toBe('succeeded');
      } else expect(repeat).toMatchObject({ status: 201, body: { total: ROWS } });
      expect(await leftOf(key)).toMatchObject({ deals: ROWS, entries: ROWS });
    }
    expect(seen.none, 'rounds in which the kill came before the end').toBeGreaterThan(0);
    process.stdout.write(`kills of an import: ${ROUNDS} rounds, ${JSON.stringify(seen)}, 0 in part\n`);
  },
);
