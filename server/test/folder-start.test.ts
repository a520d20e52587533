import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withClient } from '../src/platform/db/dedicated-client.ts';
import { openEventBus } from '../src/platform/live/event-bus.ts';
import { createLog } from '../src/platform/log.ts';
import { startInProcess, TEST_KEY } from './app.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase, migratedDatabase } from './database.ts';

const dataDir = await makeDataFolder('folder-start-');
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Starts and stops. Without a URL it is the embedded database. */
async function startOnce(folder: string, url?: string): Promise<void> {
  const environment = { SECRET_KEY: TEST_KEY.toString('base64'), ...(url && { DATABASE_URL: url }) };
  await (await startInProcess(folder, environment)).stop();
}

test('a start with another database in a data folder is refused until its id is removed, and changes nothing', async () => {
  const folder = join(dataDir, 'bound');
  const [first, second] = [await migratedDatabase(), await emptyDatabase()];
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
  const first = await migratedDatabase();
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
  const database = await migratedDatabase();
  await startOnce(folder, database.url);
  const id = await readFile(join(folder, 'folder.id'), 'utf8');
  await withClient(database.connection, (client) => client.query('delete from data_folder'));
  await startOnce(folder, database.url);
  expect(await readFile(join(folder, 'folder.id'), 'utf8')).toBe(id);
  await database.close();
});

test('a start with a copy of the data folder is refused while an instance runs on the other one, also if both start at once', async () => {
  const [one, two] = [join(dataDir, 'one'), join(dataDir, 'two')];
  const database = await migratedDatabase();
  const environment = { SECRET_KEY: TEST_KEY.toString('base64'), DATABASE_URL: database.url };
  const running = await startInProcess(one, environment);
  await cp(one, two, { recursive: true });
  await expect(startOnce(two, database.url)).rejects.toThrow(
    `${two} is a copy of the data folder of this database: the running instances do not see what is written there. Nothing was changed; start with their folder, or, if this is the right one, stop them first.`,
  );
  await startOnce(one, database.url);
  for (const folder of [one, two])
    expect((await readdir(folder)).toSorted()).toEqual(['folder.database', 'folder.id']);
  await running.stop();

  const starts = await Promise.allSettled([one, two].map((folder) => startInProcess(folder, environment)));
  for (const start of starts) if (start.status === 'fulfilled') await start.value.stop();
  expect(starts.map(({ status }) => status)).toContain('rejected');
  // Nobody knows which of them is the right one.
  await startOnce(two, database.url);
  await database.close();
});

test('a start beside an instance that does not respond, or has lost its folder, is not refused', async () => {
  const [folder, lost] = [join(dataDir, 'silent'), join(dataDir, 'lost')];
  const database = await migratedDatabase();
  const environment = { SECRET_KEY: TEST_KEY.toString('base64'), DATABASE_URL: database.url };
  // As an instance of an earlier release, or one of a machine that was lost.
  const silent = openEventBus(database.connection, createLog('silent'));
  await expect(startOnce(folder, database.url)).resolves.toBeUndefined();
  await silent.close();
  await cp(folder, lost, { recursive: true });
  const running = await startInProcess(lost, environment);
  await rm(lost, { recursive: true });
  await expect(startOnce(folder, database.url)).resolves.toBeUndefined();
  await running.stop();
  await database.close();
});
