import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSftpServer } from '../../../test/sftp-server.ts';
import { openSshHost } from '../../../test/ssh-host.ts';
import type { SshHost } from '../../../test/sshd.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { putFile } from './ssh-files.ts';
import { openSshSession, type SshAccount } from './ssh-session.ts';

const outbound = createOutbound({ HOST: '127.0.0.1', PORT: 1, STRICT_OUTBOUND: false });
const PASSWORD = 'the password of the copies';

const others: { close(): Promise<unknown> }[] = [];
const host = await openSshHost();
afterAll(async () => {
  await host.close();
  for (const other of others) await other.close();
});

async function other(options: Parameters<typeof openSftpServer>[0]): Promise<SshHost> {
  const server = await openSftpServer(options);
  others.push(server);
  return server;
}

const account = (changes: Partial<SshAccount> = {}): SshAccount => ({
  host: '127.0.0.1',
  port: host.port,
  username: host.username,
  credentials: { privateKey: host.privateKey, passphrase: host.passphrase },
  timeoutSeconds: 20,
  ...changes,
});
const openAs = (changes?: Partial<SshAccount>, options: { expected?: string; signal?: AbortSignal } = {}) =>
  openSshSession({
    outbound,
    account: account(changes),
    isExpected: ({ fingerprint }) => fingerprint === (options.expected ?? fingerprint),
    signal: options.signal,
  });
const withPassword = (server: SshHost, password = PASSWORD) => ({
  port: server.port,
  username: server.username,
  credentials: { password },
});

describe('signs in', () => {
  test('an SSH session signs in with a key and its passphrase, and recognises the host by its fingerprint', async () => {
    const session = await openAs();
    expect(session.hostKey).toEqual({ algorithm: 'ssh-ed25519', fingerprint: host.fingerprint() });
    session[Symbol.dispose]();
  });

  test.each([{ asks: false }, { asks: true }])('an SSH session signs in with a password: %j', async (how) => {
    const server = await other({ password: PASSWORD, ...how });
    const session = await openAs(withPassword(server));
    expect(session.hostKey.fingerprint).toBe(server.fingerprint());
    session[Symbol.dispose]();
  });
});

describe('names the failed step, with our own message', () => {
  test('name', async () => {
    await expect(openAs({ host: 'nowhere.invalid' })).rejects.toMatchObject({ step: 'name' });
  });

  test('a failed connection is named: refused, a forbidden address, no SSH, a silent server', async () => {
    await expect(openAs({ port: await closedPort() })).rejects.toMatchObject({
      step: 'connection',
      message: 'The server did not answer as an SSH server does. Check Host and Port.',
    });
    await expect(openAs({ host: '169.254.169.254' })).rejects.toMatchObject({
      step: 'connection',
      message: 'Connections to this server are not allowed.',
    });
    const web = await listening(createServer((socket) => socket.end('HTTP/1.1 400 banner-secret\r\n\r\n')));
    await expect(openAs({ port: web })).rejects.toMatchObject({ step: 'connection' });
    const mute = await listening(createServer());
    await expect(openAs({ port: mute, timeoutSeconds: 0.1 })).rejects.toMatchObject({ step: 'connection' });
  });

  test('a server with another host key does not get the password', async () => {
    const impostor = await other({ password: PASSWORD });
    await expect(openAs(withPassword(impostor), { expected: host.fingerprint() })).rejects.toMatchObject({
      step: 'hostKey',
      hostKey: { fingerprint: impostor.fingerprint() },
    });
  });

  test('a failed sign-in is named: another key, a key that cannot be decrypted, another password', async () => {
    const stranger = await other({ password: PASSWORD });
    const message = 'The server did not accept the sign-in. Check Username and what proves it.';
    const { privateKey, passphrase } = stranger;
    await expect(openAs({ credentials: { privateKey, passphrase } })).rejects.toMatchObject({
      step: 'signIn',
      message,
    });
    for (const credentials of [
      { privateKey: host.privateKey, passphrase: 'wrong' },
      { privateKey: host.privateKey, passphrase: undefined },
      { privateKey: 'no key', passphrase: undefined },
    ]) {
      await expect(openAs({ credentials })).rejects.toMatchObject({
        step: 'signIn',
        message: 'The private key cannot be read. Check the key and its passphrase.',
      });
    }
    await expect(openAs(withPassword(stranger, 'wrong'))).rejects.toMatchObject({
      step: 'signIn',
      message,
    });
  });

  test('a server without SFTP is named as the failed step: folder', async () => {
    const server = await other({ password: PASSWORD, withoutSftp: true });
    await expect(openAs(withPassword(server))).rejects.toMatchObject({ step: 'folder' });
  });

  test('a server that stores other content than it was sent is named as the failed step: write', async () => {
    const liar = await other({ password: PASSWORD, alters: true });
    const local = await mkdtemp(join(tmpdir(), 'backup-'));
    await writeFile(join(local, 'file'), 'x');
    const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
    const session = await openAs(withPassword(liar));
    await expect(
      putFile(session, liar.folder, 'file', { path: join(local, 'file'), sha256 }),
    ).rejects.toMatchObject({
      step: 'write',
      message: 'The stored file differs from the one that was sent. Check the disk of the server.',
    });
    session[Symbol.dispose]();
    expect(await readdir(liar.folder)).toEqual([]);
    await rm(local, { recursive: true });
  });
});

test('an abort ends the running requests of an SSH session', async () => {
  const stopping = new AbortController();
  const session = await openAs({}, { signal: stopping.signal });
  stopping.abort();
  await expect(session.request((sftp, done) => sftp.stat('/', done))).rejects.toMatchObject({
    message: 'The connection to the server was lost.',
  });
  await expect(openAs({}, { signal: stopping.signal })).rejects.toMatchObject({ step: 'connection' });
});

async function listening(server: Server): Promise<number> {
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    others.push({ close: async () => socket.destroy() });
  });
  others.push({ close: async () => server.close() });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  return port;
}
