import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { countWaiting } from '../../../../test/block-inserts.ts';
import { addDealership } from '../../../../test/builders.ts';
import { makeDataFolder } from '../../../../test/data-folder.ts';
import { inDatabaseOf, postmasterPid } from '../../../../test/people.ts';
import { callServer, signInAsAdmin, startServer, type ServerProcess } from '../../../../test/process.ts';
import { seededRandom } from '../../../../test/seeded-random.ts';

const ROUNDS = process.env.LONG_TESTS ? 100 : 1;
/** Two parts of a revert and a bit. */
const ROWS = 2100;
/** Number of looks at the running revert after which a kill comes at the latest. */
const LOOKS = 60;

let server: ServerProcess;
const dataDir = await makeDataFolder('revert-kills-');
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the number of rows by status, and of sets and entries of reverts. */
const stateOf = () =>
  inDatabaseOf(dataDir, async (db) => {
    const { rows } = await sql<{ called: number; entered: number; sets: number; entries: number }>`
      select (select count(*) from deals join statuses on statuses.id = status_id where name = 'Called')::int as called,
        (select count(*) from deals join statuses on statuses.id = status_id where name = 'Entered')::int as entered,
        (select count(*) from change_sets where kind = 'revert')::int as sets,
        (select count(*) from audit_entries join change_sets on change_sets.id = change_set_id
          where kind = 'revert')::int as entries`.execute(db);
    return rows[0]!;
  });

const waiting = (): Promise<number> => inDatabaseOf(dataDir, countWaiting);

/** Locks a status, for which the first written rows of a revert wait. Returns a function that releases the lock. */
async function lockStatus(name: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: nowLocked } = Promise.withResolvers<void>();
  const holding = inDatabaseOf(dataDir, (db) =>
    db.transaction().execute(async (trx) => {
      await sql`select from statuses where name = ${name} for update`.execute(trx);
      nowLocked();
      await released;
    }),
  ).catch(() => undefined);
  await Promise.race([locked, holding]);
  return async () => {
    release();
    await holding;
  };
}

test(
  `a revert killed in the middle ${ROUNDS} times, the app or the database: all rows or none, and a repeat takes back once`,
  { timeout: 300_000 + ROUNDS * 40_000 },
  async () => {
    const random = seededRandom('revert-kills');
    server = await startServer(dataDir);
    let token = await signInAsAdmin(server.url);
    const call = (route: string, given: { token?: string; body?: unknown } = {}) =>
      callServer(server.url, route, given.token ?? token, given.body);
    const dealershipId = await addDealership({ call }, { token } as never);
    const rows = Array.from({ length: ROWS }, () => ({ dealershipId, customerName: 'Ann Example' }));
    expect((await call('POST /deals/import', { body: { rows } })).status).toBe(201);
    const ids = await inDatabaseOf(dataDir, async (db) =>
      (await db.selectFrom('deals').select('id').execute()).map(({ id }) => id),
    );
    expect((await call('POST /deals/bulk/status', { body: { ids, status: 'Called' } })).status).toBe(200);
    let { _id: set } = (await call('GET /changes?limit=1')).body.items[0];
    const seen = { app: 0, database: 0, none: 0, all: 0 };

    for (let round = 1; round <= ROUNDS; round += 1) {
      const send = () =>
        fetch(`${server.url}/api/changes/${set}/revert`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': `round-${round}`,
          },
          body: '{}',
        }).catch(() => undefined);
      const before = await stateOf();
      // The first revert cannot finish before the kill, because the status of its rows is locked.
      const unlock = round === 1 ? await lockStatus('Entered') : undefined;
      const sending = send();
      const over = new AbortController();
      void sending.then(() => over.abort());
      if (unlock) await expect.poll(waiting).toBe(1);
      else
        for (let looks = Math.floor(random() * LOOKS); looks > 0 && !over.signal.aborted; looks -= 1)
          await waiting();
      const isApp = round % 2 === 1;
      seen[isApp ? 'app' : 'database'] += 1;
      if (isApp) await server.kill();
      else process.kill(await postmasterPid(dataDir), 'SIGKILL');
      await unlock?.();
      await sending;
      await server.kill();
      server = await startServer(dataDir);
      token = await signInAsAdmin(server.url);

      const left = await stateOf();
      const isDone = left.sets > before.sets;
      seen[isDone ? 'all' : 'none'] += 1;
      const done = {
        called: before.entered,
        entered: before.called,
        sets: before.sets + 1,
        entries: before.entries + ROWS,
      };
      expect(left, `round ${round}`).toEqual(isDone ? done : before);
      const repeat = await send();
      const body = (await repeat!.json()) as { changeSetId: string; reverted: number };
      expect([repeat!.status, body.reverted], JSON.stringify(body)).toEqual([200, ROWS]);
      expect(await stateOf()).toEqual(done);
      set = body.changeSetId;
    }
    expect(seen.none, 'rounds in which the kill came before the end').toBeGreaterThan(0);
    process.stdout.write(`kills of a revert: ${ROUNDS} rounds, ${JSON.stringify(seen)}, 0 in part\n`);
  },
);
