// The entry point. It is JavaScript, so that a start with compiled modules does not load Node's TypeScript stripper, a
// WebAssembly program. With the cache the server uses 17 MiB less.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));
await import('./main.ts');
// Node would write the compiled modules only at exit, which a kill skips, and would hold them in memory until then.
flushCompileCache();
