import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withClient } from '../src/platform/db/dedicated-client.ts';
import { startInProcess, TEST_KEY } from './app.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase } from './database.ts';

const dataDir = await makeDataFolder('folder-start-');
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Starts and stops. Without a URL it is the embedded database. */
async function startOnce(folder: string, url?: string): Promise<void> {
  const environment = { SECRET_KEY: TEST_KEY.toString('base64'), ...(url && { DATABASE_URL: url }) };
  await (await startInProcess(folder, environment)).stop();
}

test('a start with another database in a data folder is refused until its id is removed, and changes nothing', async () => {
  const folder = join(dataDir, 'bound');
  const [first, second] = [await emptyDatabase(), await emptyDatabase()];
  await startOnce(folder, first.url);
  const refusal = `${folder} has the files of another database. Nothing was changed; start with that database or another DATA_DIR, or, if that database is lost or no longer used, remove ${folder}/folder.id.`;
  await expect(startOnce(folder, second.url)).rejects.toThrow(refusal);
  await expect(startOnce(folder)).rejects.toThrow(refusal);
  expect((await readdir(folder)).toSorted()).toEqual(['folder.database', 'folder.id']);
  const { rows } = await withClient(second.connection, (client) =>
    client.query("select from pg_namespace where nspname = 'forecourt'"),
  );
  expect(rows).toEqual([]);

  await rm(join(folder, 'folder.id'));
  await startOnce(folder, second.url);
  await startOnce(folder, second.url);
  await expect(startOnce(folder, first.url)).rejects.toThrow('is not the data folder of this database');
  await Promise.all([first.close(), second.close()]);
});

test('a start with a copy of the database in its data folder is refused while the database exists, unless the operator confirms it', async () => {
  const folder = join(dataDir, 'copied');
  const first = await emptyDatabase();
  await startOnce(folder, first.url);
  const copy = await emptyDatabase(first.name);
  await expect(startOnce(folder, copy.url)).rejects.toThrow(
    `${folder} has the files of the database ${first.name}, of which this one is a copy. Nothing was changed; start with another DATA_DIR, or, if ${first.name} is no longer used, remove ${folder}/folder.database.`,
  );
  await startOnce(folder, first.url);

  await rm(join(folder, 'folder.database'));
  await startOnce(folder, copy.url);
  await expect(startOnce(folder, first.url)).rejects.toThrow(`the files of the database ${copy.name}`);
  // As after a dump and load into another cluster.
  await copy.close();
  await startOnce(folder, first.url);
  await first.close();
});

test('a start after a first start that was killed before it bound the database continues with its data folder', async () => {
  const folder = join(dataDir, 'killed');
  const database = await emptyDatabase();
  await startOnce(folder, database.url);
  const id = await readFile(join(folder, 'folder.id'), 'utf8');
  await withClient(database.connection, (client) => client.query('delete from data_folder'));
  await startOnce(folder, database.url);
  expect(await readFile(join(folder, 'folder.id'), 'utf8')).toBe(id);
  await database.close();
});
