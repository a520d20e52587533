/** Texts of every connection test: of mail servers, and of the server for copies of backups. */
export const texts = {
  testing: 'Testing...',
  steps: 'Steps of the test',
  states: { done: 'passed', failed: 'failed', open: 'not reached' },
} as const;
