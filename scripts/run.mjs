// Part of the set-up scripts: starts other programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

/** Returns the script of a tool's command, to be run by the chosen Node. */
export function toolPath(root, packageName, command = packageName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/**
 * Runs a program to its end. Passes a signal on to it before this process ends, because it would otherwise run on.
 * @param {string[]} command file and arguments
 * @param {object} options those of `spawn`, and `started`, which is called with the process id
 * @returns {Promise<{ code: number, output: string }>} `output` contains only what `stdio` pipes
 */
export async function run([file, ...args], { started, ...options }) {
  const child = spawn(file, args, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => (output += text));
  }
  if (child.pid) started?.(child.pid);
  let received;
  const forward = (signal) => {
    received = signal;
    child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  const [code, signal] = await once(child, 'close').finally(() => {
    for (const signal of SIGNALS) process.off(signal, forward);
  });
  if (received) process.kill(process.pid, received);
  return { code: code ?? 128 + constants.signals[signal], output };
}
