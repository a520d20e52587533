// Usage: npm run dev
// For development: the server restarts and the browser updates on save. HOST and PORT are Vite's here, which proxies
// /api to the server at FORECOURT_API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { main } from './problem.mjs';
import { toolPath } from './run.mjs';
import { root, setUp } from './setup.mjs';

const watched = ['server/src', 'server/migrations', 'contract/src'];

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
}

async function untilHealthy(api) {
  for (;;) {
    const answer = await fetch(`${api}/api/health`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(100);
  }
}

main(async () => {
  const node = await setUp({ web: false });
  const { HOST: host = '127.0.0.1', PORT: port = '3000' } = process.env;
  const apiPort = await findFreePort();
  const api = `http://127.0.0.1:${apiPort}`;
  const url = process.env.PUBLIC_URL ?? `http://localhost:${port}`;

  const server = spawn(
    node,
    [
      '--watch',
      '--watch-preserve-output',
      ...watched.map((path) => `--watch-path=${path}`),
      'server/src/main.mjs',
    ],
    { stdio: 'inherit', env: { ...process.env, HOST: '127.0.0.1', PORT: apiPort, PUBLIC_URL: url } },
  );
  const vite = spawn(
    node,
    [toolPath(root, 'vite'), '--host', host, '--port', port, '--strictPort', '--logLevel', 'warn'],
    { cwd: `${root}/web`, stdio: 'inherit', env: { ...process.env, FORECOURT_API: api } },
  );

  const children = [server, vite];
  let isStopping = false;
  const stop = () => {
    if (!isStopping) children.forEach((child) => child.kill('SIGTERM'));
    isStopping = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  for (const child of children) child.once('exit', stop);
  if (process.env.npm_lifecycle_event) await import('./follow-parent.mjs');
  void untilHealthy(api).then(() => console.log(`Forecourt for developers: ${url}`));

  await Promise.all(children.map((child) => once(child, 'exit')));
  process.exit(children.some((child) => child.exitCode) ? 1 : 0);
});
