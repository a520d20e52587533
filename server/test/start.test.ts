import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase } from './database.ts';
import { callServer, signInAsAdmin, startServer } from './process.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'start-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const inOwnDisk = (command: string) =>
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', command], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: `${dataDir}/data`, PORT: '0', LOG_LEVEL: 'silent' },
  });
const canMakeDisk = () => inOwnDisk('mount -t tmpfs -o size=1m tmpfs /mnt').status === 0;
const startOnDisk = (megabytes: number) =>
  inOwnDisk(
    `mount -t tmpfs -o size=${megabytes}m tmpfs "${dataDir}" && timeout 10 "${process.execPath}" server/src/main.ts`,
  );

describe('a start that cannot be', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535'],
    [{ HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine.'],
    [
      { DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
      'The database of DATABASE_URL cannot be used: connect ECONNREFUSED',
    ],
    [{ TRUST_PROXY: 'everybody' }, 'TRUST_PROXY'],
  ])('because of %j ends with 1 and one clear line', async (environment, line) => {
    const failed = startServer(join(dataDir, 'refused'), environment);
    await expect(failed).rejects.toThrow(line);
    const words = await failed.catch((error: Error) => error.message);
    expect(words).toMatch(/^exit 1: [^\n]+\n?$/);
  });

  test('because the port is taken says so', async () => {
    const other: Server = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const failed = startServer(join(dataDir, 'taken'), { PORT: String(port) });
    await expect(failed).rejects.toThrow(`PORT ${port} on 127.0.0.1 is taken.`);
    other.close();
  });

  // Needs a disk of its own, which a user namespace gives also to people who are not root.
  test.runIf(canMakeDisk())(
    'because the disk is full ends with 1 and one clear line, at whatever moment',
    { timeout: 60_000 },
    () => {
      for (const megabytes of [1, 30, 44, 46]) {
        const { status, stdout, stderr } = startOnDisk(megabytes);
        // The last one fails in the middle of the migrations here; a leaner build of PostgreSQL may just fit.
        if (stdout.includes('Forecourt is ready')) continue;
        expect(`${stdout}${stderr}`).toMatch(/^[^\n]*disk[^\n]* is full[^\n]*\n$/);
        expect(status).toBe(1);
      }
    },
  );

  test('because another one runs on the same DATA_DIR says so, and leaves that one alone', async () => {
    const first = await startServer(join(dataDir, 'shared'));
    await expect(startServer(join(dataDir, 'shared'))).rejects.toThrow(
      /exit 1: [^\n]*another Forecourt is running on it.\n?$/,
    );
    expect((await callServer(first.url, 'GET /health')).status).toBe(200);
    expect(await first.stop()).toBe(0);
  });
});

describe('several instances on one DATABASE_URL', () => {
  test('share sessions, see each other’s changes and end each other’s sessions within a second', async () => {
    const database = await emptyDatabase();
    const DATABASE_URL = database.url;
    const folder = join(dataDir, 'several');
    const [one, two] = await Promise.all([
      startServer(folder, { DATABASE_URL }),
      startServer(folder, { DATABASE_URL }),
    ]);
    const token = await signInAsAdmin(one.url);
    expect((await callServer(two.url, 'GET /auth/me', token)).status).toBe(200);

    expect((await callServer(one.url, 'POST /auth/logout', token)).status).toBe(204);
    const deadline = performance.now() + 1000;
    let status = 200;
    while (status === 200 && performance.now() < deadline) {
      status = (await callServer(two.url, 'GET /auth/me', token)).status;
    }
    expect(status).toBe(401);
    expect(await Promise.all([one.stop(), two.stop()])).toEqual([0, 0]);
    await database.close();
  }, 30_000);
});
