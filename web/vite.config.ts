import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compiledAtOnce, firstLoad, screenFiles } from './first-load.ts';

/** Writes each text file's strongest compression beside it once, so that the server need not do it each time. */
const compressed = (): Plugin => ({
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
 * `FORECOURT_API` is where the server of `npm run dev` listens, `PORT` is the page's own port. In production the
 * server hands out the folder that `vite build --outDir` wrote; there is no second process.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), screenFiles(), compiledAtOnce(), compressed()],
  // A page knows by it whether somebody has seen the newest entries, without having them.
  define: { CHANGELOG_ID: JSON.stringify(changelogId) },
  server: {
    port: Number(process.env['PORT'] ?? 5173),
    strictPort: true,
    proxy: { '/api': { target: process.env['FORECOURT_API'] ?? 'http://127.0.0.1:3000' } },
  },
  build: {
    target: 'es2023',
    // The Content-Security-Policy allows no data: fonts, and one request less is not worth a second rule.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What changes only with a new version of a library keeps its name, so that browsers keep it. What Data Entry
        // needs before its first rows comes in few files; the rest splits along the lazy screens by itself.
        codeSplitting: {
          groups: [
            {
              name: 'react',
              test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
              priority: 4,
            },
            {
              name: 'navigation',
              priority: 3,
              // Without what single screens use of it.
              test: /node_modules[\\/]@tanstack[\\/](history|react-query|query-core|react-router|router-core|react-store|store)[\\/](?!.*(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver|useBlocker)\.)/,
            },
            ...firstLoad(2),
            // An icon is 150 bytes: those that several screens use come in one file.
            { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 2, priority: 0 },
          ],
        },
      },
    },
  },
});
