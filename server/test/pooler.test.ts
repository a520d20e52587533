import { sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../src/platform/db/database.ts';
import { preparePooler } from '../src/platform/db/pooler.ts';
import { createLog } from '../src/platform/log.ts';
import { startInProcess } from './app.ts';
import { addDealership } from './builders.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase, testDatabase, urlOf } from './database.ts';
import { openLiveStream, readUntil } from './live-stream.ts';
import { hasTool } from './operator-tools.ts';
import { openPgBouncer } from './pgbouncer.ts';
import { callServer, signInAsAdmin } from './process.ts';

/** The most connections to PostgreSQL that four instances behind a pooler open, and two in a short run. */
const [INSTANCES, MOST_CONNECTIONS] = process.env.LONG_TESTS ? [4, 60] : [2, 40];
const PEOPLE = process.env.LONG_TESTS ? 1000 : 40;
const CALLS = process.env.LONG_TESTS ? 10 : 2;

describe.skipIf(!hasTool('pgbouncer'))('behind PgBouncer', async () => {
  if (!hasTool('pgbouncer')) return;
  const database = await testDatabase();
  const pooler = await openPgBouncer(database.connection);
  const log = createLog('silent');
  afterAll(async () => {
    await pooler.close();
    await database.close();
  });
  const prepare = (url = pooler.url, directUrl = pooler.directUrl) => preparePooler(directUrl, url, log);

  test('a start behind PgBouncer logs in one line what is off, and each statement has the settings of the product', async () => {
    const info = vi.spyOn(log, 'info');
    const opened = openDatabase(await prepare(), log);
    expect(info.mock.calls).toEqual([
      [
        { hasNamedStatements: pooler.preparesStatements },
        `database behind a pooler: the watch over locks is off${pooler.preparesStatements ? '' : ', and no statement is prepared (max_prepared_statements)'}`,
      ],
    ]);
    info.mockRestore();
    const { rows } = await sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('search_path') as path, current_setting('timezone') as zone`.execute(opened.db);
    expect(rows).toEqual([{ statement: '10s', lock: '3s', path: 'forecourt, extensions', zone: 'UTC' }]);
    await opened.close();
  });

  test('a start behind PgBouncer replaces settings of the role that a former release had set, also in open sessions', async () => {
    const opened = openDatabase(await prepare(), log);
    const limitOf = async () =>
      (await sql`select current_setting('lock_timeout') as limit`.execute(opened.db)).rows[0];
    await sql`do $$ begin execute format('alter role current_user in database %I set lock_timeout = 1000', current_database()); end $$`.execute(
      database.db,
    );
    await sql`select pg_terminate_backend(pid, 3000) from pg_stat_activity
      where datname = current_database() and application_name = 'forecourt' and pid <> pg_backend_pid()`.execute(
      database.db,
    );
    await expect.poll(() => limitOf().catch(() => undefined)).toEqual({ limit: '1s' });
    await prepare();
    expect(await limitOf()).toEqual({ limit: '3s' });
    await opened.close();
  });

  test('a start refuses a pooler in session mode, PostgreSQL itself and another database, each in one line', async () => {
    const other = await emptyDatabase();
    const separate =
      /^DATABASE_URL leads to PostgreSQL itself or to a pooler in session mode, [^\n]+pool_mode = transaction[^\n]+$/;
    await expect(prepare(pooler.sessionUrl)).rejects.toThrow(separate);
    await expect(prepare(pooler.directUrl)).rejects.toThrow(separate);
    await expect(prepare(pooler.url, urlOf(other.connection))).rejects.toThrow(
      /^DATABASE_URL and DATABASE_DIRECT_URL lead to different databases, [^\n]+$/,
    );
    await expect(prepare('postgresql://127.0.0.1:1/none')).rejects.toThrow(
      /^The pooler of DATABASE_URL cannot be used: [^\n]+$/,
    );
    const dataDir = await makeDataFolder('pooler-');
    for (const DATABASE_URL of [pooler.url, pooler.sessionUrl])
      await expect(startInProcess(dataDir, { DATABASE_URL })).rejects.toThrow(
        /^The database address leads to a pooler\. Set DATABASE_DIRECT_URL [^\n]+$/,
      );
    await other.close();
  });

  test('a start refuses a pooler in DATABASE_DIRECT_URL that drops the settings of a connection, before it locks or changes anything', async () => {
    const dropping = await openPgBouncer(database.connection, 'ignore_startup_parameters = options');
    for (const url of [dropping.url, dropping.sessionUrl])
      await expect(prepare(pooler.url, url)).rejects.toThrow(
        /^The database address leads to a pooler\. Set DATABASE_DIRECT_URL [^\n]+$/,
      );
    const locks = await sql`select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(database.db);
    expect(locks.rows).toEqual([]);
    await dropping.close();
  });

  test(`${INSTANCES} instances behind PgBouncer serve ${PEOPLE} people, live events, an import and a backup with fewer than ${MOST_CONNECTIONS} connections`, async () => {
    const dataDir = await makeDataFolder('pooler-');
    const environment = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pooler.directUrl };
    const instances: { url: string; stop(): Promise<void> }[] = [];
    for (let count = 0; count < INSTANCES; count += 1)
      instances.push(await startInProcess(dataDir, environment));
    const [one, two] = instances.map(({ url }) => url) as [string, string];
    const token = await signInAsAdmin(one);
    const caller = {
      call: (route: string, { body }: { body: unknown }) => callServer(one, route, token, body),
    };
    const dealershipId = await addDealership(caller, { token });
    const stream = await openLiveStream(two, token);
    await readUntil(stream.reader, (text) => text.includes('permissions'));

    let most = 0;
    const countConnections = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);
      most = Math.max(most, rows[0]!.count);
    };
    const serving = new AbortController();
    const counting = (async () => {
      while (!serving.signal.aborted) await countConnections();
    })();
    const statuses = new Set<number>();
    const person = async (number: number): Promise<void> => {
      const { url } = instances[number % instances.length]!;
      for (let call = 0; call < CALLS; call += 1) {
        const added = await callServer(url, 'POST /deals', token, {
          dealershipId,
          customerName: `Person ${number} call ${call}`,
        });
        const list = await callServer(url, 'GET /deals?limit=50', token);
        statuses.add(added.status).add(list.status);
      }
    };
    const backup = callServer(one, 'POST /backups', token, {});
    const rows = Array.from({ length: 100 }, () => ({ dealershipId, customerName: 'Imported' }));
    const imported = callServer(two, 'POST /deals/import', token, { rows });
    await Promise.all(Array.from({ length: PEOPLE }, (_, number) => person(number)));
    expect([(await backup).status, (await imported).status]).toEqual([201, 201]);
    expect(statuses).toEqual(new Set([200, 201]));
    await readUntil(stream.reader, (text) => text.includes('"action":"created"'));
    stream.stop();
    serving.abort();
    await counting;
    const stored = await sql`select count(*) as count from deals`.execute(database.db);
    expect(stored.rows).toEqual([{ count: PEOPLE * CALLS + rows.length }]);
    expect(most).toBeLessThan(MOST_CONNECTIONS);
    process.stdout.write(`pooler: ${INSTANCES} instances, ${PEOPLE} people, at most ${most} connections\n`);
    await Promise.all(instances.map((instance) => instance.stop()));
  });
});
