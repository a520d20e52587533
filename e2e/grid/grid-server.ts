import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export interface GridServer {
  readonly url: string;
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/**
 * Builds the grid's page and serves it on a free port. Tests use the development build, because React warns only there;
 * measurements use the production build.
 */
export async function startGridServer(mode: 'development' | 'production'): Promise<GridServer> {
  const folder = await mkdtemp(join(tmpdir(), 'grid-page-'));
  await build({
    root: join(import.meta.dirname, 'page'),
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    build: { outDir: folder, emptyOutDir: true },
  });
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = path === '/' ? 'index.html' : path.replaceAll('..', '');
    readFile(join(folder, file)).then(
      (content) =>
        response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/`,
    folder,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
