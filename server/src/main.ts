import { join } from 'node:path';
import { readConfig } from './platform/config.ts';
import { StartError } from './platform/start-error.ts';
import { run } from './run.ts';

try {
  await run(readConfig(process.env), join(import.meta.dirname, '../../web/dist'));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
