// Usage: npm run release -- 1.2.0
// Sets the version everywhere, moves the unreleased lines of the changelog below it, commits, and prints the commands
// that tag and push. Ends with one line when the tree is not clean or a check fails.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChecks } from './check.mjs';
import { main, Problem } from './problem.mjs';
import { root, setUp } from './setup.mjs';

const UNRELEASED = '## Unreleased\n';

/**
 * Returns the changelog with the unreleased lines under this version and day (`YYYY-MM-DD`).
 * @param breaking its migrations that stop earlier releases, with the first release that they do not stop
 */
export function releaseChangelog(changelog, version, day, breaking = []) {
  const [head, rest] = changelog.split(UNRELEASED);
  if (!/^- /m.test(rest?.split(/^## /m)[0] ?? '')) {
    throw new Problem('CHANGELOG.md has no lines below "## Unreleased".');
  }
  const names = breaking.map(({ name, before }) => (before ? `${name} before ${before}` : name));
  const warning =
    names.length > 0
      ? `\nInstances of earlier releases stop when this one starts on their database (${names.join(', ')}).\n`
      : '';
  return `${head}${UNRELEASED}\n## ${version} — ${day}\n${warning}${rest}`;
}

/** Returns the content of a package.json with this version, also for packages of this repository that it needs. */
export function withVersion(content, version) {
  const dependencies = Object.keys(content.dependencies ?? {}).filter((name) =>
    name.startsWith('@forecourt/'),
  );
  return {
    ...content,
    version,
    ...(content.dependencies && {
      dependencies: {
        ...content.dependencies,
        ...Object.fromEntries(dependencies.map((name) => [name, version])),
      },
    }),
  };
}

/** Returns the breaking migrations (docs/upgrading.md, Before) among these files, by their content. */
export const breakingMigrations = (files) =>
  Object.entries(files).flatMap(([file, text]) => {
    const mark = /^-- Breaking(?: before (\d+\.\d+\.\d+))?: /.exec(text);
    return mark ? [{ name: file.replace(/^.*\/|\.sql$/g, ''), before: mark[1] }] : [];
  });

/** Whether a version is later than another one. */
export function isAfter(version, other) {
  const [ours, theirs] = [version, other].map((text) => text.split('.').map(Number));
  const at = ours.findIndex((number, index) => number !== theirs[index]);
  return /^\d+\.\d+\.\d+$/.test(version) && at >= 0 && ours[at] > theirs[at];
}

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (file) => readFileSync(join(root, file), 'utf8');

function writeJson(file, change) {
  const content = JSON.parse(read(file));
  writeFileSync(join(root, file), `${JSON.stringify(change(content), null, 2)}\n`);
}

async function release(version) {
  const { version: current, workspaces } = JSON.parse(read('package.json'));
  if (!isAfter(version, current)) {
    throw new Problem(`Usage: npm run release -- VERSION, of three numbers and after ${current}.`);
  }
  if (git('status', '--porcelain') !== '') throw new Problem('The tree is not clean: commit or stash first.');
  if (git('tag', '--list', `v${current}`) === '') {
    throw new Problem(`The tag v${current} is missing: fetch the tags first (git fetch --tags).`);
  }
  const { failed } = await runChecks(await setUp({ web: false }));
  if (failed > 0) throw new Problem('A check failed; nothing was changed.');

  const day = new Date().toLocaleDateString('sv');
  const added = git('diff', '--name-only', '--diff-filter=A', `v${current}`, '--', 'server/migrations');
  const files = added.split('\n').filter(Boolean);
  const breaking = breakingMigrations(Object.fromEntries(files.map((file) => [file, read(file)])));
  writeFileSync(join(root, 'CHANGELOG.md'), releaseChangelog(read('CHANGELOG.md'), version, day, breaking));
  for (const folder of ['.', ...workspaces]) {
    writeJson(join(folder, 'package.json'), (content) => withVersion(content, version));
  }
  writeJson('package-lock.json', ({ packages, ...lock }) => {
    const ours = ['', ...workspaces].map((folder) => [folder, withVersion(packages[folder], version)]);
    return { ...lock, version, packages: { ...packages, ...Object.fromEntries(ours) } };
  });
  git('commit', '--all', '--message', `Release ${version}`);
  console.log(`Released ${version}. When CI is green:\n  git tag -a v${version} -m "Forecourt ${version}"`);
  console.log(`  git push origin v${version}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(() => release(process.argv[2] ?? ''));
