import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { makeDataFolder } from '../../../test/data-folder.ts';
import { inDatabaseOf, postmasterPid } from '../../../test/people.ts';
import {
  ADMIN,
  callServer,
  signInAsAdmin,
  startServer,
  stopSchedule,
  type ServerProcess,
} from '../../../test/process.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { digestOf } from './backups.fixture.ts';

const ROUNDS = process.env.LONG_TESTS ? 200 : 3;
/** The steps of a restore; each round waits for one of them, or for a random moment. */
const STEPS = [
  'swapping',
  'over',
  'by lot',
  'loading',
  'by lot',
  'preRestore',
  'by lot',
  'inspecting',
  'preparing',
];

let server: ServerProcess;
const dataDir = await makeDataFolder('restore-kills-');
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Inserts some hundred rows of each important kind, with a mark that distinguishes old from new. */
const fill = (mark: string) =>
  inDatabaseOf(dataDir, async (db) => {
    await sql`
      insert into dealerships (id, name, address, owner_id)
      select gen_random_uuid(), ${mark}, '1 Street', (select id from users limit 1)
      from generate_series(1, 20)`.execute(db);
    await sql`
      insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
      select gen_random_uuid(), '01930000-0000-7000-8000-000000000001', (select id from dealerships limit 1), ${mark},
        '2026-11', u.id, u.id, u.id from generate_series(1, 2000), (select id
        from users limit 1) u`.execute(db);
  });

/** Returns a digest of the marked data, without the restoring user, whose row a restore changes. */
const digests = async (): Promise<string> => {
  const { users: _users, passwords: _passwords, ...rest } = await inDatabaseOf(dataDir, digestOf);
  return JSON.stringify(rest);
};

const scratches = () =>
  inDatabaseOf(dataDir, async (db) => {
    const { rows } =
      await sql`select nspname from pg_namespace where nspname like 'forecourt_scratch%'`.execute(db);
    return rows.length;
  });

/** Returns the status of a job that has ended. */
async function statusAtEnd(url: string, jobId: string, token: string): Promise<string> {
  let status = '';
  const readStatus = async () => {
    status = (await callServer(url, `GET /jobs/${jobId}`, token)).body.status;
    return status;
  };
  await expect.poll(readStatus).not.toBe('running');
  return status;
}

async function makeBackup(token: string): Promise<string> {
  const { body } = await callServer(server.url, 'POST /backups', token);
  expect(await statusAtEnd(server.url, body.jobId, token)).toBe('succeeded');
  return body.name;
}

/** Resolves when the restore is over, also if it takes longer than its request waits, or when its server was killed. */
async function restore(name: string, token: string): Promise<void> {
  const { url } = server;
  try {
    const { body } = await callServer(url, `POST /backups/${name}/restore`, token, {});
    if (body.jobId) await statusAtEnd(url, body.jobId, token);
  } catch {
    // The server was killed.
  }
}

/** Resolves when the restore is at this step, or over. */
const untilStep = (step: string, restoring: Promise<unknown>): Promise<void> =>
  inDatabaseOf(dataDir, async (db) => {
    const over = new AbortController();
    void restoring.then(() => over.abort());
    for (let seen = ''; !over.signal.aborted && seen !== step;) {
      const job = await db
        .selectFrom('jobs')
        .select('step')
        .where('kind', '=', 'restore')
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
      seen = job?.step ?? '';
    }
  });

/** Resolves once database and server respond again, ignoring responses from before. */
async function untilServing(): Promise<string> {
  for (;;) {
    const { body } = await callServer(server.url, 'POST /auth/login', undefined, ADMIN);
    const isThere = await inDatabaseOf(dataDir, (db) => sql`select 1`.execute(db)).catch(() => undefined);
    if (isThere && body.token) return body.token;
  }
}

test(
  `a restore that is killed at ${ROUNDS} random points, with the app or the database, leaves exactly the old or exactly the new data`,
  { timeout: 300_000 + ROUNDS * 30_000 },
  async () => {
    const random = seededRandom('restore-kills');
    server = await startServer(dataDir);
    let token = await signInAsAdmin(server.url);
    await stopSchedule(server.url, token);
    await fill('new');
    const name = await makeBackup(token);
    const asNew = await digests();
    await fill('old');
    const asOld = await digests();
    const oldName = await makeBackup(token);
    const from = performance.now();
    await restore(oldName, token);
    // Kills are spread over the duration of a restore on this machine; some come too late.
    const spreadMs = 1.2 * (performance.now() - from);
    let isOld = true;
    let swaps = 0;
    const seen = { old: 0, new: 0, app: 0, database: 0 };

    for (let round = 1; round <= ROUNDS; round += 1) {
      const restoring = restore(isOld ? name : oldName, token);
      const step = STEPS[round % STEPS.length]!;
      // Not a wait for a condition: the moment of the kill is random. The last kill comes when the restore is over.
      if (round === ROUNDS) await restoring;
      else if (step === 'by lot') await after(random() * spreadMs);
      else await untilStep(step, restoring);
      const isApp = random() < 0.5;
      seen[isApp ? 'app' : 'database'] += 1;
      if (isApp) {
        await server.kill();
        server = await startServer(dataDir);
      } else {
        process.kill(await postmasterPid(dataDir), 'SIGKILL');
        await restoring;
      }
      await restoring;
      token = await untilServing();
      const now = await digests();
      expect([asOld, asNew], `round ${round}`).toContain(now);
      const wasOld: boolean = isOld;
      isOld = now === asOld;
      if (isOld !== wasOld) swaps += 1;
      seen[isOld ? 'old' : 'new'] += 1;
    }
    // Leftovers of a kill are removed after the next start.
    await server.kill();
    server = await startServer(dataDir);
    await expect.poll(scratches).toBe(0);
    const names = await readdir(join(dataDir, 'backups'));
    const { body: list } = await callServer(server.url, 'GET /backups', token);
    for (const { name, verifiedAt } of list.items) {
      expect(names).toContain(name);
      expect(verifiedAt, name).toEqual(expect.any(String));
    }
    expect(seen.new, 'rounds in which a restore was over before the kill').toBeGreaterThan(0);
    // Replaced data is in a pre-restore backup.
    expect(names.filter((name) => name.startsWith('pre_restore_')).length).toBeGreaterThanOrEqual(swaps);
    process.stdout.write(`kills of a restore: ${ROUNDS} rounds, ${JSON.stringify(seen)}, 0 mixed\n`);
  },
);
