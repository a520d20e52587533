import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Connection } from '../src/platform/db/database.ts';
import { commandLine, findLauncher } from '../src/platform/db/embedded/postgres-programs.ts';
import { lineTo } from './database.ts';
import { freePort } from './free-port.ts';
import { readDeployed } from './operator-tools.ts';

type PgBouncer = {
  /** The server behind it, as DATABASE_DIRECT_URL. */
  directUrl: string;
  /** The pooler in transaction mode. */
  url: string;
  /** The pooler in session mode. */
  sessionUrl: string;
  /** Whether this release of PgBouncer prepares statements; older ones do not start with the setting. */
  preparesStatements: boolean;
  close(): Promise<void>;
};

/**
 * Starts a real PgBouncer with `deploy/pgbouncer.ini` in front of the server of a database.
 * @param setting a further line of the file
 */
export async function openPgBouncer(to: Connection, setting = ''): Promise<PgBouncer> {
  // It does not run as root, and another user may not enter the folder of the server's socket.
  const { line, connection } = await lineTo(to);
  const { user, database, password } = connection as { user: string; database: string; password?: string };
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const release = /\d+\.(\d+)/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }))!;
  const preparesStatements = Number(release[1]) >= 21;
  const target = `host=127.0.0.1 port=${line.port} dbname=${database}`;
  await writeFile(join(folder, 'userlist.txt'), `"${user}" "${password ?? ''}"\n`);
  const configuration = await readDeployed('pgbouncer.ini', [
    [
      'forecourt = host=127.0.0.1 port=5432 dbname=forecourt',
      `forecourt = ${target}\nsessions = ${target} pool_mode=session`,
    ],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['auth_type = scram-sha-256', 'auth_type = trust'],
    ['/etc/pgbouncer/userlist.txt', join(folder, 'userlist.txt')],
    ['pidfile = /run/postgresql/pgbouncer.pid', 'unix_socket_dir ='],
    [';max_prepared_statements', `${preparesStatements ? '' : ';'}max_prepared_statements`],
  ]);
  await writeFile(join(folder, 'pgbouncer.ini'), `${configuration}\n${setting}\n`);
  await chmod(folder, 0o755);
  const pooler = spawn(...commandLine(await findLauncher(), 'pgbouncer', [join(folder, 'pgbouncer.ini')]), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(pooler, 'exit');
  const printed: string[] = [];
  for await (const text of createInterface({ input: pooler.stderr })) {
    printed.push(text);
    if (text.includes('process up')) break;
  }
  if (!printed.at(-1)?.includes('process up')) throw new Error(printed.join('\n'));
  pooler.stderr.resume();
  const urlAt = (at: number, name: string) => `postgresql://${user}@127.0.0.1:${at}/${name}`;
  const directUrl = new URL(urlAt(line.port, database));
  directUrl.password = password ?? '';
  return {
    directUrl: directUrl.href,
    url: urlAt(port, 'forecourt'),
    sessionUrl: urlAt(port, 'sessions'),
    preparesStatements,
    async close() {
      pooler.kill('SIGKILL');
      await exited;
      await line.close();
      await rm(folder, { recursive: true });
    },
  };
}
