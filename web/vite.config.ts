import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compileEagerly, filesOfDataEntry, injectScreenFiles } from './first-load.ts';

/** Writes each text file compressed at the highest level beside it once, so that the server does not compress. */
const compress = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, files) {
    for (const file of Object.values(files)) {
      if (!/\.(js|css|html)$/.test(file.fileName)) continue;
      const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
      writeFileSync(`${join(dir, file.fileName)}.br`, brotliCompressSync(content));
      writeFileSync(`${join(dir, file.fileName)}.gz`, gzipSync(content, { level: 9 }));
    }
  },
});

const changelog = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'));
const changelogId = createHash('sha256').update(changelog).digest('hex').slice(0, 12);

/**
 * `FORECOURT_API` is the address of the server for `npm run dev`, `PORT` is the page's own port. In production the
 * server serves the folder that `vite build --outDir` wrote; there is no second process.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), injectScreenFiles(), compileEagerly(), compress()],
  // The page compares it with the last one seen, without loading the entries.
  define: { CHANGELOG_ID: JSON.stringify(changelogId) },
  server: {
    port: Number(process.env['PORT'] ?? 5173),
    strictPort: true,
    proxy: { '/api': { target: process.env['FORECOURT_API'] ?? 'http://127.0.0.1:3000' } },
  },
  build: {
    target: 'es2023',
    // The Content-Security-Policy forbids data: fonts, and one request less is not worth a second rule.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of all bundled code, served with the pages.
    license: { fileName: 'third-party-licenses.md' },
    rolldownOptions: {
      output: {
        // Library chunks keep their names across releases of ours, so that browsers cache them. What Data Entry needs before
        // its first rows is in few files; the rest is split by the lazy screens.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 7,
            },
            {
              name: 'navigation',
              priority: 6,
              // Without the modules used by single screens.
              test: /node_modules[\\/]@tanstack[\\/](history|react-query|query-core|react-router|router-core|react-store|store)[\\/](?!.*(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver|useBlocker)\.)/,
            },
            ...filesOfDataEntry(5),
            // By default nearly every module that two screens share is a file of its own.
            {
              name: 'shared',
              test: /[\\/](@mantine|lucide-react|web[\\/]src)[\\/](?!features[\\/]deals|grid)/,
              minShareCount: 3,
              priority: 2,
            },
          ],
        },
      },
    },
  },
});
