/**
 * `npm run mutate` places single faults in the code below, runs the tests that reach each, and prints the faults with
 * which no test fails and the score by folder. `npm run mutate -- --mutate 'web/src/grid/*.ts'` takes other files. A
 * fault that a component test reaches takes seconds, so it is no part of `npm test`.
 */
export default {
  mutate: [
    'contract/src/{characters,custom-fields,deal-amounts,deal-filter-fields,permissions,phone}.ts',
    // Of the server only what has tests without a database.
    'server/src/features/{auth/auth,backups/schedule,deals/*,months/months,permissions/permissions,users/users}.policy.ts',
    'server/src/features/deals/changes/revert-groups.ts',
    'web/src/features/custom-fields/field-values.ts',
    'web/src/features/deals/{deal-fields,deal-row,{items,store,sync}/*}.ts',
    'web/src/features/deals/{actions,backup-rows,changes,comments,custom,form,groups,import,presence}/*.ts',
    'web/src/features/deals/{toolbar/filter-draft,views/{arrangement,filter*}}.ts',
    'web/src/features/months/*.ts',
    'web/src/platform/{adjustments,api,api-error,draft-writer,drafts,event-stream,external-store,live-events}.ts',
    'web/src/platform/{permission-fetches,permission-set,query-client,retry-later,session}.ts',
    'web/src/ui/{foreign-changes,use-form,use-record-form}.ts',
    '!**/*.{test,fixture,queries}.ts',
    // Wiring, which the journeys cover.
    '!web/src/features/deals/{store/deal-store,sync/unsaved-work,{import,presence,store}/use-*}.ts',
  ],
  // These tests do not assert texts and option objects.
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'Regex'] },
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutate.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  tempDirName: '.cache/mutate',
  ignorePatterns: ['/bench', '/docs', '/shared', '/web/dist'],
  // None: Stryker would rewrite it with the parser of the compiler, which TypeScript 7 does not have.
  tsconfigFile: 'none',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
