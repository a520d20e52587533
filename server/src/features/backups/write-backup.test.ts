import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_KEY, testApp, type TestApp } from '../../../test/app.ts';
import { withClient } from '../../platform/db/direct.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { takeSnapshot, writeBackup } from './write-backup.ts';

let server: TestApp;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([testApp(), mkdtemp(join(tmpdir(), 'writing-'))]);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('pauses while it reads, and writes the same file despite concurrent work', async () => {
  const secrets = createSecrets(TEST_KEY);
  await withClient(server.connection, async (client) => {
    const snapshot = await takeSnapshot(client, 'Shine', secrets.keyId, async () => {});
    let turns = 0;
    const write = (name: string, pauseForRequests: () => Promise<void>) =>
      writeBackup(client, snapshot, {
        path: join(folder, name),
        secrets,
        onRows: () => {},
        pauseForRequests,
      });
    const alone = await write('alone', async () => {});
    const among = await write('among', async () => {
      turns += 1;
      // Other work uses the database and this thread.
      await server.call('GET /health');
    });
    expect(turns).toBeGreaterThan(2);
    expect(among.equals(alone)).toBe(true);
  });
});
