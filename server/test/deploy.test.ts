import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { testApp } from './app.ts';
import { addDeal, addDealership } from './builders.ts';
import { openLiveStream, readUntil } from './live-stream.ts';
import { hasTool } from './operator-tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = await mkdtemp(join(tmpdir(), 'deploy-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const read = (file: string) => readFile(join(ROOT, 'deploy', file), 'utf8');

test.runIf(hasTool('systemd-analyze'))('systemd-analyze finds no fault with the unit', async () => {
  const unit = join(folder, 'forecourt.service');
  await writeFile(unit, (await read('forecourt.service')).replaceAll('/opt/forecourt', ROOT));
  expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});

test('the API of Patroni requires a password for what is not read, as PostgreSQL does', async () => {
  const { restapi, postgresql } = parse(await read('patroni.yml'));
  const { superuser, replication } = postgresql.authentication;
  expect([restapi.authentication, superuser, replication]).toEqual(
    ['patroni', 'postgres', 'replicator'].map((username) => ({ username, password: 'change-me' })),
  );
});

test.runIf(hasTool('promtool'))(
  'promtool accepts the scrape configuration, and the rules alert as intended',
  () => {
    const run = (...args: string[]) =>
      execFileSync('promtool', args, { cwd: join(ROOT, 'deploy'), encoding: 'utf8' });
    expect(run('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
    expect(run('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
  },
);

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as { port: number };
  await new Promise((closed) => socket.close(closed));
  return port;
}

test.runIf(hasTool('caddy'))(
  'Caddy accepts the Caddyfile, and forwards live events as they come',
  async () => {
    const server = await testApp();
    const ada = await server.person({ role: 'admin' });
    const dealershipId = await addDealership(server, ada);
    const upstream = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' })).host;
    const port = await freePort();
    const file = join(folder, 'Caddyfile');
    const text = await read('Caddyfile');
    const local = text
      .replace('forecourt.example.com {', `http://127.0.0.1:${port} {`)
      .replace('127.0.0.1:3000', upstream);
    // No certificate authority is reached here.
    await writeFile(file, `{\n\tadmin off\n}\n${local}`);
    const env = { ...process.env, HOME: folder };
    execFileSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'pipe' });
    const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      env,
      stdio: 'ignore',
    });
    try {
      const url = `http://127.0.0.1:${port}`;
      const status = () => fetch(`${url}/api/ready`).then(({ status }) => status, String);
      await expect.poll(status, { timeout: 30_000 }).toBe(200);
      const stream = await openLiveStream(url, ada.token);
      const deal = await addDeal(server, ada, dealershipId);
      await readUntil(stream.reader, (output) => output.includes(deal._id));
      stream.stop();
    } finally {
      caddy.kill();
      await once(caddy, 'exit');
      await server.close();
    }
  },
);
