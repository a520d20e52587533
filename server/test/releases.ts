import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * Writes a program that is this one with further migrations, as the next release would have them. Returns its folder, for
 * `startServer`.
 * @param migrations by their file names
 */
export async function writeNextRelease(folder: string, migrations: Record<string, string>): Promise<string> {
  await mkdir(join(folder, 'server'), { recursive: true });
  for (const name of ['src', 'migrations', 'package.json'])
    await cp(join(ROOT, 'server', name), join(folder, 'server', name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, sql] of Object.entries(migrations))
    await writeFile(join(folder, 'server/migrations', name), sql);
  return folder;
}

/** Returns the version of the last release, and its commit; undefined if this copy of the repository lacks it. */
export async function findLastRelease(): Promise<{ version: string; commit: string | undefined }> {
  const { version } = await readJson(join(ROOT, 'package.json'));
  const find = (...args: string[]): string => {
    try {
      return git(...args);
    } catch {
      return '';
    }
  };
  const commit =
    find('rev-parse', '--verify', '--quiet', `v${version}^{commit}`) ||
    find('log', '-1', '--format=%H', '--grep', `^Release ${version}$`);
  return { version, commit: commit || undefined };
}

/**
 * Writes the server of a commit, with the packages that are installed here. Returns its folder, or the names of the
 * packages that it needs in other versions.
 */
export async function writeReleaseOf(
  commit: string,
  folder: string,
): Promise<{ root: string } | { missing: string[] }> {
  await mkdir(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit, 'server', 'contract'], {
    cwd: ROOT,
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });

  const modules = join(ROOT, 'node_modules');
  const needed: Record<string, string> = {};
  for (const workspace of ['server', 'contract'])
    Object.assign(needed, (await readJson(join(folder, workspace, 'package.json'))).dependencies);
  const missing: string[] = [];
  for (const [name, version] of Object.entries(needed).filter(([name]) => !name.startsWith('@forecourt/'))) {
    const installed = await readJson(join(modules, name, 'package.json')).catch(() => ({}));
    if (installed.version !== version) missing.push(`${name} ${version}`);
  }
  if (missing.length > 0) return { missing };

  await mkdir(join(folder, 'node_modules/@forecourt'), { recursive: true });
  for (const name of (await readdir(modules)).filter((name) => name !== '@forecourt'))
    await symlink(join(modules, name), join(folder, 'node_modules', name));
  await symlink(join(folder, 'contract'), join(folder, 'node_modules/@forecourt/contract'));
  return { root: folder };
}
