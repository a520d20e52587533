// Runs the distribution's PostgreSQL with a cluster of its own.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../server/test/free-port.ts';

const ROOT = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root: then it gets another user id in its own user namespace. */
const asPerson = (program, args) =>
  process.getuid?.() === 0
    ? ['unshare', ['--user', '--map-user=1000', '--map-group=1000', program, ...args]]
    : [program, args];

/** Creates and starts a cluster below `folder`, configured as Debian does. Returns its URL. */
export async function startDistributionPostgres(folder) {
  const version = readdirSync(ROOT)
    .toSorted((a, b) => b - a)
    .at(0);
  const bin = join(ROOT, version, 'bin');
  const data = join(folder, 'cluster');
  const sockets = join(folder, 'sockets');
  mkdirSync(sockets);
  chmodSync(sockets, 0o777);
  execFileSync(
    ...asPerson(join(bin, 'initdb'), [
      '-D',
      data,
      '-U',
      'forecourt',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ]),
    {
      stdio: 'ignore',
    },
  );
  const port = await freePort();
  const settings = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', sockets];
  const child = spawn(...asPerson(join(bin, 'postgres'), ['-D', data, ...settings]), { stdio: 'ignore' });
  const url = `postgresql://forecourt@127.0.0.1:${port}/forecourt`;
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url.replace(/forecourt$/, 'postgres') });
    try {
      await client.connect();
      await client.query('create database forecourt');
      await client.end();
      break;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return {
    url,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGINT');
      await gone;
    },
  };
}
