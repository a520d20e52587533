// Usage: npm run check
// Format, lint, types and unused code, each to its end; exit code 1 when one fails.
import { fileURLToPath } from 'node:url';
import { main } from './problem.mjs';
import { run, toolPath } from './run.mjs';
import { root, setUp } from './setup.mjs';

const checks = [
  { name: 'format', tool: ['oxfmt'], args: ['--check'] },
  { name: 'lint', tool: ['oxlint'], args: [] },
  { name: 'types', tool: ['typescript', 'tsc'], args: ['-b'] },
  { name: 'unused code', tool: ['knip'], args: [] },
];

/**
 * Runs every check, its output going to the terminal.
 *
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks(node) {
  let failed = 0;
  for (const { name, tool, args } of checks) {
    const { code } = await run([node, toolPath(root, ...tool), ...args], { cwd: root, stdio: 'inherit' });
    if (code !== 0) failed += 1;
    console.log(`${code === 0 ? 'passed' : 'FAILED'}: ${name}`);
  }
  return { passed: checks.length - failed, failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(async () => {
    const { failed } = await runChecks(await setUp({ web: false }));
    process.exitCode = failed > 0 ? 1 : 0;
  });
}
