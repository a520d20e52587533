// Usage: npm run check
// Runs format, lint, types and unused code in parallel, each to its end; exit code 1 if one fails.
import { fileURLToPath } from 'node:url';
import { main } from './problem.mjs';
import { run, toolPath } from './run.mjs';
import { root, setUp } from './setup.mjs';

const checks = [
  { name: 'format', tool: ['oxfmt'], args: ['--check'] },
  { name: 'lint', tool: ['oxlint'], args: [] },
  // Each checker of a project checks the shared types again: four, the default, need twice the processor time and memory.
  // Its garbage collector runs at five times the memory in use instead of twice: a tenth less processor time, a tenth more
  // memory.
  { name: 'types', tool: ['typescript', 'tsc'], args: ['-b', '--checkers', '1'], env: { GOGC: '400' } },
  { name: 'unused code', tool: ['knip'], args: [] },
];

/**
 * Runs every check. The output of each is printed in one piece.
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks(node) {
  let failed = 0;
  await Promise.all(
    checks.map(async ({ name, tool, args, env }) => {
      const command = [node, toolPath(root, ...tool), ...args];
      const { code, output } = await run(command, {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      });
      if (code !== 0) failed += 1;
      console.log(`${output}${code === 0 ? 'passed' : 'FAILED'}: ${name}`);
    }),
  );
  return { passed: checks.length - failed, failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(async () => {
    const { failed } = await runChecks(await setUp({ web: false }));
    process.exitCode = failed > 0 ? 1 : 0;
  });
}
