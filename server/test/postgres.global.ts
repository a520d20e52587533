import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { clientConfig, NO_LIMITS } from '../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts';
import { migrate, readMigrations } from '../src/platform/db/migrations.ts';
import { startJobs } from '../src/platform/jobs/jobs.ts';
import { createLog } from '../src/platform/log.ts';

/** Connection of the tests' PostgreSQL; the role may create databases. */
type Server = { host: string; port: number; user: string; password?: string };
/** A server, and how to stop or leave it. */
type Opened = { server: Server; stop: () => Promise<void> };

declare module 'vitest' {
  interface ProvidedContext {
    /** The tests' PostgreSQL. Every file clones `template` into its own database. */
    postgres: { server: Server; template: string };
    /** Folder for the data of other databases, removed at the end of the run. */
    dataFolder: string;
  }
}

const log = createLog('silent');

/**
 * Defaults that make connections fail or slow if they do not set what they rely on. Set on the tests' role, so they
 * apply to every session of the run.
 */
const HOSTILE_DEFAULTS: Record<string, string> = {
  jit: 'on',
  jit_above_cost: '0',
  jit_inline_above_cost: '0',
  jit_optimize_above_cost: '0',
  work_mem: '64kB',
  search_path: 'pg_catalog',
  timezone: 'Pacific/Marquesas',
  datestyle: 'SQL, DMY',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  synchronous_commit: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  statement_timeout: '1',
  lock_timeout: '1',
  idle_in_transaction_session_timeout: '1',
  idle_session_timeout: '1',
};

/** Enough connections for several files at once, and no durability, which these databases do not need. */
const FOR_TESTS = { max_connections: '200', fsync: 'off', full_page_writes: 'off', max_wal_size: '256MB' };

/** More than the size of the databases of all parallel files with their log. */
const ENOUGH_BYTES = 2 ** 31;

/**
 * Creates a folder in memory if the system has a folder there with enough space. A new database has 300 files, and ext4
 * searches the inode of each among recently deleted ones: a quarter of a second for each test file and each app.
 */
async function makeFolder(): Promise<string> {
  const memory = '/dev/shm';
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  const folder = await mkdtemp(join(free > ENOUGH_BYTES ? memory : tmpdir(), 'forecourt-test-'));
  // A test starts a database as another user.
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Starts one real PostgreSQL for the run: migrated once, cloned for every test file in a few milliseconds. It is the
 * embedded one, or that of TEST_DATABASE_URL, whose role needs only CREATEDB.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL;
  const folder = await makeFolder();
  const { server, stop } = external ? fromUrl(external) : await embedded(folder);
  // A signal ends vitest without the teardown.
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.once('exit', removeFolder);
  const template = `template_${process.pid}`;
  for (const [name, value] of Object.entries(HOSTILE_DEFAULTS))
    await administer(server, `alter role current_user set ${name} = ${pg.escapeLiteral(value)}`);
  await administer(server, `create database ${template}`);
  await migrate({ ...server, database: template }, await readMigrations(), log);
  // Includes the schema of the job queue, so that test apps need not create it.
  await (await startJobs({ ...server, database: template }, log)).stop();
  // Otherwise a run across a full hour would create unexpected backups.
  await administer({ ...server, database: template }, 'update backup_settings set scheduler_running = false');
  project.provide('postgres', { server, template });
  project.provide('dataFolder', folder);
  return async () => {
    await administer(server, `drop database ${template}`);
    for (const name of Object.keys(HOSTILE_DEFAULTS))
      await administer(server, `alter role current_user reset ${name}`);
    await stop();
    process.off('exit', removeFolder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

async function embedded(dataDir: string): Promise<Opened> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, changes: FOR_TESTS });
  const { host, port, user } = postgres.connection;
  const killAtExit = () => {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGQUIT');
  };
  process.once('exit', killAtExit);
  return {
    server: { host, port, user },
    async stop() {
      process.off('exit', killAtExit);
      await postgres.stop();
    },
  };
}

function fromUrl(text: string): Opened {
  const { hostname, port, username, password } = new URL(text);
  return {
    server: { host: hostname, port: Number(port || 5432), user: username, ...(password && { password }) },
    stop: async () => {},
  };
}

export async function administer(
  { database = 'postgres', ...server }: Server & { database?: string },
  statement: string,
): Promise<void> {
  const client = new pg.Client(clientConfig({ ...server, database }, NO_LIMITS));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
