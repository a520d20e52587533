// Part of the set-up scripts: builds the web pages into web/dist.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, hasStamp } from './fingerprint.mjs';
import { Problem, findReason } from './problem.mjs';
import { run, toolPath } from './run.mjs';

/** All inputs of the build; scripts/ covers the build itself. */
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

/** Whether web/dist was built from the current sources. */
export function isBuilt(root) {
  return hasStamp(stampIn(distOf(root)), fingerprint(root, inputs));
}

/**
 * Builds next to web/dist and swaps the folders when the build is complete, so that a broken or interrupted build
 * leaves web/dist as it was. The stamp is computed before the build: sources changed meanwhile make it stale.
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
    const reason = findReason(output);
    if (!reason) console.error(output.trim());
    throw new Problem(`The web pages could not be built: ${reason ?? 'see the lines above'}.`);
  }
  writeFileSync(stampIn(draft), stamp);
  if (existsSync(distOf(root))) renameSync(distOf(root), previous);
  renameSync(draft, distOf(root));
  rmSync(previous, { recursive: true, force: true });
}
