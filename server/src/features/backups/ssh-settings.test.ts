import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { withRefusedEntries } from '../../../test/refused-entries.ts';
import { openSshHost } from '../../../test/ssh-host.ts';

const [server, host] = await Promise.all([testApp(), openSshHost()]);
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
afterEach(async () => {
  await server.db.deleteFrom('rate_limit_events').execute();
  for (const name of await readdir(host.folder)) await rm(join(host.folder, name), { recursive: true });
});
afterAll(async () => {
  await server.close();
  await host.close();
});

const settings = (changes: object = {}) => ({
  enabled: true,
  host: '127.0.0.1',
  port: host.port,
  username: host.username,
  authMethod: 'privateKey',
  privateKey: host.privateKey,
  passphrase: host.passphrase,
  remotePath: host.folder,
  keepLocalCopies: true,
  connectionTimeout: 30,
  serverName: 'office',
  ...changes,
});
/** As sent by the screen with empty secret fields. */
const untouched = (changes: object = {}) => settings({ privateKey: '', passphrase: '', ...changes });
const by = (token: string | undefined, route: string, body?: object) =>
  server.call(`${route.split(' ')[0]} /backups/ssh-settings${route.split(' ')[1] ?? ''}`, {
    ...(token !== undefined && { token }),
    ...(body && { body }),
  });
const save = (body: object) => by(admin.token, 'POST', body);
const tryOut = (body: object) => by(admin.token, 'POST /test', body);
const get = async () => (await by(admin.token, 'GET')).body;
const row = () => server.db.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow();
const audits = async () =>
  (
    await server.db
      .selectFrom('audit_entries')
      .where('action', 'like', 'backup-settings.%')
      .orderBy('id')
      .selectAll()
      .execute()
  ).map(({ action, after }) => ({ action, after }));

test('SSH settings are off with default values before the first save', async () => {
  expect(await get()).toEqual({
    enabled: false,
    host: '',
    port: 22,
    username: '',
    authMethod: 'privateKey',
    remotePath: '',
    keepLocalCopies: true,
    connectionTimeout: 30,
    serverName: '',
    hasPrivateKey: false,
    hasPassphrase: false,
    hasPassword: false,
    hostKey: null,
    lastVerified: null,
    version: 1,
  });
});

describe('input', () => {
  test.each([
    [{ host: '' }, 'host', 'Host is required'],
    [{ host: 'a host' }, 'host', 'Must be a host name or an address'],
    [{ username: ' ' }, 'username', 'Username is required'],
    [{ remotePath: '' }, 'remotePath', 'Remote path is required'],
    [{ remotePath: '~/backups' }, 'remotePath', expect.any(String)],
    [{ privateKey: undefined }, 'privateKey', 'Private key is required'],
    [{ privateKey: 'no key' }, 'privateKey', expect.stringContaining('cannot be read')],
    [{ passphrase: 'wrong' }, 'privateKey', expect.stringContaining('cannot be read')],
    [{ passphrase: '' }, 'privateKey', expect.stringContaining('cannot be read')],
    [{ authMethod: 'password' }, 'password', 'Password is required'],
    [{ authMethod: 'password', password: '   ' }, 'password', 'Password is required'],
    [{ authMethod: 'none' }, 'authMethod', expect.any(String)],
    [{ port: 0 }, 'port', 'Must be from 1 to 65535'],
    [{ port: 65_536 }, 'port', 'Must be from 1 to 65535'],
    [{ connectionTimeout: 4 }, 'connectionTimeout', 'Must be from 5 to 300 seconds'],
    [{ connectionTimeout: 301 }, 'connectionTimeout', 'Must be from 5 to 300 seconds'],
    [{ serverName: '../x' }, 'serverName', expect.any(String)],
    [{ acceptHostKey: 'SHA256:x', surprise: 1 }, 'surprise', 'Unknown field'],
  ])('saving SSH settings rejects %j', async (changes, field, message) => {
    for (const reply of [await save(settings(changes)), await tryOut(settings(changes))]) {
      expect(reply).toMatchObject({ status: 400, body: { errors: { [field]: message } } });
    }
    expect((await get()).enabled).toBe(false);
  });

  test('saving SSH settings requires nothing while copying is off', async () => {
    expect(await save({ enabled: false, connectionTimeout: 5 })).toMatchObject({
      status: 200,
      body: { enabled: false, connectionTimeout: 5 },
    });
  });
});

describe('secrets', () => {
  test('secrets of SSH settings are sealed, and in no response and no audit entry', async () => {
    const reply = await save(settings());
    expect(reply).toMatchObject({
      status: 200,
      body: { enabled: true, hasPrivateKey: true, hasPassphrase: true, hasPassword: false },
    });
    const stored = await row();
    expect(stored.ssh_private_key).toMatch(/^v1\./);
    const secret = host.privateKey.split('\n')[2]!;
    const seen = JSON.stringify([reply.body, stored, await audits(), await get()]);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain(host.passphrase);
    expect((await audits()).at(-1)).toMatchObject({
      action: 'backup-settings.updated',
      after: { host: '127.0.0.1', typedAnew: ['privateKey', 'passphrase'] },
    });
  });

  test('secrets of SSH settings are preserved when left blank, while host, port and username are unchanged', async () => {
    await save(settings());
    expect(await save(untouched({ serverName: 'other', remotePath: '/elsewhere' }))).toMatchObject({
      status: 200,
      body: { serverName: 'other', hasPrivateKey: true, hasPassphrase: true },
    });
    expect((await tryOut(untouched())).status).toBe(200);
    for (const changes of [{ host: 'evil.example' }, { port: 2222 }, { username: 'mallory' }]) {
      const errors = { privateKey: 'Enter the private key again: host, port or username has changed' };
      for (const reply of [await save(untouched(changes)), await tryOut(untouched(changes))])
        expect(reply, JSON.stringify(changes)).toMatchObject({ status: 400, body: { errors } });
    }
    expect((await tryOut(untouched())).status).toBe(200);
  });

  test('a new key requires its own passphrase, and another method its own secret', async () => {
    await save(settings());
    expect(await save(settings({ passphrase: '' }))).toMatchObject({
      status: 400,
      body: { errors: { privateKey: expect.stringContaining('cannot be read') } },
    });
    const password = { authMethod: 'password', password: 'hunter2' };
    expect((await save(untouched(password))).body).toMatchObject({ hasPrivateKey: false, hasPassword: true });
    expect(await save(untouched())).toMatchObject({
      status: 400,
      body: { errors: { privateKey: 'Private key is required' } },
    });
  });

  test('secrets sealed with another key count as missing', async () => {
    await save(settings());
    await server.db.updateTable('backup_settings').set({ ssh_private_key: 'v1.otherkey.a.b.c' }).execute();
    expect(await get()).toMatchObject({ enabled: true, hasPrivateKey: false });
  });

  test('the response of GET can be sent back and changes nothing', async () => {
    await save(settings());
    const [before, count] = [await get(), (await audits()).length];
    expect((await save(before)).body).toEqual(before);
    expect(await audits()).toHaveLength(count);
  });
});

test('settings saved by another administrator since are not overwritten, even if only a secret changed', async () => {
  const seen = (await save(settings())).body;
  const current = (await save(settings({ version: seen.version }))).body;
  expect(current).toEqual({ ...seen, version: seen.version + 1 });
  const stale = { status: 409, body: { code: 'CONFLICT', current } };
  expect(await save(untouched({ version: seen.version, remotePath: '/elsewhere' }))).toMatchObject(stale);
  expect(await get()).toEqual(current);
  const replies = await Promise.all(
    ['/one', '/two'].map((remotePath) => save(untouched({ version: current.version, remotePath }))),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
});

describe('the connection test', () => {
  test('the SSH connection test connects, creates the folder, writes and cleans up; the settings are verified once saved', async () => {
    const remotePath = join(host.folder, 'office');
    const changed = settings({ remotePath });
    expect(await tryOut(changed)).toMatchObject({
      status: 200,
      body: {
        message: 'SSH connection verified successfully',
        details: `127.0.0.1 takes copies of backups into ${remotePath}. The folder ${remotePath} was made.`,
        hostKey: host.fingerprint(),
      },
    });
    expect(await readdir(remotePath)).toEqual([]);
    expect((await save(changed)).body).toMatchObject({
      lastVerified: expect.stringMatching(/Z$/),
      hostKey: host.fingerprint(),
    });
    expect((await save(settings({ remotePath: host.folder }))).body.lastVerified).toBeNull();
  });

  test.each([
    [{ host: 'nowhere.invalid' }, 'name'],
    [{ host: '169.254.169.254' }, 'connection'],
    [{ username: 'nobody-of-that-name' }, 'signIn'],
    [{ remotePath: '/dev/null/copies' }, 'folder'],
    [{ remotePath: '/proc' }, 'write'],
  ])('the SSH connection test with %j names the failed step: %s', async (changes, step) => {
    expect(await tryOut(settings(changes))).toMatchObject({
      status: 400,
      body: {
        code: 'SSH_SERVER_REFUSED',
        message: 'Connection test failed',
        details: expect.stringMatching(/\.$/),
        errors: { step },
      },
    });
  });

  test('the SSH connection test is limited to ten a minute, failed ones included', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await tryOut(settings({ host: '169.254.169.254' }))).status).toBe(400);
    expect((await tryOut(settings())).status).toBe(429);
  });
});

test('the SSH connection rejects another host key until exactly that one is accepted', async () => {
  await save(settings());
  expect((await tryOut(untouched())).status).toBe(200);
  const known = host.fingerprint();
  await host.changeHostKey();
  const shown = host.fingerprint();
  expect(await tryOut(untouched())).toMatchObject({
    status: 400,
    body: {
      errors: { step: 'hostKey', hostKey: shown },
      details: expect.stringContaining('another host key than before'),
    },
  });
  expect((await tryOut(untouched({ acceptHostKey: known }))).status).toBe(400);
  expect((await get()).hostKey).toBe(known);
  const accepted = untouched({ acceptHostKey: shown, remotePath: '/dev/null/copies' });
  await withRefusedEntries(server.db, () => tryOut(accepted));
  expect((await get()).hostKey).toBe(known);
  expect(await tryOut(accepted)).toMatchObject({ status: 400, body: { errors: { step: 'folder' } } });
  expect((await audits()).at(-1)).toMatchObject({
    action: 'backup-settings.host-key-pinned',
    after: { hostKey: shown },
  });
  expect((await get()).hostKey).toBe(shown);
  expect((await tryOut(untouched())).status).toBe(200);
  expect((await audits()).at(-1)).toMatchObject({
    action: 'backup-settings.verified',
    after: { hostKey: shown },
  });
});
