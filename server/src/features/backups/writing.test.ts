import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_KEY, testApp, type TestApp } from '../../../test/app.ts';
import { withClient } from '../../platform/db/direct.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { takeSnapshot, writeBackup } from './writing.ts';

let server: TestApp;
let folder: string;
beforeAll(async () => {
  [server, folder] = await Promise.all([testApp(), mkdtemp(join(tmpdir(), 'writing-'))]);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('gives way while it reads, and writes the same file whoever has a turn meanwhile', async () => {
  const secrets = createSecrets(TEST_KEY);
  await withClient(server.connection, async (client) => {
    const snapshot = await takeSnapshot(client, 'Shine', secrets.keyId, async () => {});
    let turns = 0;
    const write = (name: string, giveWay: () => Promise<void>) =>
      writeBackup(client, snapshot, {
        path: join(folder, name),
        secrets,
        onRows: () => {},
        giveWay,
      });
    const alone = await write('alone', async () => {});
    const among = await write('among', async () => {
      turns += 1;
      // Others are at the database and at this thread.
      await server.call('GET /health');
    });
    expect(turns).toBeGreaterThan(2);
    expect(among.equals(alone)).toBe(true);
  });
});
