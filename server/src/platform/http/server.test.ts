import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';
import { createLog } from '../log.ts';
import { createServer } from './server.ts';
import { serveWebFiles } from './web-files.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin' });
for (let number = 1; number <= 4; number += 1)
  await addDealership(server, admin, { address: `${number} Pier Street ${'x'.repeat(300)}` });
afterAll(() => server.close());

const inject = (url: string, headers: Record<string, string>) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${admin.token}`, ...headers } });
const LIST = '/api/dealerships';

describe('a response of more than 1 KB', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const)(
    'a response of more than 1 KB with Accept-Encoding: %s is compressed with %s, with its length and Vary',
    async (accepted, encoding, decompress) => {
      const plain = await inject(LIST, {});
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.rawPayload.length).toBeGreaterThan(1024);
      const reply = await inject(LIST, { 'accept-encoding': accepted });
      expect(reply.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(reply.rawPayload.length),
        'content-type': 'application/json; charset=utf-8',
        vary: 'accept-encoding',
      });
      expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length);
      expect(decompress(reply.rawPayload).toString()).toBe(plain.payload);
    },
  );

  test.each(['identity', 'gzip;q=0', 'snappy'])(
    'a response of more than 1 KB with Accept-Encoding: %s is not compressed',
    async (accepted) => {
      const reply = await inject(LIST, { 'accept-encoding': accepted });
      expect(reply.headers['content-encoding']).toBeUndefined();
      expect(reply.json().items).toHaveLength(4);
    },
  );
});

test('a response of less than 1 KB is not compressed', async () => {
  const reply = await inject('/api/health', { 'accept-encoding': 'gzip, br, zstd' });
  expect(reply.rawPayload.length).toBeLessThan(1024);
  expect(reply.headers['content-encoding']).toBeUndefined();
});

test('a response of more than 512 KB is compressed in chunks of unknown total length', async () => {
  const plain = await inject('/api/openapi.json', {});
  expect(plain.rawPayload.length).toBeGreaterThan(512 * 1024);
  const reply = await inject('/api/openapi.json', { 'accept-encoding': 'zstd' });
  expect(reply.headers).toMatchObject({ 'content-encoding': 'zstd', vary: 'accept-encoding' });
  expect(reply.headers['content-length']).toBeUndefined();
  expect(zstdDecompressSync(reply.rawPayload).toString()).toBe(plain.payload);
});

test('the pages and scripts of the client are sent with the security headers', async () => {
  const root = await mkdtemp(join(tmpdir(), 'forecourt-web-'));
  const app = await createServer({
    log: createLog('silent'),
    health: { isCausedByFullDisk: async () => false, isReplaced: async () => false },
    trustProxy: [],
    publicUrl: undefined,
  });
  try {
    await mkdir(join(root, 'assets'));
    for (const file of ['index.html', 'assets/main.js']) await writeFile(join(root, file), '// nothing');
    await serveWebFiles(app, root);
    for (const url of ['/', '/reports', '/assets/main.js']) {
      const { statusCode, headers } = await app.inject({ url });
      expect([url, statusCode, headers]).toMatchObject([
        url,
        200,
        {
          'content-security-policy': expect.stringContaining("default-src 'none'"),
          'cross-origin-opener-policy': 'same-origin',
          'permissions-policy': expect.stringContaining('camera=()'),
        },
      ]);
    }
  } finally {
    await app.close();
    await rm(root, { recursive: true });
  }
});
