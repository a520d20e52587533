// Usage: npm start
// Prepares the clone (set-up, build), then replaces this process by the server.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { main } from './problem.mjs';
import { setUp } from './setup.mjs';

const server = 'server/src/main.mjs';
const followParent = ['--import', './scripts/follow-parent.mjs'];

main(async () => {
  const node = await setUp();
  const isStartedByNpm = Boolean(process.env.npm_lifecycle_event);
  if (process.execve)
    process.execve(node, [node, ...(isStartedByNpm ? followParent : []), server], process.env);

  // Node 20, on a first start, and Windows cannot replace a process: forward signals and the exit code.
  const child = spawn(node, [...followParent, server], { stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGINT', () => {
    // Ctrl+C in a terminal reaches the server directly.
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (isStartedByNpm) await import('./follow-parent.mjs');
});
