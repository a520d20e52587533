// Usage: npm test                      every check and every test
//        npm run test:long             the long ones too
//        npm test -- deals             only the tests whose path contains 'deals' (any arguments of vitest)
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { findChromium, requireChromium } from './chromium.mjs';
import { main } from './problem.mjs';
import { run, toolPath } from './run.mjs';
import { root, setUp } from './setup.mjs';
import { countTests } from './test-count.mjs';

const args = process.argv.slice(2).filter((argument) => argument !== '--long');
const isLong = process.argv.includes('--long');
const isWhole = args.length === 0;

async function runTests(node, chromium) {
  const report = join(root, '.cache', `tests-${process.pid}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run([node, toolPath(root, 'vitest'), 'run', ...reporters, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...(chromium && { CHROMIUM_PATH: chromium }), ...(isLong && { LONG_TESTS: '1' }) },
  });
  try {
    return countTests(JSON.parse(readFileSync(report, 'utf8')), code);
  } catch {
    return countTests(undefined, code);
  } finally {
    rmSync(report, { force: true });
  }
}

main(async () => {
  const node = await setUp();
  const chromium = isWhole ? requireChromium() : findChromium();
  const checks = isWhole ? await runChecks(node) : { passed: 0, failed: 0 };
  const tests = await runTests(node, chromium);
  const failed = checks.failed + tests.failed;
  process.exitCode = failed > 0 ? 1 : 0;
  console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
});
