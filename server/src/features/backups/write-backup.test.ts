import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TEST_KEY, testApp } from '../../../test/app.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { takeSnapshot, writeBackup } from './write-backup.ts';

const [server, folder] = await Promise.all([testApp(), mkdtemp(join(tmpdir(), 'writing-'))]);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const secrets = createSecrets(TEST_KEY);
const options = async () => ({
  migrations: await readMigrations(),
  company: 'Shine',
  keyId: secrets.keyId,
  lock: async () => {},
});

test('a backup is refused while another instance runs a newer release, whose tables this one does not know', async () => {
  const { migrations, ...rest } = await options();
  await withClient(server.connection, async (client) => {
    await expect(
      takeSnapshot(client, { migrations: migrations.slice(0, -1), ...rest }),
    ).rejects.toMatchObject({
      code: 'BACKUP_BUSY',
      message: expect.stringContaining('newer release'),
    });
  });
});

test('the writer of a backup pauses between reads, and concurrent work does not change its file', async () => {
  await withClient(server.connection, async (client) => {
    const snapshot = await takeSnapshot(client, await options());
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
