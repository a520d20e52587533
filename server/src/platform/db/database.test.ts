import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { testDatabase, urlOf } from '../../../test/database.ts';
import { createLog } from '../log.ts';
import { clientConfig, NO_LIMITS, openDatabase, type Connection } from './database.ts';
import { withClient } from './dedicated-client.ts';
import { HostsClient } from './hosts-client.ts';

/** The settings that sessions require, as shown by PostgreSQL. */
const RELIED_ON = {
  jit: 'off',
  search_path: 'forecourt,extensions',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
};
const LIMITED = {
  idle_session_timeout: '0',
  statement_timeout: '10s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '15s',
};
const UNLIMITED = {
  idle_session_timeout: '0',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

const database = await testDatabase();
afterAll(() => database.close());

async function settingsOf(config: pg.ClientConfig, names: string[]): Promise<Record<string, string>> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await read(client, names);
  } finally {
    await client.end();
  }
}

async function read(client: pg.Client, names: string[]): Promise<Record<string, string>> {
  const list = names.map((name) => `current_setting('${name}') as "${name}"`).join(', ');
  return (await client.query<Record<string, string>>(`select ${list}`)).rows[0]!;
}

describe('a connection on a server with hostile defaults', () => {
  test('a connection on a server with hostile defaults gets those defaults without settings of its own', async () => {
    const { host, port, user, database: name } = database.connection as Extract<Connection, { host: string }>;
    // Time limits of 1 ms would end this session before its result.
    const options = '-c statement_timeout=0 -c idle_session_timeout=0';
    const config = { host, port, user, database: name, options };
    const found = await settingsOf(config, Object.keys(RELIED_ON));
    for (const [setting, value] of Object.entries(RELIED_ON)) {
      expect(found[setting], setting).not.toBe(value);
    }
  });

  test.each([
    ['with limits', LIMITED, undefined],
    ['without limits', UNLIMITED, NO_LIMITS],
  ])(
    'a connection on a server with hostile defaults sets the settings it requires, %s',
    async (_case, limits, config) => {
      const expected = { ...RELIED_ON, ...limits };
      const names = Object.keys(expected);
      expect(await settingsOf(clientConfig(database.connection, config), names)).toEqual(expected);
    },
  );

  test('a connection on a server with hostile defaults lets the server notice the loss of this machine within seconds', () => {
    // A socket, as in these tests, ignores them.
    expect(clientConfig(database.connection).options).toContain(
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3',
    );
  });

  test('a connection on a server with hostile defaults preserves options of the URL, overridden by its own settings', async () => {
    const url = new URL(urlOf(database.connection));
    url.searchParams.set('options', '-c jit=on -c work_mem=1MB');
    const config = clientConfig({ connectionString: url.href });
    expect(await settingsOf(config, ['jit', 'work_mem'])).toEqual({ jit: 'off', work_mem: '1MB' });
  });

  test('a connection on a server with hostile defaults reads a password with special characters from PGPASSWORD', () => {
    vi.stubEnv('PGPASSWORD', 'p@ss/w:rd#1');
    const config = clientConfig({ connectionString: 'postgresql://forecourt@postgres:5432/forecourt' });
    expect(new pg.Client(config)).toMatchObject({
      user: 'forecourt',
      host: 'postgres',
      password: 'p@ss/w:rd#1',
    });
    vi.unstubAllEnvs();
  });

  test('a connection on a server with hostile defaults has no limits on dedicated connections, and limits in the pool', async () => {
    const names = Object.keys(LIMITED);
    expect(await withClient(database.connection, (client) => read(client, names))).toEqual(UNLIMITED);
    const pool = openDatabase(database.connection, createLog('silent'), 1);
    const { rows } = await sql`select current_setting('lock_timeout') as lock_timeout`.execute(pool.db);
    await pool.close();
    expect(rows).toEqual([{ lock_timeout: '3s' }]);
  });

  test('a connection on a server with hostile defaults is not reported as lost if the database ends it while the pool is closed', async () => {
    const log = createLog('silent');
    const warn = vi.spyOn(log, 'warn');
    const pool = openDatabase(database.connection, log, 1);
    await sql`select 1`.execute(pool.db);
    const end: unknown = Reflect.get(pg.Client.prototype, 'end');
    const ended = vi.spyOn(pg.Client.prototype, 'end').mockImplementation(function (
      this: pg.Client,
      ...given: unknown[]
    ) {
      this.emit('error', new Error('terminating connection due to administrator command'));
      Reflect.apply(end as () => void, this, given);
    });
    await pool.close();
    expect(ended).toHaveBeenCalled();
    expect(warn).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test('a connection on a server with hostile defaults may take 5 s to be established', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const connectionString = `postgresql://forecourt@127.0.0.1:${port}/forecourt`;
    const pool = openDatabase({ connectionString }, createLog('silent'), 1);
    const failed = vi.fn<() => void>();
    const reading = sql`select 1`.execute(pool.db).catch(failed);
    await vi.advanceTimersByTimeAsync(4900);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    await reading;
    expect(failed).toHaveBeenCalled();
    vi.useRealTimers();
    await pool.close();
    silent.close();
  });

  test('a connection on a server with hostile defaults is never opened without them in the product', () => {
    const root = join(import.meta.dirname, '../..');
    const opened = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
      // Its URLs have the settings already.
      .filter((file) => file !== 'platform/db/hosts-client.ts')
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split(/(?=new (?:pg\.Client|pg\.Pool|HostsClient|PgBoss)\()/)
          .slice(1)
          .map((code) => ({ file, code: code.slice(0, 200) })),
      );
    expect(opened.length).toBeGreaterThan(3);
    for (const { file, code } of opened) expect(code, file).toMatch(/clientConfig\(|withSettings\(/);
  });
});

test('a connection to several hosts that is closed during the search for its server stays closed', async () => {
  const config = clientConfig({ connectionString: urlOf(database.connection) });
  const urls = [config.connectionString!, 'postgresql://127.0.0.1:1/none'];
  const client = new HostsClient({ ...config, urls });
  const connecting = client.connect();
  await client.end();
  await expect(connecting).rejects.toThrow('closed during the search for its server');
});

test('the database collects statistics of every table of a new database', async () => {
  const { rows } = await sql`
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'forecourt'::regnamespace and reltuples < 0`.execute(database.db);
  expect(rows).toEqual([]);
});

test('the database plans a statement with many values each time, also where earlier calls found the table empty', async () => {
  await database.db.connection().execute(async (db) => {
    await sql`create table filled_later (id integer primary key)`.execute(db);
    await sql`analyze filled_later`.execute(db);
    const find = (ids: number[]) =>
      sql`select (select id from filled_later where filled_later.id = given.id) from unnest(${ids}::integer[]) as given (id)`.execute(
        db,
      );
    const many = Array.from({ length: 1000 }, (_, n) => n);
    // PostgreSQL may reuse a plan from the sixth call on.
    for (let calls = 0; calls < 8; calls += 1) await find(many);
    await sql`insert into filled_later select generate_series(0, 9999)`.execute(db);
    await find(many);
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read as read from pg_stat_user_tables where relname = 'filled_later'`.execute(db);
    expect(rows).toEqual([{ read: 0 }]);
    await sql`drop table filled_later`.execute(db);
  });
});
