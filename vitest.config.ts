import { defineConfig } from 'vitest/config';

/** How long a busy machine may take until something is so. What must be quick is measured by its own test. */
const patience = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'units',
          testTimeout: 60_000,
          include: [
            'contract/src/**/*.test.ts',
            'web/src/**/*.test.{ts,tsx}',
            'scripts/**/*.test.{js,mjs,ts}',
          ],
        },
      },
      {
        test: {
          name: 'server',
          expect: patience,
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/postgres.global.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'grid',
          expect: patience,
          include: ['e2e/grid/**/*.test.ts'],
          globalSetup: ['e2e/grid/grid.global.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'journeys',
          expect: patience,
          include: ['e2e/journeys/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
