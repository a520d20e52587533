import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { emptyDatabase } from '../../../test/database.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { createLog } from '../../platform/log.ts';
import { callToEnd, digestOf, fillRandomly, makeOne, wipe } from './backups.fixture.ts';

const SETS = process.env.LONG_TESTS ? 100 : 3;

let server: TestApp;
let admin: Person;
beforeAll(async () => {
  server = await testApp();
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
});
afterAll(() => server.close());

const restore = (name: string) => callToEnd(server, admin, `POST /backups/${name}/restore`);

/** The administrator's own row is written anew by a restore: that they stay one. */
const comparable = async () => {
  const { users: _users, ...digests } = await digestOf(server.db);
  return digests;
};

test(
  `${SETS} random data sets come back as they were: back up, wipe, restore`,
  { timeout: SETS * 20_000 },
  async () => {
    const random = seededRandom('round-trip');
    for (let set = 1; set <= SETS; set += 1) {
      await wipe(server.db);
      await fillRandomly(server.db, random);
      const before = await comparable();
      const name = await makeOne(server, admin);
      await wipe(server.db);
      expect(await comparable()).not.toEqual(before);
      const { status, body } = await restore(name);
      expect([status, body]).toMatchObject([
        200,
        { preRestoreBackup: expect.stringMatching(/^pre_restore_/) },
      ]);
      expect(await comparable(), `set ${set}`).toEqual(before);
    }
    process.stdout.write(`round trips: ${SETS} data sets, ${SETS} equal digests\n`);
  },
);

test('after a restore rows can be added and changed as before: counters, triggers and references are there', async () => {
  await fillRandomly(server.db, seededRandom('round-trip-after'));
  const name = await makeOne(server, admin);
  await restore(name);
  await fillRandomly(server.db, seededRandom('round-trip-after-2'));
  const deal = server.db.selectFrom('deals').select('id').limit(1);
  await expect(
    server.db
      .updateTable('deals')
      .set({ owner_id: '01930000-0000-7000-8000-00000000ffff' })
      .where('id', '=', deal)
      .execute(),
  ).rejects.toMatchObject({ code: '23503' });
  await expect(server.db.deleteFrom('audit_entries').execute()).rejects.toThrow('cannot be changed');
});

const hasPsql = spawnSync('psql', ['--version']).status === 0;

// Where psql is not installed there is nothing to load it with.
test.skipIf(!hasPsql)('psql alone loads a backup into an empty database', { timeout: 60_000 }, async () => {
  await wipe(server.db);
  await fillRandomly(server.db, seededRandom('psql'));
  const file = join(server.dataDir, 'backups', await makeOne(server, admin));
  const empty = await emptyDatabase();
  try {
    execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '--single-transaction', empty.url], {
      input: gunzipSync(await readFile(file)),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const loaded = openDatabase(empty.connection, createLog('silent'), 1);
    try {
      expect(await digestOf(loaded.db)).toEqual(await digestOf(server.db));
    } finally {
      await loaded.close();
    }
  } finally {
    await empty.close();
  }
});
