// Part of `npm test`: the result of a vitest run, and its slowest files.

/**
 * Counts tests. A file that could not be loaded, an error outside any test, a missing report and a run without tests
 * each count as one failure.
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

/** Maximum share of the total time of all files for one file. A share is independent of the machine. */
const BUDGET = 0.04;

/**
 * Lists the slowest test files, slowest first, and marks those over the budget. This is no failure, because parallel
 * files slow each other down.
 * @param {object | undefined} report vitest's JSON report
 * @param {string} root paths are shown relative to it
 * @returns {string[]} one line for each file
 */
export function slowestFiles(report, root, count = 20) {
  const files = (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    path: name.replace(`${root}/`, ''),
    seconds: (endTime - startTime) / 1000,
  }));
  const budget = files.reduce((sum, { seconds }) => sum + seconds, 0) * BUDGET;
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ path, seconds }) => {
      const over = seconds > budget ? `   over its budget of ${budget.toFixed(1)} s` : '';
      return `${seconds.toFixed(1).padStart(7)} s  ${path}${over}`;
    });
}
