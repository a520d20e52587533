import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { createClock } from '../../platform/clock.ts';
import { AppError } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { addCopy, anotherInstance } from './backups.fixture.ts';
import type { BackupStore } from './backups.service.ts';
import { withBackupLock } from './lock.ts';
import { createScheduler } from './scheduler.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Noon in Sydney, so that no restore test is due. */
const NOON = Date.parse('2026-11-21T01:00:00Z');
/** 3 o'clock in Sydney, when a restore test is due. */
const NIGHT = Date.parse('2026-11-21T16:00:00Z');

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const other = await anotherInstance(server);
const backups = other.store;
beforeEach(async () => {
  await server.db.deleteFrom('backups').execute();
  await rm(join(server.dataDir, 'backups'), { recursive: true, force: true });
  await server.db
    .updateTable('backup_settings')
    .set({
      scheduler_running: true,
      last_hour: new Date(NOON).toISOString(),
      hour_leased_until: null,
      hour_started_at: null,
      last_problem: null,
      restore_test_problem: null,
      last_restore_test: '2026-11-21',
      restore_test_leased_until: null,
      restore_test_started_at: null,
    })
    .execute();
});
afterAll(async () => {
  await other.close();
  await server.close();
});

/** One run of an instance at this time; without the slow restore test unless given. */
const lookAt = (
  at: number,
  testNewest: BackupStore['testNewest'] = async () => null,
  create = backups.create,
  stopping?: AbortSignal,
) =>
  createScheduler({
    db: server.db,
    log: createLog('silent'),
    clock: createClock('Australia/Sydney'),
    backups: { ...backups, create, testNewest },
    events: { announce: () => {} },
    now: async () => new Date(at),
  }).runDue(stopping);
const names = async () => (await backups.list()).map(({ name }) => name);
const count = async () => (await names()).length;
const status = async () => (await server.call('GET /backups/scheduler/status', { token: admin.token })).body;
const call = (what: string) => server.call(`POST /backups/scheduler/${what}`, { token: admin.token });
/** Simulates that this much time has passed since an instance last renewed its lease. */
const leasesRunOut = () =>
  server.db
    .updateTable('backup_settings')
    .set({ hour_leased_until: sql`now() - interval '1 s'` })
    .execute();
/** The work of a process that is killed never ends. */
const killed = () => new Promise<never>(() => {});

describe('a full hour', () => {
  test('a full hour is backed up once by any number of instances', async () => {
    await Promise.all([0, 1, 2].map((late) => lookAt(NOON + HOUR_MS + late)));
    await leasesRunOut();
    await lookAt(NOON + HOUR_MS + 60_000);
    expect(await backups.list()).toMatchObject([
      { name: expect.stringMatching(/^auto_backup_/), verified_at: expect.any(String) },
    ]);
  });

  test('an automatic backup follows each full hour, with none in between', async () => {
    for (const minutes of [0, 59, 60, 61, 119, 120]) await lookAt(NOON + minutes * 60_000);
    expect(await count()).toBe(2);
  });

  test('one automatic backup is created for all missed hours', async () => {
    await lookAt(NOON + 5 * HOUR_MS + 1_800_000);
    await lookAt(NOON + 5 * HOUR_MS + 1_860_000);
    expect(await count()).toBe(1);
  });

  test('an hourly backup is taken over from an instance that died at it', async () => {
    await server.db
      .updateTable('backup_settings')
      .set({ hour_leased_until: sql`now() + interval '1 minute'` })
      .execute();
    await lookAt(NOON + HOUR_MS);
    expect(await count()).toBe(0);
    await leasesRunOut();
    await lookAt(NOON + HOUR_MS);
    expect(await count()).toBe(1);
  });

  test('an hourly backup that ends because its instance stops has not failed, and another instance creates it', async () => {
    const stopping = new AbortController();
    const create = async (): Promise<string> => {
      stopping.abort();
      throw new Error('The connection was closed.');
    };
    await lookAt(NOON + HOUR_MS, undefined, create, stopping.signal);
    const { rows } = await sql`select last_problem from backup_settings`.execute(server.db);
    expect(rows).toEqual([{ last_problem: null }]);
    await lookAt(NOON + HOUR_MS);
    expect(await count()).toBe(1);
  });

  test('the schedule continues after a wrong clock: a day back, and eight days ahead and back again', async () => {
    await lookAt(NOON - DAY_MS);
    await lookAt(NOON - DAY_MS + HOUR_MS);
    expect(await count()).toBe(2);
    await lookAt(NOON + 8 * DAY_MS);
    await lookAt(NOON + HOUR_MS);
    await lookAt(NOON + 2 * HOUR_MS);
    expect(await count()).toBe(5);
  });

  test('an hourly backup waits during another one, and does not count as failed', async () => {
    await withBackupLock(server.connection, () => lookAt(NOON + HOUR_MS));
    expect(await count()).toBe(0);
    expect(await status()).toMatchObject({ alerts: [] });
    await leasesRunOut();
    await lookAt(NOON + HOUR_MS);
    expect(await count()).toBe(1);
  });
});

describe('when it fails', () => {
  test('a failed hourly backup appears in the status, deletes no earlier backup, and is retried until it succeeds', async () => {
    await addOld(5);
    const folder = join(server.dataDir, 'backups');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'a file in the way');
    await lookAt(NOON + HOUR_MS);
    expect(await status()).toMatchObject({
      isRunning: true,
      alerts: [{ kind: 'backupFailed', problem: expect.stringMatching(/\.$/) }],
    });
    expect(await count()).toBe(5);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    await lookAt(NOON + HOUR_MS);
    expect(await count()).toBe(5);
    await leasesRunOut();
    await lookAt(NOON + HOUR_MS);
    expect(await status()).toMatchObject({ alerts: [] });
    expect((await names())[0]).toMatch(/^auto_backup_/);
  });
});

describe('when its process is killed', () => {
  test('each interrupted backup is an alert with its time, also while the next one runs, until one succeeds', async () => {
    const alerts = async () => (await status()).alerts;
    const create = vi.fn<BackupStore['create']>(killed);
    for (const attempt of [1, 2, 3]) {
      void lookAt(NOON + HOUR_MS, undefined, create);
      await expect.poll(() => create.mock.calls.length).toBe(attempt);
      expect(await alerts()).toHaveLength(attempt === 1 ? 0 : 1);
      await server.db
        .updateTable('backup_settings')
        .set({ hour_started_at: `2026-11-21T01:0${attempt}:00Z` })
        .execute();
      await leasesRunOut();
    }
    void lookAt(NOON + HOUR_MS, undefined, create);
    await expect.poll(alerts).toEqual([
      {
        kind: 'backupFailed',
        problem:
          'The backup that began on 21 November 2026 at 12:03 was interrupted: the program ended, for example because memory ran out, or lost the database.',
      },
    ]);
    await leasesRunOut();
    await lookAt(NOON + HOUR_MS);
    expect(await alerts()).toEqual([]);
    expect(await count()).toBe(1);
  });

  test('a backup that failed or was postponed is not reported as interrupted', async () => {
    await lookAt(NOON + HOUR_MS, undefined, () => Promise.reject(new AppError('NO_SPACE')));
    await leasesRunOut();
    await withBackupLock(server.connection, () => lookAt(NOON + HOUR_MS));
    await leasesRunOut();
    const create = vi.fn<BackupStore['create']>(killed);
    void lookAt(NOON + HOUR_MS, undefined, create);
    await expect.poll(() => create.mock.calls.length).toBe(1);
    expect((await status()).alerts).toEqual([
      { kind: 'backupFailed', problem: expect.stringContaining('disk') },
    ]);
  });
});

describe('after 7 days', () => {
  const left = async () => (await names()).slice(1);

  test('automatic backups are deleted, except the newest three verified', async () => {
    await addOld(6);
    await lookAt(NOON + HOUR_MS);
    expect(await left()).toEqual([old(0), old(1)]);
    const entries = await server.db
      .selectFrom('audit_entries')
      .where('action', '=', 'backup.deleted')
      .orderBy('id', 'desc')
      .limit(4)
      .select(['actor_name', 'after'])
      .execute();
    expect(entries).toEqual(
      [2, 3, 4, 5].map((index) => ({ actor_name: 'System', after: { name: old(index) } })),
    );
  });

  test('backups damaged since their verification do not count', async () => {
    await addOld(6);
    for (const index of [0, 1, 2]) await damage(index);
    await lookAt(NOON + HOUR_MS);
    expect(await left()).toEqual([old(3), old(4)]);
  });

  test('a backup fetched from the SSH server is kept for 7 more days', async () => {
    await addOld(6);
    const fetch_started_at = new Date(NOON).toISOString();
    await server.db.updateTable('backups').set({ fetch_started_at }).where('name', '=', old(5)).execute();
    await lookAt(NOON + HOUR_MS);
    expect(await left()).toEqual([old(0), old(1), old(5)]);
  });

  test('backups on the SSH server only are dropped from the list, except the newest three', async () => {
    await addOld(6);
    for (const { name } of await backups.list()) await backups.removeLocal(name);
    await addCopy(server.db);
    await lookAt(NOON + HOUR_MS);
    expect(await left()).toEqual([old(0), old(1)]);
  });

  test('nothing is deleted while fewer than three are verified', async () => {
    await addOld(4);
    for (const index of [0, 2, 3]) await damage(index);
    await lookAt(NOON + HOUR_MS);
    expect(await left()).toEqual([0, 1, 2, 3].map(old));
  });
});

describe('every night', () => {
  test('the newest backup is tested by a restore, once a night', async () => {
    await lookAt(NOON + HOUR_MS);
    const real = () => backups.testNewest();
    await lookAt(NIGHT - 60_000, real);
    expect((await backups.list()).filter(({ proven_at }) => proven_at !== null)).toEqual([]);
    await lookAt(NIGHT, real);
    const [newest] = await backups.list();
    expect(newest).toMatchObject({ proven_at: expect.any(String) });
    await lookAt(NIGHT + 60_000, real);
    expect((await backups.list())[0]!.proven_at).toBe(newest!.proven_at);
  });

  const minutesPass = (minutes: number) =>
    server.db
      .updateTable('backup_settings')
      .set({
        restore_test_leased_until: sql`restore_test_leased_until - make_interval(secs => ${minutes * 60})`,
      })
      .execute();

  test.each([
    ['its instance died', 2, () => new Promise<null>(() => {})],
    ['it failed', 0, () => Promise.reject(new Error('The server did not answer.'))],
  ])('a test is repeated after %s: 1, 5 and 25 minutes later, four times at most', async (_, lease, run) => {
    const prove = vi.fn<BackupStore['testNewest']>(run);
    const attempts = () => prove.mock.calls.length;
    const look = async () => {
      const looking = lookAt(NIGHT, prove).catch(() => {});
      // An instance that dies does not end; one that fails stores when the next attempt is due.
      if (lease === 0) await looking;
    };
    await look();
    for (const [index, minutes] of [1, 5, 25].entries()) {
      await expect.poll(attempts).toBe(index + 1);
      await minutesPass(lease + minutes - 0.5);
      await lookAt(NIGHT, prove);
      expect(attempts()).toBe(index + 1);
      await minutesPass(0.6);
      await look();
    }
    await expect.poll(attempts).toBe(4);
    await minutesPass(600);
    await lookAt(NIGHT, prove);
    expect(attempts()).toBe(4);
    const [alert] = (await status()).alerts;
    expect(alert).toMatchObject({
      kind: 'restoreTestFailed',
      problem: expect.stringMatching(
        lease === 0 ? 'log' : /^The restore test that began on .* was interrupted/,
      ),
    });
    const next = vi.fn<BackupStore['testNewest']>(async () => null);
    for (const _again of [0, 1]) await lookAt(NIGHT + DAY_MS, next);
    expect(next).toHaveBeenCalledOnce();
  });

  test('a failed or negative restore test is an alert until one succeeds', async () => {
    await lookAt(NOON + HOUR_MS);
    const [{ name } = { name: '' }] = await backups.list();
    const setProblem = (problem: string | null) =>
      server.db.updateTable('backups').set({ problem }).where('name', '=', name).execute();
    const alerts = async () => (await status()).alerts;
    await lookAt(NIGHT, () => Promise.reject(new AppError('NO_SPACE'))).catch(() => {});
    expect(await alerts()).toEqual([{ kind: 'restoreTestFailed', problem: expect.stringContaining('disk') }]);
    await minutesPass(2);
    await setProblem('It is damaged.');
    await lookAt(NIGHT, async () => name);
    expect(await alerts()).toEqual([{ kind: 'restoreTestFailed', problem: 'It is damaged.' }]);
    await setProblem(null);
    await lookAt(NIGHT + DAY_MS, async () => name);
    expect(await alerts()).toEqual([]);
  });

  test('a restore test waits for a running backup, and the waiting is not an attempt', async () => {
    const busy = vi.fn<BackupStore['testNewest']>(() => Promise.reject(new AppError('BACKUP_BUSY')));
    for (let count = 1; count <= 6; count += 1) {
      await lookAt(NIGHT, busy);
      expect(busy).toHaveBeenCalledTimes(count);
      await minutesPass(1);
    }
  });
});

describe('requests', () => {
  test('a request to stop the schedule of backups applies to every instance; a later start creates no backups for missed hours', async () => {
    expect((await call('stop')).body).toMatchObject({ isRunning: false, nextRun: null });
    await lookAt(NOON + HOUR_MS);
    expect(await count()).toBe(0);
    const { body } = await call('start');
    expect(body).toMatchObject({ isRunning: true, nextRun: expect.stringMatching(/:00:00\.000Z$/) });
    expect(Date.parse(body.nextRun) - Date.now()).toBeLessThanOrEqual(HOUR_MS);
    await lookAt(Date.parse(body.nextRun) - 1);
    expect(await count()).toBe(0);
    const { action, actor_id } = await server.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', 'like', 'backup-scheduler.%')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect([action, actor_id]).toEqual(['backup-scheduler.started', admin.id]);
  });

  test('the request to back up now lists a pending automatic backup', async () => {
    const { status: answered, body } = await call('trigger');
    expect(answered).toBe(200);
    expect(body).toMatchObject({ isRunning: true });
    const [name] = body.activeTasks.length > 0 ? body.activeTasks : await names();
    expect(name).toMatch(/^auto_backup_/);
  });
});

const old = (index: number) => `auto_backup_old_${index}.sql.gz`;
const pathOf = (name: string) => join(server.dataDir, 'backups', name);
const damage = (index: number) => writeFile(pathOf(old(index)), 'damaged');

/** Inserts this many verified automatic backups of eight days ago and earlier, newest first. */
async function addOld(howMany: number): Promise<void> {
  const made = await backups.create('automatic');
  const row = await server.db.selectFrom('backups').selectAll().executeTakeFirstOrThrow();
  for (let index = 0; index < howMany; index += 1) {
    await copyFile(pathOf(made), pathOf(old(index)));
    const at = new Date(NOON - (8 + index) * DAY_MS).toISOString();
    const dates = { created_at: at, verified_at: at, finished_at: at };
    await server.db
      .insertInto('backups')
      .values({ ...row, id: newId(), name: old(index), ...dates })
      .execute();
  }
  await backups.remove(made);
}
