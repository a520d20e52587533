// Part of the set-up scripts: detects whether a result is up to date with its input files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const notSources = new Set(['node_modules', 'dist', '.cache']);

/** Returns all files at or below a path inside `root`, sorted; none if it does not exist. */
function filesBelow(root, path) {
  let entries;
  try {
    entries = readdirSync(join(root, path), { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
  return entries
    .filter((entry) => !notSources.has(entry.name))
    .map((entry) => [`${path}/${entry.name}`, entry.isDirectory()])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([child, isFolder]) => (isFolder ? filesBelow(root, child) : [child]));
}

/**
 * Returns a hash over names and contents of files, without times, which a checkout or a copy changes.
 * @param {string} root
 * @param {string[]} paths files and folders inside `root`; missing ones count as empty
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of paths.flatMap((path) => filesBelow(root, path))) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Whether the stamp file contains this fingerprint. */
export function hasStamp(file, expected) {
  try {
    return readFileSync(file, 'utf8') === expected;
  } catch {
    return false;
  }
}
