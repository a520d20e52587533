import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether this machine has a program, such as `promtool`. A long run requires it, so that it skips no test. */
export const hasTool = (name: string): boolean =>
  process.env.LONG_TESTS !== undefined ||
  spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Returns a file of `deploy/` with other addresses, folders and the like. Each text that is replaced must occur. */
export async function readDeployed(
  file: string,
  replacements: readonly (readonly [text: string, replacement: string])[],
): Promise<string> {
  let result = await readFile(join(import.meta.dirname, '../../deploy', file), 'utf8');
  for (const [text, replacement] of replacements) {
    if (!result.includes(text)) throw new Error(`deploy/${file} does not contain: ${text}`);
    result = result.replaceAll(text, replacement);
  }
  return result;
}
