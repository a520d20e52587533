import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakingMigrations, isAfter, releaseChangelog, withVersion } from './release.mjs';

const root = join(import.meta.dirname, '..');
const read = (file) => readFileSync(join(root, file), 'utf8');
const version = (file) => JSON.parse(read(file)).version;

test('every package, the lockfile and the newest release of the changelog have one version', () => {
  const { workspaces } = JSON.parse(read('package.json'));
  const { packages } = JSON.parse(read('package-lock.json'));
  const current = version('package.json');
  for (const folder of workspaces) {
    const content = JSON.parse(read(join(folder, 'package.json')));
    expect(withVersion(content, current)).toEqual(content);
    expect(packages[folder].version).toBe(current);
  }
  expect([version('package-lock.json'), packages[''].version]).toEqual([current, current]);
  const [, released] = /^## (\d.*?) — \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md')) ?? [];
  expect(released).toBe(current);
});

test('a release takes the unreleased lines and leaves an empty heading', () => {
  const before =
    '# Changelog\n\n## Unreleased\n\n### Everybody\n\n- New.\n\n## 1.0.0 — 2026-11-23\n\n- First.\n';
  const after = releaseChangelog(before, '1.1.0', '2026-12-24');
  expect(after).toBe(before.replace('## Unreleased\n', '## Unreleased\n\n## 1.1.0 — 2026-12-24\n'));
  expect(() => releaseChangelog(after, '1.2.0', '2026-12-25')).toThrow('no lines');
  expect(() => releaseChangelog('# Changelog\n', '1.2.0', '2026-12-25')).toThrow('no lines');
});

test('a release with breaking migrations says so below its heading', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Everybody\n\n- New.\n';
  const breaking = breakingMigrations({
    'server/migrations/0001_a.sql': '-- Breaking: names are titles.\n',
    'server/migrations/0002_b.sql': '-- A column.\n',
    'server/migrations/0003_c.sql': '-- Breaking before 1.0.5: the column is not used.\n',
  });
  expect(releaseChangelog(before, '1.1.0', '2026-12-24', breaking)).toContain(
    '## 1.1.0 — 2026-12-24\n\nInstances of earlier releases stop when this one starts on their database (0001_a, 0003_c before 1.0.5).\n\n### Everybody',
  );
});

test('packages of this repository need each other in the same version; others stay', () => {
  const content = {
    name: 'a',
    version: '1.0.0',
    dependencies: { '@forecourt/contract': '1.0.0', zod: '4.1.0' },
  };
  expect(withVersion(content, '1.1.0')).toEqual({
    name: 'a',
    version: '1.1.0',
    dependencies: { '@forecourt/contract': '1.1.0', zod: '4.1.0' },
  });
});

test.each([
  ['1.0.0', '0.9.9', true],
  ['1.0.10', '1.0.9', true],
  ['1.0.0', '1.0.0', false],
  ['0.9.9', '1.0.0', false],
  ['1.1', '1.0.0', false],
  ['v1.1.0', '1.0.0', false],
  ['', '1.0.0', false],
])('the version %s comes after %s: %s', (version, other, expected) => {
  expect(isAfter(version, other)).toBe(expected);
});
