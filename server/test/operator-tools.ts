import { spawnSync } from 'node:child_process';

/** Whether this machine has a program, such as `promtool`. A long run requires it, so that it skips no test. */
export const hasTool = (name: string): boolean =>
  process.env.LONG_TESTS !== undefined ||
  spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
