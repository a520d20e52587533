import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import config from './vitest.config.ts';

// `npm run mutate` runs in a copy of the project, whose `node_modules` links to the original.
const find = /^@forecourt\/contract\/(.*)/;
const resolve = { alias: [{ find, replacement: join(import.meta.dirname, 'contract/src/$1.ts') }] };

const projects = config.test?.projects as TestProjectInlineConfiguration[];
const named = (name: string): TestProjectInlineConfiguration =>
  projects.find(({ test }) => test?.name === name)!;

// Short waits: a fault usually prevents the awaited state.
const impatient = { testTimeout: 15_000, hookTimeout: 60_000, expect: { poll: { timeout: 3_000 } } };

// Only the server tests that need no database.
const include = ['server/src/**/*.policy.test.ts', 'server/src/**/revert-groups.test.ts'];
const policies = { name: 'policies', include, globalSetup: [] };

const variant = (name: string, changes = {}): TestProjectInlineConfiguration => {
  const project = named(name);
  return { ...project, resolve, test: { ...project.test, ...impatient, ...changes } };
};

// Excludes the screen of Data Entry, whose tests reach nearly every file and take a second each.
const hooks = { exclude: ['web/src/features/**'] };

export default defineConfig({
  test: { projects: [variant('units'), variant('components', hooks), variant('server', policies)] },
});
