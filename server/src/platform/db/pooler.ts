import pg from 'pg';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { clientConfig, LIMITS, NO_LIMITS, REQUESTS, SETTINGS, type Connection } from './database.ts';
import { ident, withClient } from './dedicated-client.ts';

/** Key of the advisory lock of the instance that changes settings of the role; arbitrary. */
const SETTINGS_LOCK = 7_305_066;
/** How often two clients of the pooler compare their sessions before these count as separate. */
const COMPARISONS = 50;
/** How long PostgreSQL may take to end a session. */
const END_MS = 3000;

export const NOT_DIRECT =
  'The database address leads to a pooler. Set DATABASE_DIRECT_URL to PostgreSQL itself, and DATABASE_URL to the pooler.';

/**
 * Prepares a pooler in transaction mode (docs/operating.md, On a server) and returns the connection through it. Settings
 * that other connections pass at their start become settings of the role in this database; when they change, sessions
 * with the former ones are ended. Throws a `StartError`, with nothing else changed, if the pooler leads to another
 * database, shares no sessions or has other settings.
 * @param directUrl the server behind the pooler
 * @param url the pooler: one host (`readConfig`)
 */
export async function preparePooler(directUrl: string, url: string, log: Log): Promise<Connection> {
  const direct = { connectionString: directUrl };
  const pooler = { direct, hasNamedStatements: false };
  await withClient(direct, async (server) => {
    await assertDirect(server);
    await server.query('select pg_advisory_lock($1)', [SETTINGS_LOCK]);
    await setForRole(server);
    await withClients({ connectionString: url, pooler }, async (first, second) => {
      await assertSameDatabase(server, first);
      if (!(await sharesSessions(first, second)))
        throw new StartError(
          'DATABASE_URL leads to PostgreSQL itself or to a pooler in session mode, which saves no connections. Set pool_mode = transaction, or leave out DATABASE_DIRECT_URL.',
        );
      const differing = await findOtherSettings(first, LIMITS);
      if (differing.length > 0)
        throw new StartError(
          `The pooler of DATABASE_URL changes settings of its sessions: ${differing.join(', ')}. Leave them to PostgreSQL, restart the pooler and start again.`,
        );
      pooler.hasNamedStatements = await separatesStatements(first);
    });
  });
  log.info(
    { hasNamedStatements: pooler.hasNamedStatements },
    `database behind a pooler: the watch over locks is off${pooler.hasNamedStatements ? '' : ', and no statement is prepared (max_prepared_statements)'}`,
  );
  return { connectionString: url, pooler };
}

/**
 * Throws a `StartError` for a pooler. Settings of the connection do not reach the session, and `listen` and advisory
 * locks need a session of their own.
 * @param client has no limits
 */
export async function assertDirect(client: pg.Client, message = NOT_DIRECT): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as pg.Client & { processID: number };
  const isDirect = rows[0]?.pid === processID && (await findOtherSettings(client, NO_LIMITS)).length === 0;
  if (!isDirect) throw new StartError(message);
}

/** Runs `work` with two clients of the pooler. Throws a `StartError` if it cannot be used. */
async function withClients<R>(
  connection: Connection,
  work: (first: pg.Client, second: pg.Client) => Promise<R>,
): Promise<R> {
  const open = (): pg.Client => new pg.Client(clientConfig(connection));
  const [first, second] = [open(), open()];
  // A lost connection rejects its statement too.
  for (const client of [first, second]) client.on('error', () => {});
  try {
    await Promise.all([first.connect(), second.connect()]).catch((error: Error) => {
      throw new StartError(`The pooler of DATABASE_URL cannot be used: ${error.message}`);
    });
    return await work(first, second);
  } finally {
    await Promise.allSettled([first.end(), second.end()]);
  }
}

/** Throws a `StartError` unless a session of the server is one of the pooler's database and role, too. */
async function assertSameDatabase(server: pg.Client, client: pg.Client): Promise<void> {
  const name = newId();
  await server.query("select set_config('application_name', $1, false)", [name]);
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where application_name = $1 and datname = current_database() and usename = current_user`,
    [name],
  );
  if (rowCount === 0)
    throw new StartError(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases, or sign in as different roles.',
    );
}

/** Whether one client gets a session of the other, or another one than before. In session mode neither happens. */
async function sharesSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  const sessions = [first, second].map(() => new Set<number>()) as [Set<number>, Set<number>];
  for (let comparison = 0; comparison < COMPARISONS; comparison += 1) {
    for (const [index, client] of [first, second].entries()) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      sessions[index]!.add(rows[0]!.pid);
    }
    if (sessions[0].size > 1 || sessions[1].size > 1 || !sessions[0].isDisjointFrom(sessions[1])) return true;
  }
  return false;
}

/** Returns the settings of a session that are not `SETTINGS` and `limits`, such as `timezone GMT`. */
async function findOtherSettings(client: pg.Client, limits: typeof LIMITS): Promise<string[]> {
  const expected: Record<string, string> = { ...SETTINGS, ...limits };
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select lower(name) as name, setting from pg_settings where lower(name) = any($1) order by name',
    [Object.keys(expected)],
  );
  return rows.flatMap(({ name, setting }) => {
    const value = setting.replaceAll(', ', ',');
    // The order of days and months is not set: dates are read in ISO format.
    return value === expected[name] || value.startsWith(`${expected[name]},`) ? [] : [`${name} ${setting}`];
  });
}

/**
 * Makes the settings those of the role in this database, unless they are, and ends the sessions of requests that have
 * former ones. A session that a pooler has opened ahead has no name.
 */
async function setForRole(server: pg.Client): Promise<void> {
  const { rows } = await server.query<{ database: string; name: string; value: string }>(
    `select datname as database, lower(split_part(entry, '=', 1)) as name, substr(entry, strpos(entry, '=') + 1) as value
     from pg_database
     left join pg_db_role_setting on setdatabase = pg_database.oid and setrole = current_user::regrole
     left join unnest(setconfig) as entry on true
     where datname = current_database()`,
  );
  const current = new Map(rows.map(({ name, value }) => [name, value]));
  const expected = Object.entries({ ...SETTINGS, ...LIMITS }).map(([name, value]) => ({
    name,
    value,
    // A list of names is not one text.
    literal: name === 'search_path' ? value : pg.escapeLiteral(value),
  }));
  const differing = expected.filter(({ name, value }) => current.get(name)?.replaceAll(', ', ',') !== value);
  if (differing.length === 0) return;
  await server.query(
    differing
      .map(
        ({ name, literal }) =>
          `alter role current_user in database ${ident(rows[0]!.database)} set ${name} = ${literal}`,
      )
      .join(';'),
  );
  await server.query(
    `select pg_terminate_backend(pid, ${END_MS}) from pg_stat_activity
     where datname = current_database() and usename = current_user and application_name in ('${REQUESTS}', '')`,
  );
}

/**
 * Whether two clients may have statements of the same name. PgBouncer renames them since 1.21; other versions pass them
 * on, so that they belong to whoever gets the session next.
 */
async function separatesStatements(client: pg.Client): Promise<boolean> {
  const name = `probe_${newId()}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1 as probe' });
  const { rowCount } = await client.query('select from pg_prepared_statements where name = $1', [name]);
  if (rowCount !== 0) await client.query(`deallocate ${ident(name)}`);
  await client.query('commit');
  return rowCount === 0;
}
