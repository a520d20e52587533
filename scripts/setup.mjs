// Part of `npm start`, `npm test` and `npm run dev`: prepares a clone, repeating only what is missing or stale.
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb, isBuilt } from './build-web.mjs';
import { findNode, install, isInstalled } from './install.mjs';
import { Problem } from './problem.mjs';
import { runExclusively } from './setup-lock.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

function requireNode20() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Problem(`Node 20.19 or newer is needed to begin with; this is ${process.versions.node}.`);
  }
}

/**
 * Prepares the clone. Writes nothing if everything is up to date, so that a clone installed by one user can be started
 * by another.
 * @param {{ web?: boolean }} options web: whether the built web pages are needed
 * @returns {Promise<string>} the Node to run the project with; PATH starts with it from now on
 */
export async function setUp({ web = true } = {}) {
  requireNode20();
  process.chdir(root);
  if (!isInstalled(root)) {
    await runExclusively(root, async (started) => {
      if (!isInstalled(root)) await install(root, started);
    });
  }
  const node = findNode(root);
  process.env.PATH = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  if (web && !isBuilt(root)) {
    await runExclusively(root, async (started) => {
      if (!isBuilt(root)) await buildWeb(root, node, started);
    });
  }
  return node;
}
