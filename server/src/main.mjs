// The program. This file is JavaScript, so that a start with compiled modules does not load Node's TypeScript stripper,
// a WebAssembly program. With the cache the server uses 17 MiB less.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));
await import('./main.ts');
// Node writes the compiled modules at exit, which a kill skips, and keeps them in memory until then.
flushCompileCache();
