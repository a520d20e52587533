// Part of the set-up scripts: the browser's half, built into web/dist.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, hasStamp } from './fingerprint.mjs';
import { Problem, reasonIn } from './problem.mjs';
import { run, toolPath } from './run.mjs';

/** All that the build reads; scripts/ stands for the way it is built. */
const inputs = [
  'web',
  'CHANGELOG.md',
  'contract/src',
  'contract/package.json',
  'CHANGELOG.md',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];
const distOf = (root) => join(root, 'web', 'dist');
const stampIn = (dist) => join(dist, '.built');

/** Whether web/dist was built from the present sources. */
export function isBuilt(root) {
  return hasStamp(stampIn(distOf(root)), fingerprint(root, inputs));
}

/**
 * Builds beside web/dist and swaps the folders only when the build is whole, so that a broken or interrupted one
 * leaves neither half nor stale code. The stamp was taken before: sources changed meanwhile make it stale.
 */
export async function buildWeb(root, node, started) {
  console.log('Building the web pages …');
  const stamp = fingerprint(root, inputs);
  const web = join(root, 'web');
  const draft = join(web, '.cache', 'dist');
  const previous = join(web, '.cache', 'previous-dist');
  for (const leftover of [draft, previous]) rmSync(leftover, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });

  const args = ['build', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'];
  const { code, output } = await run([node, toolPath(root, 'vite'), ...args], {
    cwd: web,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
    started,
  });
  if (code !== 0) {
    const reason = reasonIn(output);
    if (!reason) console.error(output.trim());
    throw new Problem(`The web pages could not be built: ${reason ?? 'see the lines above'}.`);
  }
  writeFileSync(stampIn(draft), stamp);
  if (existsSync(distOf(root))) renameSync(distOf(root), previous);
  renameSync(draft, distOf(root));
  rmSync(previous, { recursive: true, force: true });
}
