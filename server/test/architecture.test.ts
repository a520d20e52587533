import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '@forecourt/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const featuresOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
const filesBelow = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(ts|tsx|sql)$/.test(file),
  );

/** Features that exist on one side only, each with its reason. */
const ONE_SIDED = {
  changelog: 'is read when the pages are built',
  debug: "is the page's own log",
  palette: 'asks for the lists of other features',
};
const isTwoSided = (feature: string) => !(feature in ONE_SIDED);

/** What a feature does without, each with its reason. */
const WITHOUT: Record<string, { roles: string[]; because: string }> = {
  dashboard: { roles: ['queries', 'policy'], because: 'it tells what deals answer, to whoever may see them' },
  reports: { roles: ['queries'], because: 'they tell what deals answer' },
  demo: { roles: ['policy'], because: 'everybody in a demo looks at all of it' },
  notifications: { roles: ['policy'], because: 'everybody has their own, and nobody those of others' },
};

describe('the house', () => {
  test('has the same rooms on both sides: a feature is found by its name', () => {
    const server = featuresOf('server/src/features').filter(isTwoSided);
    const web = featuresOf('web/src/features').filter(isTwoSided);
    expect(web.sort()).toEqual(server.sort());
    for (const feature of server) {
      expect(existsSync(join(ROOT, `contract/src/${feature}.ts`)), `contract/src/${feature}.ts`).toBe(true);
    }
  });

  test('gives every server feature routes, service, queries, policy, and tests', () => {
    for (const feature of featuresOf('server/src/features').filter(isTwoSided)) {
      const files = readdirSync(join(ROOT, 'server/src/features', feature));
      const roles = ['routes', 'service', 'queries', 'policy'];
      for (const role of roles.filter((role) => !WITHOUT[feature]?.roles.includes(role)))
        expect(files).toContain(`${feature}.${role}.ts`);
      expect(
        files.some((file) => file.endsWith('.test.ts')),
        `${feature} has tests`,
      ).toBe(true);
    }
  });

  test('names no file after nothing', () => {
    const vague = /(^|\/)(utils?|helpers?|types|index|common|misc)\.tsx?$/;
    const files = ['contract/src', 'server/src', 'server/test', 'web/src', 'e2e'].flatMap((folder) =>
      filesBelow(folder).filter((file) => !file.includes('node_modules')),
    );
    expect(files.filter((file) => vague.test(file))).toEqual([]);
  });

  test.each([
    ['policies do no I/O', '.policy.ts', /\basync\b|platform\/db/],
    ['queries call no service', '.queries.ts', /\.service\.ts'|\.routes\.ts'/],
    ['services know no HTTP', '.service.ts', /\.routes\.ts'|from 'fastify'/],
  ])('%s', (_rule, ending, forbidden) => {
    const files = filesBelow('server/src/features').filter((file) => file.endsWith(ending));
    const broken = files.filter((file) =>
      forbidden.test(readFileSync(join(ROOT, 'server/src/features', file), 'utf8')),
    );
    expect(files.length).toBeGreaterThan(3);
    expect(broken).toEqual([]);
  });

  test('says of every call in the contract what it is for', () => {
    for (const [key, contract] of Object.entries(api)) {
      expect(key).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/[a-z-]+(\/(:[a-zA-Z]+|[a-z-]+))*$/);
      expect(contract.summary.length, key).toBeGreaterThan(10);
    }
  });

  test('never edits a migration that has been merged', () => {
    const merged = execFileSync(
      'git',
      ['log', '--diff-filter=A', '--format=', '--name-only', '--', 'server/migrations'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    for (const file of merged.split('\n').filter(Boolean)) {
      const edits = execFileSync('git', ['log', '--diff-filter=MD', '--format=%h', '--', file], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(edits, `${file} was edited after it was merged`).toBe('');
    }
  });
});

describe('the checks can still fail', () => {
  const VIOLATIONS = join(ROOT, 'server/test/violations');
  const BIN = join(ROOT, 'node_modules/.bin');
  let copy: string;
  beforeAll(() => {
    // In a folder of their own with the project's rules: here they are left out of the project's lint.
    copy = mkdtempSync(join(tmpdir(), 'violations-'));
    cpSync(VIOLATIONS, copy, { recursive: true });
    // Under this name it would be run as a test where it lies.
    const screen = join(copy, 'web/src/features/one/imports-screen');
    cpSync(`${screen}.ts`, `${screen}.test.ts`);
    const rules = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8'));
    writeFileSync(join(copy, '.oxlintrc.json'), JSON.stringify({ ...rules, ignorePatterns: [] }));
    writeFileSync(
      join(copy, 'tsconfig.json'),
      '{ "compilerOptions": { "strict": true }, "include": ["**/*.ts"] }',
    );
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const lint = (file: string) =>
    spawnSync(join(BIN, 'oxlint'), [file], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${BIN}:${process.env.PATH}` },
    });

  test.each([
    ['contract/src/imports-node.ts', 'contract imports zod and nothing else'],
    ['server/src/platform/imports-feature.ts', 'platform knows no feature'],
    ['server/src/features/one/imports-queries.ts', 'another feature is used only through its .service.ts'],
    ['web/src/ui/imports-feature.ts', 'building blocks know no feature'],
    ['web/src/features/one/imports-screen.ts', 'another feature is used only through its .queries.ts'],
    ['web/src/features/one/imports-screen.test.ts', 'another feature is used only through its .queries.ts'],
    ['server/src/floating-promise.ts', 'no-floating-promises'],
    ['server/src/any.ts', 'no-explicit-any'],
  ])('lint finds %s', (file, words) => {
    const { status, stdout } = lint(file);
    expect(status).toBe(1);
    expect(stdout).toContain(words);
  });

  test('the type check finds a wrong type and a missing route', () => {
    const { status, stdout } = spawnSync(join(BIN, 'tsc'), ['-p', join(VIOLATIONS, 'tsconfig.json')], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stdout).toContain('wrong-type.ts');
    expect(stdout).toContain('missing-route.ts');
  });
});
