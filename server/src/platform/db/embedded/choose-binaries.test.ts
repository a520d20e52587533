import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeDataFolder } from '../../../../test/data-folder.ts';
import { makeBinaries } from './binaries.fixture.ts';
import { chooseBinaries, versionOf } from './choose-binaries.ts';
import { findLauncher } from './postgres-programs.ts';

const root = await makeDataFolder('binaries-');
afterAll(() => rm(root, { recursive: true, force: true }));
const launcher = await findLauncher();

/** Creates a system with these versions of PostgreSQL. */
async function makeSystem(name: string, versions: readonly string[], extensions?: string[]): Promise<string> {
  const folders = versions.map((version) => join(root, name, version, 'bin'));
  for (const [at, folder] of folders.entries()) await makeBinaries(folder, versions[at]!, extensions);
  return join(root, name, '*/bin');
}
const old = await makeSystem('old', ['18.0', '17.2', '17.12', '15.20']);
const newer = await makeSystem('newer', ['18.98', '19.1', '20beta1']);
const choose = async (systemFolders: string[], clusterMajor?: number, pgBin?: string): Promise<string> =>
  versionOf(
    await chooseBinaries({ cluster: '/data/postgres', clusterMajor, pgBin, launcher, systemFolders }),
  );

test('a new cluster gets the newest minor release of the major version of the package', async () => {
  const ofPackage = await choose([]);
  expect(ofPackage).toMatch(/^18\./);
  expect(await choose([old])).toBe(ofPackage);
  expect(await choose([old, newer])).toBe('18.98');
});

test('a new cluster gets the major version that PG_BIN names, in its newest minor release', async () => {
  expect(await choose([old], undefined, join(root, 'old/17.2/bin'))).toBe('17.12');
});

test('an existing cluster gets the newest minor release of its own major version', async () => {
  expect(await choose([old, newer], 17)).toBe('17.12');
  expect(await choose([old, newer], 18, join(root, 'old/17.2/bin'))).toBe('18.98');
  expect(await choose([old], 18, join(root, 'newer/18.98/bin'))).toBe('18.98');
});

test('a cluster of a major version that is not installed is refused in one line that names the package', async () => {
  await expect(choose([newer], 17)).rejects.toThrow(
    /^The database in \/data\/postgres was made by PostgreSQL 17\. PostgreSQL 17 with its extensions is not installed \(found: 18\.98, 19\.1, 18\.\d+\): install the package postgresql-17, or set PG_BIN to [^\n]+ Nothing was changed\.$/,
  );
});

test('major versions other than 17 and 18 are refused, for existing and new clusters', async () => {
  await expect(choose([old], 15)).rejects.toThrow('runs PostgreSQL 17 or 18, not 15');
  await expect(choose([newer], 19)).rejects.toThrow('runs PostgreSQL 17 or 18, not 19');
  await expect(choose([], undefined, join(root, 'old/15.20/bin'))).rejects.toThrow(
    'runs PostgreSQL 17 or 18, not 15: change PG_BIN',
  );
});

test('a PostgreSQL without an extension is not chosen, and refused as PG_BIN with the name of the extension', async () => {
  const partial = await makeSystem('partial', ['18.97'], ['citext']);
  expect(await choose([partial, newer])).toBe('18.98');
  expect(await choose([partial])).not.toBe('18.97');
  await expect(choose([], 18, join(root, 'partial/18.97/bin'))).rejects.toThrow(
    /^PG_BIN .+ cannot be used: it lacks the extension pg_trgm \(package postgresql-contrib\)\. Nothing was changed\.$/,
  );
});

test('PG_BIN without programs that run is refused', async () => {
  const broken = join(root, 'broken');
  await mkdir(broken);
  await expect(choose([], 18, broken)).rejects.toThrow('has no program postgres that runs here');
  await writeFile(join(broken, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 18.9"\n', {
    mode: 0o755,
  });
  await expect(choose([], 18, broken)).rejects.toThrow('its initdb does not run');
  await expect(choose([], 18, join(root, 'newer/20beta1/bin'))).rejects.toThrow('its postgres is no release');
});
