import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backup } from '@forecourt/contract/backups';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { openFaultyLine } from '../../../test/faulty-line.ts';
import { withRefusedEntries } from '../../../test/refused-entries.ts';
import { openSshHost } from '../../../test/ssh-host.ts';
import { uploadFile } from '../../../test/uploads.ts';
import { readConfig } from '../../platform/config.ts';
import { newId } from '../../platform/ids.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { addCopy, anotherInstance, callToEnd, jobEnd } from './backups.fixture.ts';
import { createCopies } from './copies.ts';
import { createSshSettingsService } from './ssh-settings.service.ts';

/**
 * The id of the last audit entry before the test. Tests read only later entries, because backups that two tests create
 * in the same second have the same name.
 */
let entryBefore: number;
const [server, host] = await Promise.all([testApp(), openSshHost()]);
const line = await openFaultyLine(host.port);
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
const other = await anotherInstance(server);
const backups = other.store;
beforeEach(async () => {
  await server.db.deleteFrom('backups').execute();
  await rm(join(server.dataDir, 'backups'), { recursive: true, force: true });
  line.fail(undefined);
  await host.limitFiles(undefined);
  for (const name of await readdir(host.folder)) await rm(join(host.folder, name), { recursive: true });
  await saveSettings();
  const { id } = await server.db
    .selectFrom('audit_entries')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  entryBefore = id;
});
afterAll(async () => {
  await other.close();
  await server.close();
  await line.close();
  await host.close();
});

async function saveSettings(changes: object = {}): Promise<void> {
  const body = {
    enabled: true,
    host: '127.0.0.1',
    port: host.port,
    username: host.username,
    authMethod: 'privateKey',
    privateKey: host.privateKey,
    passphrase: host.passphrase,
    remotePath: host.folder,
    serverName: 'office',
    ...changes,
  };
  expect(await server.call('POST /backups/ssh-settings', { token: admin.token, body })).toMatchObject({
    status: 200,
  });
}

const instance = (options: { checkMs?: number } = {}) => {
  const parts = { secrets: createSecrets(TEST_KEY), config: readConfig({}) };
  const destinations = [createSshSettingsService(parts).destination];
  const events = { announce: () => {} };
  return createCopies({ db: server.db, log: createLog('silent'), backups, destinations, events, ...options });
};
/** One run of an instance. */
const copyDue = () => instance().copyDue();
const listed = async (): Promise<Backup[]> =>
  (await server.call('GET /backups', { token: admin.token })).body.items;
const copies = async () => (await readdir(host.folder)).sort();
const localPath = (name: string) => join(server.dataDir, 'backups', name);
/** Simulates that the next attempt is due. */
const later = () =>
  server.db
    .updateTable('backup_copies')
    .set({ due_at: sql`now()`, leased_until: null })
    .execute();

test('the worker copies every new backup once, under a name with the installation', async () => {
  const made = [await backups.create('automatic'), await backups.create('manual')];
  await Promise.all([copyDue(), copyDue()]);
  expect(await copies()).toEqual(made.map((name) => `office_${name}`).sort());
  expect(await listed()).toMatchObject([
    { copies: [{ state: 'copied' }], isLocal: true },
    { copies: [{ state: 'copied' }], isLocal: true },
  ]);
  const [name] = made as [string];
  expect(await readFile(join(host.folder, `office_${name}`))).toEqual(await readFile(localPath(name)));
  const copied = await server.db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', '=', 'backup.copied')
    .execute();
  expect(copied).toHaveLength(2);
});

test('the worker copies a new backup at once, instead of at the next check', async () => {
  const jobs = await startJobs(server.connection, createLog('silent'));
  await jobs.start([instance({ checkMs: 3_600_000 }).job]);
  for (let count = 1; count <= 2; count += 1) {
    await backups.create('manual');
    jobs.recurring.get('backup-copies')!.runDue();
    await expect.poll(copies).toHaveLength(count);
  }
  await jobs.stop();
});

test('the copier does not copy backups created before copying was turned on, or uploaded', async () => {
  await saveSettings({ enabled: false });
  await backups.create('manual');
  await copyDue();
  await saveSettings();
  await copyDue();
  expect(await copies()).toEqual([]);
  expect(await listed()).toMatchObject([{ copies: [] }]);
});

test('the copier deletes the local file once its copy is verified, when local copies are off', async () => {
  await saveSettings({ keepLocalCopies: false });
  const name = await backups.create('manual');
  await host.limitFiles(0);
  await copyDue();
  expect(await listed()).toMatchObject([
    {
      isLocal: true,
      copies: [
        { state: 'failed', problem: 'The server did not take the file. Check that its disk has room.' },
      ],
    },
  ]);
  expect(existsSync(localPath(name))).toBe(true);
  expect(await copies()).toEqual([]);

  await host.limitFiles(undefined);
  await copyDue();
  expect(await listed(), 'not before its time').toMatchObject([{ copies: [{ state: 'failed' }] }]);
  await later();
  await copyDue();
  expect(await listed()).toMatchObject([{ isLocal: false, copies: [{ state: 'copied', problem: null }] }]);
  expect(existsSync(localPath(name))).toBe(false);
  expect(await copies()).toEqual([`office_${name}`]);
});

test('the copier does not copy or delete a damaged local file', async () => {
  await saveSettings({ keepLocalCopies: false });
  const name = await backups.create('manual');
  await writeFile(localPath(name), 'damaged');
  await copyDue();
  expect(await copies()).toEqual([]);
  expect(await listed()).toMatchObject([{ isLocal: true, copies: [{ state: 'failed' }] }]);
});

test('a copy counts neither as made nor as failed without its audit entry, and is repeated', async () => {
  // Pins the host key, which has an entry too.
  const first = await backups.create('manual');
  await copyDue();
  await backups.remove(first);
  // The next one has the same name if it is made in the same second.
  await rm(join(host.folder, `office_${first}`));
  const name = await backups.create('manual');
  const copyWithoutEntry = () => expect(copyDue()).rejects.toThrow('no entry');
  await withRefusedEntries(server.db, copyWithoutEntry);
  expect(await listed()).toMatchObject([{ copies: [{ state: 'waiting' }] }]);
  await host.limitFiles(0);
  await later();
  await withRefusedEntries(server.db, copyWithoutEntry);
  expect(await listed()).toMatchObject([{ copies: [{ state: 'waiting' }] }]);
  await host.limitFiles(undefined);
  await later();
  await copyDue();
  expect(await listed()).toMatchObject([{ copies: [{ state: 'copied' }] }]);
  expect(await copies()).toContain(`office_${name}`);
});

test('the copier takes over the copy of a dead instance, which then gives it up', async () => {
  const name = await backups.create('manual');
  await addCopy(server.db, { state: 'waiting' });
  await server.db
    .updateTable('backup_copies')
    .set({ attempts: 1, leased_until: sql`now() + interval '1 minute'` })
    .execute();
  await copyDue();
  expect(await copies()).toEqual([]);
  await later();
  await copyDue();
  expect(await copies()).toEqual([`office_${name}`]);
});

/** Creates a backup that exists only on the SSH server, which the settings reach by the faulty connection. */
async function makeRemoteOnly(count = 1): Promise<{ name: string; bytes: Buffer }> {
  await saveSettings({ port: line.port, keepLocalCopies: false });
  const name = await backups.create('manual');
  const bytes = await readFile(localPath(name));
  await copyDue();
  const rows = await listed();
  expect(rows).toHaveLength(count);
  expect(rows[0]).toMatchObject({ name, isLocal: false, isFetchable: true, isFetching: false });
  line.fail(undefined);
  return { name, bytes };
}

describe('the restore test of a backup that is only on the SSH server', () => {
  const proven = async () => (await backups.list()).map(({ proven_at }) => proven_at);

  test('the restore test of a backup that is only on the SSH server uses a temporary copy, and leaves no file', async () => {
    const { name } = await makeRemoteOnly();
    expect(await backups.testNewest()).toBe(name);
    expect(await proven()).toEqual([expect.any(String)]);
    expect(await localFiles()).toEqual([]);
    expect(await listed()).toMatchObject([{ isLocal: false, copies: [{ state: 'copied' }], problem: null }]);
  });

  test('the restore test of a backup that is only on the SSH server fails with the reason when the copy is changed or the server does not answer', async () => {
    const { name, bytes } = await makeRemoteOnly();
    await writeFile(join(host.folder, `office_${name}`), Buffer.alloc(bytes.length));
    await expect(backups.testNewest()).rejects.toMatchObject({ code: 'SSH_SERVER_REFUSED' });
    await rm(join(host.folder, `office_${name}`));
    await expect(backups.testNewest()).rejects.toMatchObject({ code: 'SSH_SERVER_REFUSED' });
    expect(await proven()).toEqual([null]);
    expect(await localFiles()).toEqual([]);
  });
});

const fetchBack = (name: string, by = admin) => callToEnd(server, by, `POST /backups/${name}/fetch`);
const localFiles = () => readdir(join(server.dataDir, 'backups'));
const actionsOf = async (name: string) =>
  (
    await server.db
      .selectFrom('audit_entries')
      .where('id', '>', entryBefore)
      .where(sql<boolean>`after ->> 'name' = ${name}`)
      .where('action', 'like', 'backup.fetch%')
      .orderBy('id')
      .select(['action', 'actor_name'])
      .execute()
  ).map(({ action, actor_name }) => [action, actor_name]);

/** Expects an error with this reason, no local file, and that a fetch can be started again. */
async function expectRefused(name: string, status: number, body: object): Promise<void> {
  expect(await fetchBack(name)).toMatchObject({ status, body });
  expect(await localFiles()).toEqual([]);
  expect(await listed()).toMatchObject([
    { isLocal: false, isFetchable: true, isFetching: false, jobId: null },
  ]);
}

describe('a fetch from the SSH server', () => {
  test('a fetch from the SSH server is for administrators, and for a backup with a remote copy and no valid local file', async () => {
    const here = await backups.create('manual');
    expect((await server.call(`POST /backups/${here}/fetch`)).status).toBe(401);
    expect((await fetchBack(here, clerk)).status).toBe(403);
    expect((await fetchBack('backup_none.sql.gz')).status).toBe(404);
    const refused = (message: string) => ({ status: 409, body: { code: 'BACKUP_NOT_FETCHABLE', message } });
    const notCopied = 'There is no verified copy of this backup.';
    expect(await fetchBack(here)).toMatchObject(refused(notCopied));
    expect(await listed()).toMatchObject([{ isFetchable: false }]);
    await copyDue();
    const isHere = 'The file of this backup is on this server already.';
    expect(await fetchBack(here)).toMatchObject(refused(isHere));
    expect(await listed()).toMatchObject([{ isFetchable: false }]);
    await backups.removeLocal(here);
    await saveSettings({ enabled: false, remotePath: '' });
    const noServer = 'No SSH server is set up. Fill in the SSH settings first.';
    expect(await fetchBack(here)).toMatchObject(refused(noServer));
    expect(await actionsOf(here)).toEqual([]);
  });

  test('a fetch from the SSH server downloads the same bytes, also while copying is off, and the backup can be restored', async () => {
    const { name, bytes } = await makeRemoteOnly();
    await saveSettings({ port: line.port, enabled: false });
    expect(await fetchBack(name)).toMatchObject({ status: 200, body: { name, size: bytes.length } });
    expect(await readFile(localPath(name))).toEqual(bytes);
    expect(await localFiles()).toEqual([name]);
    expect(await listed()).toMatchObject([
      {
        isLocal: true,
        copies: [{ state: 'copied' }],
        problem: null,
        isFetchable: false,
        isFetching: false,
        jobId: null,
      },
    ]);
    expect(await copies()).toEqual([`office_${name}`]);
    expect(await actionsOf(name)).toEqual([
      ['backup.fetchStarted', 'Ada Admin'],
      ['backup.fetched', 'Ada Admin'],
    ]);
    expect(await backups.list()).toMatchObject([{ fetch_started_at: expect.any(String) }]);
    expect((await fetchBack(name)).status).toBe(409);
    expect((await callToEnd(server, admin, `POST /backups/${name}/restore`)).status).toBe(200);
  });

  test('a fetch from the SSH server is not undone by the next round of copies', async () => {
    const { name, bytes } = await makeRemoteOnly();
    await fetchBack(name);
    await copyDue();
    expect(await readFile(localPath(name))).toEqual(bytes);
  });

  test('a fetch from the SSH server finds a copy at its recorded path or that of the current settings, or names both', async () => {
    const { name, bytes } = await makeRemoteOnly();
    const folder = join(host.folder, 'moved');
    await mkdir(folder);
    await saveSettings({ port: line.port, remotePath: folder, serverName: 'branch' });
    await fetchBack(name);
    expect(await readFile(localPath(name))).toEqual(bytes);

    await backups.removeLocal(name);
    const [before, now] = [join(host.folder, `office_${name}`), join(folder, `branch_${name}`)];
    await rename(before, now);
    await fetchBack(name);
    expect(await readFile(localPath(name))).toEqual(bytes);

    await backups.removeLocal(name);
    await rm(now);
    const message = `The copy is not on the server. Looked for: ${before}, ${now}.`;
    await expectRefused(name, 400, { code: 'SSH_SERVER_REFUSED', message });
    expect((await actionsOf(name)).at(-1)).toEqual(['backup.fetchFailed', 'Ada Admin']);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['altered', (bytes) => Buffer.from(bytes).fill(0, bytes.length >> 1)],
    ['cut off', (bytes) => bytes.subarray(1)],
  ])(
    'a fetch from the SSH server leaves no file of a copy that was %s on the server',
    async (_how, change) => {
      const { name, bytes } = await makeRemoteOnly();
      const path = join(host.folder, `office_${name}`);
      await writeFile(path, change(bytes));
      const message = `The file on the server is not the copy that was made: ${path}.`;
      await expectRefused(name, 400, { code: 'SSH_SERVER_REFUSED', message });
      await writeFile(path, bytes);
      expect((await fetchBack(name)).status).toBe(200);
    },
  );

  test('a fetch from the SSH server leaves no file when the connection breaks midway, and can be started again', async () => {
    const { name, bytes } = await makeRemoteOnly();
    expect((await fetchBack(name)).status).toBe(200);
    const afterBytes = line.bytes() - bytes.length / 2;
    await backups.removeLocal(name);
    line.fail({ fault: 'broken', afterBytes });
    await expectRefused(name, 400, { message: 'The connection to the server was lost.' });
    line.fail(undefined);
    expect((await fetchBack(name)).status).toBe(200);
    expect(await readFile(localPath(name))).toEqual(bytes);
  });

  test('a fetch from the SSH server replaces a missing or damaged local file, and follows no link in its place', async () => {
    const { name, bytes } = await makeRemoteOnly();
    await fetchBack(name);
    await writeFile(localPath(name), 'damaged');
    expect(await backups.verify(name)).toBe(false);
    expect(await listed()).toMatchObject([{ isLocal: true, isFetchable: true }]);
    expect((await fetchBack(name)).status).toBe(200);
    expect(await readFile(localPath(name))).toEqual(bytes);

    const target = join(server.dataDir, 'target');
    await writeFile(target, 'as it was');
    await rm(localPath(name));
    await symlink(target, localPath(name));
    expect(await listed()).toMatchObject([{ problem: expect.any(String), isFetchable: true }]);
    expect((await fetchBack(name)).status).toBe(200);
    expect((await lstat(localPath(name))).isFile()).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('as it was');
    expect(await listed()).toMatchObject([{ problem: null, isLocal: true, isFetchable: false }]);
  });

  test('a fetch from the SSH server runs one at a time, shows its progress to every administrator, and blocks no backup', async () => {
    const { name } = await makeRemoteOnly();
    const colleague = await server.person({ role: 'admin', name: 'Cora Colleague' });
    const meanwhile = async () => {
      const [{ isFetching, jobId } = { jobId: null }] = await listed();
      return {
        isFetching,
        job: await server.call(`GET /jobs/${jobId}`, { token: colleague.token }),
        second: await fetchBack(name, colleague),
        made: await backups.create('automatic'),
      };
    };
    const seen = Promise.withResolvers<Awaited<ReturnType<typeof meanwhile>>>();
    line.fail({ fault: () => meanwhile().then(seen.resolve, seen.reject), afterBytes: 1000 });
    expect((await fetchBack(name)).status).toBe(200);
    expect(await seen.promise).toMatchObject({
      isFetching: true,
      job: { status: 200, body: { kind: 'fetch', status: 'running' } },
      second: { status: 409, body: { code: 'BACKUP_BUSY' } },
      made: expect.stringMatching(/^auto_backup_/),
    });
    expect(await actionsOf(name)).toHaveLength(2);
  });

  test('a fetch from the SSH server of a backup deleted meanwhile leaves no file', async () => {
    const { name } = await makeRemoteOnly();
    const remove = () => server.call(`DELETE /backups/${name}?confirm=true`, { token: admin.token });
    line.fail({ fault: remove, afterBytes: 1000 });
    expect(await fetchBack(name)).toMatchObject({
      status: 404,
      body: { message: 'This backup was deleted while it was fetched.' },
    });
    await other.cleanUp();
    expect(await localFiles()).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  test('a fetch from the SSH server continues after the response, ends with its instance, and can be started again on another one', async () => {
    const { name, bytes } = await makeRemoteOnly();
    // Longer than this test may take, as the 120 s of sshd are: only the stop ends the connection.
    await saveSettings({ port: line.port, connectionTimeout: 300 });
    const second = await testApp(
      { DATA_DIR: server.dataDir },
      { database: { ...server, close: async () => {} }, responseMs: 1 },
    );
    const held = Promise.withResolvers<void>();
    line.fail({ fault: () => held.promise, afterBytes: 1000 });
    const { status, body } = await second.call(`POST /backups/${name}/fetch`, { token: admin.token });
    expect([status, body]).toEqual([202, { jobId: expect.any(String) }]);
    await expect.poll(async () => (await listed())[0]?.jobId).toBe(body.jobId);
    await second.close();
    held.resolve();
    expect(await jobEnd(server, admin, body.jobId)).toMatchObject({ status: 'failed', code: 'UNAVAILABLE' });
    expect(await localFiles()).toEqual([]);
    line.fail(undefined);
    expect((await fetchBack(name)).status).toBe(200);
    expect(await readFile(localPath(name))).toEqual(bytes);
  }, 60_000);

  test.each(['remove', 'removeLocal'] as const)(
    '%s waits until the renaming transaction of a fetch has ended',
    async (how) => {
      const name = await backups.create('manual');
      let removing: Promise<void> | undefined;
      await server.db.transaction().execute(async (tx) => {
        await tx.selectFrom('backups').select('id').where('name', '=', name).forUpdate().execute();
        removing = backups[how](name);
        const waiting = sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(async () => (await waiting.execute(server.db)).rows[0]!.count).toBeGreaterThan(0);
        expect(await localFiles()).toEqual([name]);
      });
      await removing;
      expect(await localFiles()).toEqual([]);
    },
  );

  test('a fetch from the SSH server of a dead server counts as running until its job is marked as failed, and can be started again then', async () => {
    const { name, bytes } = await makeRemoteOnly();
    const job = { id: newId(), kind: 'fetch', status: 'running' };
    await server.db.insertInto('jobs').values(job).execute();
    await server.db.updateTable('backups').set({ job_id: job.id }).execute();
    await writeFile(join(server.dataDir, 'backups', '.upload-left'), bytes.subarray(1));
    expect(await listed()).toMatchObject([{ isFetching: true, jobId: job.id }]);
    expect((await fetchBack(name)).status).toBe(409);
    await server.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', job.id).execute();
    expect(await listed()).toMatchObject([{ isLocal: false, isFetching: false, jobId: null }]);
    expect((await fetchBack(name)).status).toBe(200);
    expect(await readFile(localPath(name))).toEqual(bytes);
  });
});

describe('the files that a backup names', () => {
  const remoteFiles = async (): Promise<string[]> =>
    (await readdir(join(host.folder, 'files'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test('the files that a backup names are copied once for all copies, tested there, and fetched with a backup, without those that the server lacks', async () => {
    const deal = await addDeal(server, admin, await addDealership(server, admin));
    const attach = async (content: string): Promise<string> =>
      (await uploadFile(server, admin, `/deals/${deal._id}/attachments`, content)).body._id;
    await attach('first');
    await backups.create('manual');
    await copyDue();
    const [first] = (await remoteFiles()) as [string];
    expect(await readFile(first, 'utf8')).toBe('first');
    const { mtimeMs } = await lstat(first);
    const id = await attach('second');
    const { name } = await makeRemoteOnly(2);
    expect((await remoteFiles()).length).toBe(2);
    expect((await lstat(first)).mtimeMs).toBe(mtimeMs);

    await server.db.deleteFrom('backups').where('name', '<>', name).execute();
    await rm(join(server.dataDir, 'backups'), { recursive: true });
    await rm(join(server.dataDir, 'files'), { recursive: true });
    await backups.testNewest();
    expect(await backups.list()).toMatchObject([{ proven_at: expect.any(String), problem: null }]);
    expect((await fetchBack(name)).status).toBe(200);
    expect((await callToEnd(server, admin, `POST /backups/${name}/restore`)).status).toBe(200);
    const file = await server.call(`GET /deals/${deal._id}/attachments/${id}`, { token: admin.token });
    expect(file.body).toBe('second');

    const second = (await remoteFiles()).find((path) => path !== first)!;
    await rm(second);
    // The pre-restore backup is newer.
    await server.db.deleteFrom('backups').where('name', '<>', name).execute();
    await backups.removeLocal(name);
    await backups.testNewest();
    expect(await backups.list()).toContainEqual(
      expect.objectContaining({
        name,
        proven_at: null,
        problem: expect.stringMatching(/missing beside its copy/),
      }),
    );
    await rm(join(server.dataDir, 'files'), { recursive: true });
    await rm(join(server.dataDir, 'backups', 'files'), { recursive: true });
    expect((await fetchBack(name)).status).toBe(200);
    expect(await listed()).toMatchObject([
      { name, isLocal: true, problem: '1 of its files is missing on this server.' },
    ]);
    await server.db.deleteFrom('deal_attachments').execute();
  });
});

test('the copier sends nothing to and fetches nothing from a server with another host key', async () => {
  await backups.create('manual');
  await copyDue();
  expect(await copies()).toHaveLength(1);
  await host.changeHostKey();
  await backups.create('manual');
  await copyDue();
  expect(await copies()).toHaveLength(1);
  expect(await listed()).toMatchObject([
    { copies: [{ state: 'failed', problem: expect.stringContaining('another host key than before') }] },
    { copies: [{ state: 'copied' }] },
  ]);
  const [, { name } = { name: '' }] = await listed();
  await backups.removeLocal(name);
  expect(await fetchBack(name)).toMatchObject({
    status: 400,
    body: { code: 'SSH_SERVER_REFUSED', message: expect.stringContaining('another host key than before') },
  });
  expect(await localFiles()).not.toContain(name);
});
