// Usage: node scripts/build.mjs
// Installs and builds without starting anything, for images.
import { main } from './problem.mjs';
import { setUp } from './setup.mjs';

main(async () => {
  await setUp();
});
