import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readConfig } from './platform/config.ts';
import { StartError } from './platform/start-error.ts';
import { run } from './run.ts';

/**
 * V8 shrinks the memory for new objects only during a collection of them, and only if few were allocated before it. An
 * idle server has no collections, and would keep the 56 MiB of its start. A collection takes about a millisecond.
 */
const COLLECT_EVERY_MS = 2000;

try {
  await run(readConfig(process.env), join(import.meta.dirname, '../../web/dist'));
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  // Modules compiled with other flags than those of the next start would be compiled again.
  setFlagsFromString('--no-expose-gc');
  setInterval(() => collect({ type: 'minor' }), COLLECT_EVERY_MS).unref();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
