// Usage: npm test                      every check and every test
//        npm run test:long             the long ones too
//        npm test -- deals             only the tests whose path contains 'deals' (any arguments of vitest)
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { findChromium, requireChromium } from './chromium.mjs';
import { provideFaketime } from './faketime.mjs';
import { main } from './problem.mjs';
import { run, toolPath } from './run.mjs';
import { root, setUp } from './setup.mjs';
import { provideSshd } from './sshd.mjs';
import { countTests, slowestFiles } from './test-count.mjs';

const args = process.argv.slice(2).filter((argument) => argument !== '--long');
const isLong = process.argv.includes('--long');
const isWhole = args.length === 0;

/** No time limit inside the run can stop a test that loops without a pause. */
const LIMIT_MINUTES = 75;

async function runTests(node, chromium) {
  const report = join(root, '.cache', `tests-${process.pid}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run([node, toolPath(root, 'vitest'), 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...(chromium && { CHROMIUM_PATH: chromium }), ...(isLong && { LONG_TESTS: '1' }) },
    ...(!isLong && { timeout: LIMIT_MINUTES * 60_000, killSignal: 'SIGKILL' }),
  });
  if (code === 128 + constants.signals.SIGKILL) {
    console.error(
      `The tests were ended after ${LIMIT_MINUTES} minutes: a file after the last one above does not end.`,
    );
  }
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    if (isWhole) console.log(`The slowest files:\n${slowestFiles(result, root).join('\n')}`);
    return countTests(result, code);
  } catch {
    return countTests(undefined, code);
  } finally {
    rmSync(report, { force: true });
  }
}

main(async () => {
  const node = await setUp();
  const chromium = isWhole ? requireChromium() : findChromium();
  if (isWhole) {
    provideSshd();
    provideFaketime();
  }
  if (process.env.npm_lifecycle_event) await import('./follow-parent.mjs');
  const checks = isWhole ? await runChecks(node) : { passed: 0, failed: 0 };
  const tests = await runTests(node, chromium);
  const failed = checks.failed + tests.failed;
  process.exitCode = failed > 0 ? 1 : 0;
  console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
});
