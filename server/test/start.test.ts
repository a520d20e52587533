import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { claimInstallation } from '../src/platform/installation.ts';
import { createLog } from '../src/platform/log.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { TEST_KEY } from './app.ts';
import { addTemplate } from './builders.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase, testDatabase, urlOf } from './database.ts';
import { callServer, signInAsAdmin, startServer } from './process.ts';

const dataDir = await makeDataFolder('start-');
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Returns 20 KB that cannot be compressed to less than half. */
const noise = (): string => randomBytes(10_000).toString('hex');

const inOwnDisk = (command: string) =>
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', command], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: `${dataDir}/data`, PORT: '0', LOG_LEVEL: 'silent' },
  });
const canMakeDisk = () => inOwnDisk('mount -t tmpfs -o size=1m tmpfs /mnt').status === 0;
const startOnDisk = (megabytes: number) =>
  inOwnDisk(
    `mount -t tmpfs -o size=${megabytes}m tmpfs "${dataDir}" && timeout 50 "${process.execPath}" server/src/main.mjs`,
  );

describe('a failing start', () => {
  test.each([
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535'],
    [{ HOST: '192.0.2.1' }, 'HOST 192.0.2.1 is not an address of this machine.'],
    [
      { DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
      'The database of DATABASE_URL cannot be used: connect ECONNREFUSED',
    ],
    [{ TRUST_PROXY: 'everybody' }, 'TRUST_PROXY'],
  ])('a failing start exits with 1 and one clear line for %j', async (environment, line) => {
    const failed = startServer(join(dataDir, 'refused'), environment);
    await expect(failed).rejects.toThrow(line);
    const message = await failed.catch((error: Error) => error.message);
    expect(message).toMatch(/^exit 1: [^\n]+\n?$/);
  });

  test('a failing start names a port in use', async () => {
    const other: Server = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const database = await testDatabase();
    const environment = { PORT: String(port), DATABASE_URL: urlOf(database.connection) };
    const failed = startServer(join(dataDir, 'taken'), environment);
    try {
      await expect(failed).rejects.toThrow(`PORT ${port} on 127.0.0.1 is taken.`);
    } finally {
      other.close();
      await database.close();
    }
  });

  // Needs its own disk, which user namespaces also give to users other than root.
  test.runIf(canMakeDisk())(
    'a failing start exits with 1 and one line about the full disk, at every moment',
    () => {
      for (const megabytes of [1, 30, 44, 46]) {
        const { status, stdout, stderr } = startOnDisk(megabytes);
        // The largest disk fails in the middle of the migrations here; a smaller build of PostgreSQL may fit.
        if (stdout.includes('Forecourt is ready')) continue;
        expect(`${stdout}${stderr}`).toMatch(/^[^\n]*disk[^\n]* is full[^\n]*\n$/);
        expect(status).toBe(1);
      }
    },
  );

  test.runIf(canMakeDisk())('a failing start names a DATA_DIR on a read-only disk in one line', () => {
    const { status, stderr } = inOwnDisk(
      `mount -t tmpfs -o ro tmpfs "${dataDir}" && "${process.execPath}" server/src/main.mjs`,
    );
    expect(stderr).toBe(`The data folder ${dataDir}/data cannot be used: that disk is read-only.\n`);
    expect(status).toBe(1);
  });

  // Drops root's capability to bypass file permissions.
  test.runIf(process.getuid?.() === 0)(
    'a failing start names a DATA_DIR that this user may not write in one line',
    async () => {
      const folder = join(dataDir, 'theirs');
      await mkdir(folder, { mode: 0o555 });
      const { status, stderr } = spawnSync(
        'setpriv',
        ['--bounding-set=-dac_override,-dac_read_search', process.execPath, 'server/src/main.mjs'],
        {
          encoding: 'utf8',
          env: {
            PATH: process.env.PATH,
            DATA_DIR: folder,
            PORT: '0',
            DATABASE_URL: 'postgresql://127.0.0.1:1/none',
          },
        },
      );
      expect(stderr).toBe(`The data folder ${folder} cannot be used: this user has no permission there.\n`);
      expect(status).toBe(1);
    },
  );

  test('a failing start writes no new key and migrates nothing if the key of the database is missing', async () => {
    const database = await testDatabase();
    await claimInstallation(database.db, createSecrets(TEST_KEY));
    const migrations = database.db.selectFrom('schema_migrations').select('version');
    const last = Math.max(...(await migrations.execute()).map(({ version }) => version));
    await database.db.deleteFrom('schema_migrations').where('version', '=', last).execute();
    const folder = join(dataDir, 'lost-key');
    const DATABASE_URL = urlOf(database.connection);

    await expect(startServer(folder, { DATABASE_URL })).rejects.toThrow(
      /^exit 1: SECRET_KEY \(or DATA_DIR\/secret.key\) is missing\. Nothing was changed; [^\n]+\n$/,
    );
    const SECRET_KEY = Buffer.alloc(32, 8).toString('base64');
    await expect(startServer(folder, { DATABASE_URL, SECRET_KEY })).rejects.toThrow(
      /^exit 1: SECRET_KEY \(or DATA_DIR\/secret.key\) is another key [^\n]+\n$/,
    );
    expect(await readdir(folder)).toEqual([]);
    expect(await migrations.where('version', '=', last).execute()).toEqual([]);
    await database.close();
  });

  test('a failing start names a DATA_DIR in use, and leaves the running instance unaffected', async () => {
    const first = await startServer(join(dataDir, 'shared'));
    await expect(startServer(join(dataDir, 'shared'))).rejects.toThrow(
      /exit 1: [^\n]*another Forecourt is running on it.\n?$/,
    );
    expect((await callServer(first.url, 'GET /health')).status).toBe(200);
    expect(await first.stop()).toBe(0);
  });
});

describe('compiled modules', () => {
  /** Starts with a mistake, which ends the program once its modules are loaded. Returns its output. */
  const loadModules = (environment: Record<string, string>): Promise<string> =>
    startServer(join(dataDir, 'compiled'), { ...environment, PORT: 'eighty' }).then(
      () => 'started',
      (error: Error) => error.message,
    );

  test('compiled modules are reused after kill -9, so that no module is compiled again', async () => {
    const database = await emptyDatabase();
    const cache = join(dataDir, 'cache');
    const paths = () => readdir(cache, { recursive: true }).catch(() => []);
    /** A module that is compiled again replaces its file. */
    const files = async (): Promise<string[]> => {
      const names = await paths();
      const stats = await Promise.all(names.map((name) => stat(join(cache, name))));
      return names.map((name, at) => `${name} ${stats[at]!.ino}`).toSorted();
    };
    const environment = { DATABASE_URL: database.url, NODE_COMPILE_CACHE: cache };
    const first = await startServer(join(dataDir, 'compiled'), environment);
    await expect.poll(async () => (await paths()).length).toBeGreaterThan(100);
    // Files are written without a pause: the server responds once all are written.
    await callServer(first.url, 'GET /health');
    const stored = await files();
    await first.kill();

    expect(await loadModules({ NODE_COMPILE_CACHE: cache })).toContain('PORT must be');
    expect(await files()).toEqual(stored);
    await database.close();
  });

  test('compiled modules are stored in node_modules', async () => {
    const folder = join(import.meta.dirname, '../../node_modules/.cache/compiled');
    const output = await loadModules({ NODE_COMPILE_CACHE: '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' });
    expect(output).toContain(`resolved path ${folder} `);
  });
});

/** Mounts a disk at the folder `$0` that only the program sees, and others below `/proc`. */
const onOwnDisk = (megabytes: number, folder: string): string[] => [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && exec "$@"`,
  folder,
];

test.runIf(canMakeDisk())(
  'the server returns 507, and 503 for health, with the reason while the disk is full, and recovers',
  async () => {
    const folder = join(dataDir, 'filling');
    await mkdir(folder);
    const server = await startServer(folder, {}, onOwnDisk(128, folder));
    const token = await signInAsAdmin(server.url);
    const caller = {
      call: (route: string, { body }: { body: unknown }) => callServer(server.url, route, token, body),
    };
    const write = (): Promise<string> => {
      const block = () => ({ type: 'paragraph', content: [{ type: 'text', text: noise() }] });
      const document = { blocks: Array.from({ length: 8 }, block) };
      return addTemplate(caller, { token }, { document, variables: [], subject: 'Noise' });
    };
    await write();

    const fill = `/proc/${server.child.pid}/root${folder}/fill`;
    spawnSync('dd', ['if=/dev/zero', `of=${fill}`, 'bs=64k']);
    await expect(async () => {
      for (let tries = 0; tries < 300; tries += 1) await write();
    }).rejects.toThrow(/"code":"NO_SPACE"/);
    const health = () => callServer(server.url, 'GET /health');
    expect(await health()).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE', message: expect.stringContaining('disk is full') },
    });

    await rm(fill);
    await expect.poll(async () => (await health()).status).toBe(200);
    await write();
    expect(await server.stop()).toBe(0);
  },
);

describe('several instances on one DATABASE_URL', () => {
  test('several instances on one DATABASE_URL share sessions, changes and revocations', async () => {
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
    await expect.poll(async () => (await callServer(two.url, 'GET /auth/me', token)).status).toBe(401);
    expect(await Promise.all([one.stop(), two.stop()])).toEqual([0, 0]);
    await database.close();
  });

  test('several instances on one DATABASE_URL must share the data folder, whose loss is repaired by its id', async () => {
    const database = await emptyDatabase();
    const SECRET_KEY = TEST_KEY.toString('base64');
    const start = (folder: string) =>
      startServer(join(dataDir, folder), { DATABASE_URL: database.url, SECRET_KEY });
    const first = await start('mine');
    const failed = await start('other').then(
      () => 'started',
      (error: Error) => error.message,
    );
    const [, id] = /^exit 1: \S+ is not the data folder of this database[^\n]+ write (\S+) into \S+\n$/.exec(
      failed,
    )!;
    expect(await readdir(join(dataDir, 'other'))).toEqual([]);
    expect(await first.stop()).toBe(0);
    expect(await (await start('mine')).stop()).toBe(0);

    await writeFile(join(dataDir, 'other', 'folder.id'), `${id}\n`);
    expect(await (await start('other')).stop()).toBe(0);

    await database.close();
  });

  test('an instance stops with exit code 1 and one line when a newer release makes a breaking migration', async () => {
    const database = await emptyDatabase();
    const server = await startServer(join(dataDir, 'earlier'), { DATABASE_URL: database.url });
    const exited = once(server.child, 'close');
    const newer = { version: 9001, name: 'newer', sql: '-- Breaking: a test.', checksum: '' };
    await migrate(database.connection, [...(await readMigrations()), newer], createLog('silent'));
    expect(await exited).toEqual([1, null]);
    const lines = server.output().trim().split('\n');
    expect(lines.filter((line) => line.startsWith('A newer release has changed the database'))).toHaveLength(
      1,
    );
    await database.close();
  });
});
