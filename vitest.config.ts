import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { launchOptions } from './e2e/browser.ts';

/**
 * One file more than cores, because each waits for its browser or database part of the time; as far as the connections of
 * the tests' PostgreSQL go.
 */
const maxWorkers = Math.min(4, Math.max(2, availableParallelism() + 1));

/** Files share the modules that their worker has loaded: none leaves state in them. */
const shared = {
  maxWorkers,
  isolate: false,
  // Compiled modules, reused by workers and by programs that tests start.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/compiled') },
};

/** How long a busy machine may take to reach a state. Speed is measured by `bench/`. */
const patience = { poll: { timeout: 120_000 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'units',
          testTimeout: 300_000,
          include: [
            'contract/src/**/*.test.ts',
            'web/src/**/*.test.{ts,tsx}',
            'scripts/**/*.test.{js,mjs,ts}',
          ],
          exclude: ['**/*.browser.test.*', '**/node_modules/**'],
        },
      },
      {
        // Hooks and components in Chromium, without a server. Two files at a time, each in a browser context of its own:
        // files of one context share storage and channels. After the others, which use every core already.
        optimizeDeps: { entries: ['web/src/**/*.{ts,tsx}'] },
        test: {
          name: 'components',
          expect: patience,
          include: ['web/src/**/*.browser.test.{ts,tsx}'],
          testTimeout: 300_000,
          // Until the page of a file is loaded.
          env: { VITEST_BROWSER_IFRAME_TIMEOUT: '300000' },
          maxWorkers,
          sequence: { groupOrder: 1 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: launchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          ...shared,
          name: 'server',
          expect: patience,
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/postgres.global.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'grid',
          expect: patience,
          include: ['e2e/grid/**/*.test.ts'],
          globalSetup: ['e2e/grid/grid.global.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'journeys',
          expect: patience,
          include: ['e2e/journeys/**/*.test.ts'],
          globalSetup: ['server/test/postgres.global.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
