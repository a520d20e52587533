// The entry point. It is JavaScript, so that a start with compiled modules does not load Node's TypeScript stripper, a
// WebAssembly program. With the cache the server uses 17 MiB less.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));
// While the modules load, V8 would enlarge the space of new objects, and would keep it: 35 MiB of an idle server. It
// grows with the work afterwards.
setFlagsFromString('--semi-space-growth-factor=1');
await import('./main.ts');
setFlagsFromString('--semi-space-growth-factor=2');
// Node would write the compiled modules only at exit, which a kill skips, and would hold them in memory until then.
flushCompileCache();
