// Part of `npm test`: what a run of vitest amounts to.

/**
 * Counts tests. A file that could not be loaded, an error outside any test, a run without a report and a run
 * without a single test each count as one failure: none of them may look like success.
 *
 * @param {object | undefined} report vitest's JSON report
 * @param {number} exitCode vitest's own
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(report, exitCode) {
  const { numPassedTests: passed = 0, numFailedTests = 0, testResults = [] } = report ?? {};
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
  ).length;
  const failed = numFailedTests + brokenFiles;
  const isSilentFailure = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isSilentFailure ? 1 : failed };
}
