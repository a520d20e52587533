import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDataFolder } from '../../../../test/data-folder.ts';
import { postmasterPid } from '../../../../test/people.ts';
import { makeBinaries } from './binaries.fixture.ts';
import { chooseBinaries } from './choose-binaries.ts';
import { startEmbeddedPostgres } from './embedded.ts';
import { commandLine, findLauncher } from './postgres-programs.ts';

const errors: string[] = [];
const warnings: string[] = [];
const log = {
  debug: () => {},
  info: () => {},
  warn: (message: string) => void warnings.push(message),
  error: (message: string) => void errors.push(message),
};
const fixture = join(import.meta.dirname, 'embedded.fixture.ts');
const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];

let root: string;
let dataDir: string;
const atEnd: (() => unknown)[] = [];

beforeEach(async () => {
  // Longer than a socket path may be, with spaces, below a folder that only its owner may enter.
  root = await makeDataFolder('embedded test ');
  dataDir = join(root, 'a folder '.repeat(17), 'data');
  errors.length = 0;
  warnings.length = 0;
});

afterEach(async () => {
  for (const undo of atEnd.splice(0).toReversed()) await undo();
  await rm(root, { recursive: true, force: true });
});

async function start(pgBin?: string) {
  const database = await startEmbeddedPostgres({ dataDir, pgBin, log });
  atEnd.push(() => database.stop());
  return database;
}

type Connection = Awaited<ReturnType<typeof start>>['connection'];

async function connect(connection: Connection): Promise<Client> {
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function query(connection: Connection, sql: string): Promise<unknown[]> {
  const client = await connect(connection);
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

/** Starts another process on the same folder; returns its output once it has started or failed. */
async function startElsewhere(prefix: string[] = []) {
  const [file, ...args] = [...prefix, process.execPath, fixture, dataDir];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  atEnd.push(() => end('SIGTERM'));
  const response: Connection & { refused?: string } = JSON.parse(String(line));
  return { response, end };
}

test('the embedded PostgreSQL creates a database for a role without superuser rights, behind a private socket', async () => {
  const { connection } = await start();
  expect(dataDir.length).toBeGreaterThan(150);
  expect(Buffer.byteLength(connection.host)).toBeLessThan(93);
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
  const facts = await query(
    connection,
    `SELECT current_user, rolsuper, current_setting('data_checksums'), current_setting('fsync'),
       current_setting('synchronous_commit'), current_setting('listen_addresses'), datlocale, upper('ë')
     FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
  );
  expect(facts).toEqual(['forecourt', false, 'on', 'on', 'on', '', 'C.UTF-8', 'Ë']);
  await expect(query({ ...connection, user: 'postgres' }, 'SELECT 1')).rejects.toThrow(
    'no pg_hba.conf entry',
  );
  for (const extension of ['pg_trgm', 'citext', 'unaccent']) {
    await query(connection, `CREATE EXTENSION ${extension}`);
  }
});

test('the embedded PostgreSQL preserves data across stop and start, and removes the socket folder in between', async () => {
  const first = await startEmbeddedPostgres({ dataDir, log });
  await query(first.connection, 'CREATE TABLE kept AS SELECT 7 AS value');
  await first.stop();
  await expect(stat(first.connection.host)).rejects.toThrow('ENOENT');
  const second = await start();
  expect(await query(second.connection, 'SELECT value FROM kept')).toEqual([7]);
  expect(errors).toEqual([]);
});

test('the embedded PostgreSQL rejects a second start on the same folder in one line', async () => {
  await start();
  expect((await startElsewhere()).response.refused).toMatch(
    /^StartError: The data folder .* cannot be used: another Forecourt is running on it\.$/,
  );
});

test('the embedded PostgreSQL takes over after kill -9 of the process, with all committed data', async () => {
  const elsewhere = await startElsewhere();
  await query(elsewhere.response, 'CREATE TABLE kept AS SELECT 7 AS value');
  const orphan = await postmasterPid(dataDir);
  await elsewhere.end('SIGKILL');
  expect(process.kill(orphan, 0)).toBe(true);
  const { connection } = await start();
  expect(await postmasterPid(dataDir)).not.toBe(orphan);
  expect(await query(connection, 'SELECT value FROM kept')).toEqual([7]);
  await expect(stat(elsewhere.response.host)).rejects.toThrow('ENOENT');
});

test('recovers after kill -9 of process and database', async () => {
  const elsewhere = await startElsewhere();
  await query(elsewhere.response, 'CREATE TABLE kept AS SELECT 7 AS value');
  process.kill(await postmasterPid(dataDir), 'SIGKILL');
  await elsewhere.end('SIGKILL');
  const { connection } = await start();
  expect(await query(connection, 'SELECT value FROM kept')).toEqual([7]);
});

test('restarts a database killed with -9 during a query at the same address', async () => {
  const { connection } = await start();
  await query(connection, 'CREATE TABLE kept AS SELECT 7 AS value');
  const client = await connect(connection);
  const busy = client.query('SELECT count(*) FROM generate_series(1, 1e12)').catch(String);
  const killed = await postmasterPid(dataDir);
  process.kill(killed, 'SIGKILL');
  expect(await busy).toMatch(/^Error: /);
  await expect.poll(() => query(connection, 'SELECT value FROM kept')).toEqual([7]);
  expect(await postmasterPid(dataDir)).not.toBe(killed);
  expect(errors).toContain('The embedded database ended by itself and is started again.');
});

test('repeats an interrupted first start', async () => {
  await mkdir(join(dataDir, 'postgres.new', 'base'), { recursive: true });
  await writeFile(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n');
  const { connection } = await start();
  expect(await query(connection, 'SELECT 1')).toEqual([1]);
  await expect(stat(join(dataDir, 'postgres.new'))).rejects.toThrow('ENOENT');
});

test('the embedded PostgreSQL rejects a folder of another PostgreSQL version or program without changing it', async () => {
  const cluster = join(dataDir, 'postgres');
  await mkdir(cluster, { recursive: true });
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow('is not a database folder of ours');
  await writeFile(join(cluster, 'PG_VERSION'), '17\n');
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    /^The database in .+ was made by PostgreSQL 17\. PostgreSQL 17 with its extensions is not installed \(found: .+\): install .+\.$/,
  );
  expect(await readFile(join(cluster, 'PG_VERSION'), 'utf8')).toBe('17\n');
});

test('the embedded PostgreSQL continues on a newer minor release, and records its collations without a warning', async () => {
  const first = await startEmbeddedPostgres({ dataDir, log });
  await query(first.connection, 'CREATE TABLE kept AS SELECT 7 AS value');
  await first.stop();
  const cluster = join(dataDir, 'postgres');
  const launcher = await findLauncher();
  const { postgres } = await chooseBinaries({ cluster, clusterMajor: 18, launcher });
  // As the ICU of another build would.
  const old = `UPDATE pg_collation SET collversion = '1' WHERE collname = 'en-AU-x-icu'\n`;
  execFileSync(...commandLine(launcher, postgres, ['--single', '-D', cluster, 'forecourt']), { input: old });

  const newer = await makeBinaries(join(root, 'newer'), '18.99');
  const { connection } = await start(newer);
  expect(await query(connection, 'SELECT value FROM kept')).toEqual([7]);
  const sorted = `SELECT v FROM unnest(ARRAY['ä', 'b']) v ORDER BY v COLLATE "en-AU-x-icu"`;
  expect(await query(connection, sorted)).toEqual(['ä', 'b']);
  expect(warnings).toEqual([]);
  expect(await readFile(join(cluster, 'forecourt.version'), 'utf8')).toBe(`18.99 ${newer}\n`);
});

test('the embedded PostgreSQL rejects a data folder that is a file or cannot be created in one line', async () => {
  await mkdir(dirname(dataDir), { recursive: true });
  await writeFile(dataDir, '');
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    /cannot be used: a file is in the way\.$/,
  );
});

/** Lets root run the test of an ordinary user, where that user may read the program. */
function canBecomeNobody(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('setpriv', [...nobody, process.execPath, '--check', fixture], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.runIf(canBecomeNobody())('the embedded PostgreSQL starts as an ordinary user', async () => {
  await chmod(root, 0o777);
  dataDir = join(root, 'data');
  const { response } = await startElsewhere(['setpriv', ...nobody]);
  expect(response.refused).toBeUndefined();
  expect((await stat(join(dataDir, 'postgres'))).uid).toBe(65534);
});
