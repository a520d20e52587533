import { afterEach, beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp } from '../../../test/app.ts';
import { assertInstallation, claimInstallation } from '../../platform/installation.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { StartError } from '../../platform/start-error.ts';
import { prepareFirstAdmin } from './setup.service.ts';

let server: TestApp;
beforeEach(async () => {
  server = await testApp();
  await claimInstallation(server.db, createSecrets(Buffer.alloc(32, 7)));
});
afterEach(() => server.close());

const person = { name: 'Ada Admin', email: 'ada@example.com', password: 'a password of hers' };
const register = (key: string) => server.call('POST /auth/register', { body: { key, ...person } });

test('the link of a first start creates one administrator and is then closed permanently', async () => {
  const key = await prepareFirstAdmin(server.db, undefined);
  expect((await server.call('GET /auth/setup')).body).toEqual({ open: true, mailsResetLinks: false });
  const replies = await Promise.all([register(key!), register(key!)]);
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201, 403]));
  expect(replies.find((reply) => reply.status === 201)!.body.user).toMatchObject({
    role: 'admin',
    email: person.email,
  });
  expect((await server.call('GET /auth/setup')).body).toEqual({ open: false, mailsResetLinks: false });
  expect(await prepareFirstAdmin(server.db, undefined)).toBeUndefined();
  expect((await register(key!)).status).toBe(403);
});

test('the set-up rejects any key other than that of the newest link', async () => {
  const old = await prepareFirstAdmin(server.db, undefined);
  await prepareFirstAdmin(server.db, undefined);
  expect((await register('guessed')).status).toBe(403);
  expect((await register(old!)).status).toBe(403);
});

test('ADMIN_EMAIL and ADMIN_PASSWORD create the administrator once and change nothing later', async () => {
  await prepareFirstAdmin(server.db, person);
  await prepareFirstAdmin(server.db, { email: 'other@example.com', password: 'another password' });
  const login = await server.call('POST /auth/login', {
    body: { email: person.email, password: person.password },
  });
  expect(login).toMatchObject({ status: 200, body: { user: { role: 'admin' } } });
  expect(await server.db.selectFrom('users').select('email').execute()).toEqual([{ email: person.email }]);
});

test.each([
  ['common', 'password1234', 'ADMIN_PASSWORD: This password is too common'],
  ['personal', 'Ada@Example.com', 'ADMIN_PASSWORD: Must not be your name or e-mail address'],
  ['too long', 'x'.repeat(201), 'ADMIN_PASSWORD: Must be at most 200 characters'],
])(
  'the start rejects an ADMIN_PASSWORD that is %s as the screens do, and ignores it once there is a user',
  async (_what, password, line) => {
    const start = () => prepareFirstAdmin(server.db, { email: person.email, password });
    await expect(start()).rejects.toThrow(new StartError(line));
    expect(await server.db.selectFrom('users').select('email').execute()).toEqual([]);
    await prepareFirstAdmin(server.db, person);
    expect(await start()).toBeUndefined();
  },
);

test('the start rejects the key of another database without changes', async () => {
  await expect(claimInstallation(server.db, createSecrets(Buffer.alloc(32, 8)))).rejects.toThrow(
    'SECRET_KEY',
  );
});

test('the start finds the key of an instance that starts at the same time', async () => {
  await server.db.deleteFrom('installation').execute();
  const find = async () => {
    // The other instance is done after this one looked for its key.
    await claimInstallation(server.db, createSecrets(Buffer.alloc(32, 7)));
    return undefined;
  };
  expect(await assertInstallation(server.connection, find)).toBeUndefined();
});
