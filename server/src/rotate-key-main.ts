// Usage: npm run rotate-key, with the environment of `npm start` and while Forecourt is stopped
import { StartError } from './platform/start-error.ts';
import { rotateKey } from './rotate-key.ts';

try {
  process.stdout.write(`${await rotateKey(process.env)}\n`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
