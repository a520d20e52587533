// Usage: npm run move-files, with the environment of `npm start` and while Forecourt is stopped
import { moveFiles } from './move-files.ts';
import { StartError } from './platform/start-error.ts';

try {
  process.stdout.write(`${await moveFiles(process.env)}\n`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
