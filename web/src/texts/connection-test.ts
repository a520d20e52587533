export const texts = {
  testing: 'Testing...',
  steps: 'Steps of the test',
  states: { done: 'passed', failed: 'failed', open: 'not reached' },
} as const;
