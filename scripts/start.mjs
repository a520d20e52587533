// Usage: npm start
// Makes the clone ready (set-up, build), then runs the server in the place of this script.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { main } from './problem.mjs';
import { setUp } from './setup.mjs';

const server = 'server/src/main.ts';
const followParent = ['--import', './scripts/follow-parent.mjs'];

main(async () => {
  const node = await setUp();
  const isStartedByNpm = Boolean(process.env.npm_lifecycle_event);
  if (process.execve)
    process.execve(node, [node, ...(isStartedByNpm ? followParent : []), server], process.env);

  // Node 20, on a first start, and Windows cannot replace a process: stay, pass signals on, end as it ends.
  const child = spawn(node, [...followParent, server], { stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGINT', () => {
    // Ctrl+C in a terminal reaches the server by itself.
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (isStartedByNpm) await import('./follow-parent.mjs');
});
