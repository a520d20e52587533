import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TEST_KEY, testApp, type Person, type TestApp } from '../../../test/app.ts';
import { openSshHost } from '../../../test/ssh-host.ts';
import type { SshHost } from '../../../test/sshd.ts';
import { readConfig } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { engineOf } from './engine.fixture.ts';
import type { Engine } from './engine.ts';
import { createCopies } from './ssh-copies.ts';
import { createSshSettingsService } from './ssh-settings.service.ts';

let server: TestApp;
let host: SshHost;
let admin: Person;
let engine: Engine;
let closeEngine: () => Promise<void>;
beforeAll(async () => {
  [server, host] = await Promise.all([testApp(), openSshHost()]);
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  ({ engine, close: closeEngine } = await engineOf(server));
});
beforeEach(async () => {
  await server.db.deleteFrom('backups').execute();
  await host.limitFiles(undefined);
  for (const name of await readdir(host.folder)) await rm(join(host.folder, name));
  await saveSettings();
});
afterAll(async () => {
  await closeEngine();
  await server.close();
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

/** One round of an instance. */
const copyDue = () => {
  const settings = createSshSettingsService({ secrets: createSecrets(TEST_KEY), config: readConfig({}) });
  const events = { announce: () => {} };
  return createCopies({ db: server.db, log: createLog('silent'), engine, settings, events }).copyDue();
};
const listed = async (): Promise<
  { name: string; isLocal: boolean; remote: string; remoteProblem: string }[]
> => (await server.call('GET /backups', { token: admin.token })).body.items;
const copies = async () => (await readdir(host.folder)).sort();
const localPath = (name: string) => join(server.dataDir, 'backups', name);
/** As if the time to try again had come. */
const later = () =>
  server.db
    .updateTable('backups')
    .set({ copy_due_at: sql`now()`, copy_leased_until: null })
    .execute();

test('every backup that is made is copied once, under a name that says whose it is', async () => {
  const made = [await engine.make('automatic'), await engine.make('manual')];
  await Promise.all([copyDue(), copyDue()]);
  expect(await copies()).toEqual(made.map((name) => `office_${name}`).sort());
  expect(await listed()).toMatchObject([
    { remote: 'copied', isLocal: true },
    { remote: 'copied', isLocal: true },
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

test('what was made before copies were turned on, or uploaded, stays here', async () => {
  await saveSettings({ enabled: false });
  await engine.make('manual');
  await copyDue();
  await saveSettings();
  await copyDue();
  expect(await copies()).toEqual([]);
  expect(await listed()).toMatchObject([{ remote: 'none' }]);
});

test('without local copies the file goes once its copy is verified, and not before', async () => {
  await saveSettings({ keepLocalCopies: false });
  const name = await engine.make('manual');
  await host.limitFiles(0);
  await copyDue();
  expect(await listed()).toMatchObject([
    {
      isLocal: true,
      remote: 'failed',
      remoteProblem: 'The server did not take the file. Check that its disk has room.',
    },
  ]);
  expect(existsSync(localPath(name))).toBe(true);
  expect(await copies()).toEqual([]);

  await host.limitFiles(undefined);
  await copyDue();
  expect(await listed(), 'not before its time').toMatchObject([{ remote: 'failed' }]);
  await later();
  await copyDue();
  expect(await listed()).toMatchObject([{ isLocal: false, remote: 'copied', remoteProblem: null }]);
  expect(existsSync(localPath(name))).toBe(false);
  expect(await copies()).toEqual([`office_${name}`]);
});

test('what is damaged here is not taken for a copy, and stays', async () => {
  await saveSettings({ keepLocalCopies: false });
  const name = await engine.make('manual');
  await writeFile(localPath(name), 'damaged');
  await copyDue();
  expect(await copies()).toEqual([]);
  expect(await listed()).toMatchObject([{ isLocal: true, remote: 'failed' }]);
});

test('a copy that an instance died at is taken over, and one that was taken over is left alone', async () => {
  const name = await engine.make('manual');
  await server.db
    .updateTable('backups')
    .set({ remote: 'waiting', copy_attempts: 1, copy_leased_until: sql`now() + interval '1 minute'` })
    .execute();
  await copyDue();
  expect(await copies()).toEqual([]);
  await later();
  await copyDue();
  expect(await copies()).toEqual([`office_${name}`]);
});

test('a server that shows another key gets nothing', async () => {
  await engine.make('manual');
  await copyDue();
  expect(await copies()).toHaveLength(1);
  await host.changeHostKey();
  await engine.make('manual');
  await copyDue();
  expect(await copies()).toHaveLength(1);
  expect(await listed()).toMatchObject([
    { remote: 'failed', remoteProblem: expect.stringContaining('another host key than before') },
    { remote: 'copied' },
  ]);
});
