import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { moveFiles } from '../src/move-files.ts';
import { withClient } from '../src/platform/db/dedicated-client.ts';
import { startInProcess, TEST_KEY } from './app.ts';
import { emptyDatabase, migratedDatabase } from './database.ts';
import { callServer, settingsOf, signInAsAdmin, stopSchedule } from './process.ts';
import { openS3Host } from './s3-host.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'forecourt-bucket-'));
const host = await openS3Host();
afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  host.refuse(undefined);
  for (const key of await host.keys()) await host.remove(key);
});

const bucket = {
  FILES_URL: `s3://${host.bucket}/shine`,
  FILES_ENDPOINT: host.endpoint,
  FILES_PATH_STYLE: '1',
  FILES_ACCESS_KEY_ID: host.accessKeyId,
  FILES_SECRET_ACCESS_KEY: host.secretAccessKey,
};
const SECRET_KEY = TEST_KEY.toString('base64');

const start = (folder: string, environment: Record<string, string>) =>
  startInProcess(join(dataDir, folder), { SECRET_KEY, ...environment });
/** Starts and stops. Returns the message of a refusal; undefined without one. */
const refusalOf = (folder: string, environment: Record<string, string>): Promise<string | undefined> =>
  start(folder, environment).then(
    (started) => started.stop().then(() => undefined),
    (error: Error) => error.message,
  );

describe('a start with a bucket that cannot be used', () => {
  test.each([
    [
      'a wrong key',
      { FILES_SECRET_ACCESS_KEY: 'wrong' },
      'The store did not accept the keys. Check Access Key ID and Secret Access Key.',
    ],
    [
      'no such bucket',
      { FILES_URL: 's3://elsewhere' },
      'There is no bucket of this name. Check Bucket, Endpoint and Path-style addresses.',
    ],
    [
      'no answer',
      { FILES_ENDPOINT: 'http://127.0.0.1:1' },
      'The endpoint did not answer as an S3 store does. Check Endpoint.',
    ],
  ])(
    'a start with a bucket that cannot be used, %s, is refused in one line before the database is opened',
    async (_, changes, reason) => {
      expect(await refusalOf('unused', { ...bucket, ...changes })).toBe(
        `FILES_URL cannot be used. ${reason}`,
      );
      expect(await readdir(join(dataDir, 'unused'))).toEqual([]);
    },
  );

  test('a start with a bucket that takes nothing is refused', async () => {
    host.refuse({ method: 'PUT', status: 403, code: 'AccessDenied' });
    expect(await refusalOf('unused', bucket)).toBe(
      'FILES_URL cannot be used. The keys may not write to the bucket. They need s3:PutObject.',
    );
  });
});

test('a first start with a bucket and without a key is refused before it writes one, and a key in the data folder is enough', async () => {
  const database = await migratedDatabase();
  const environment = { ...bucket, SECRET_KEY: '', DATABASE_URL: database.url };
  expect(await refusalOf('keyless', environment)).toBe(
    'FILES_URL needs SECRET_KEY, because DATA_DIR may be temporary. Set it to 32 bytes in base64, for example by `openssl rand -base64 32`, and keep a copy.',
  );
  expect(await readdir(join(dataDir, 'keyless'))).toEqual([]);
  expect(await host.keys()).toEqual([]);
  await writeFile(join(dataDir, 'keyless', 'secret.key'), SECRET_KEY);
  expect(await refusalOf('keyless', environment)).toBeUndefined();
  await database.close();
});

test('a bucket belongs to one database, and a database to one bucket', async () => {
  const [mine, theirs] = [await emptyDatabase(), await emptyDatabase()];
  // Two first starts at once share what one of them binds.
  const started = await Promise.all(
    ['one', 'two'].map((folder) => start(folder, { ...bucket, DATABASE_URL: mine.url })),
  );
  for (const each of started) await each.stop();
  expect(await refusalOf('three', { ...bucket, DATABASE_URL: mine.url })).toBeUndefined();
  expect(await host.keys()).toEqual(['shine/folder.database', 'shine/folder.id']);
  expect(await refusalOf('one', { ...bucket, DATABASE_URL: theirs.url })).toBe(
    'The bucket of FILES_URL has the files of another database. Nothing was changed; start with that database or another prefix, or, if that database is lost or no longer used, remove the object shine/folder.id.',
  );
  const other = { ...bucket, FILES_URL: `s3://${host.bucket}/other`, DATABASE_URL: mine.url };
  expect(await refusalOf('one', other)).toMatch(
    /^The bucket of FILES_URL is not the data folder of this database, which has its backups\. Nothing was changed; if that is DATA_DIR, run `npm run move-files` first \(docs\/operating\.md, Backups and restore\), otherwise start with that folder, or, if it is lost, write \S+ into the object other\/folder\.id\.$/,
  );
  await mine.close();
  await theirs.close();
});

test('a start after a first start that ended while it bound bucket and database binds them', async () => {
  const database = await migratedDatabase();
  const environment = { ...bucket, DATABASE_URL: database.url };
  host.refuse({ method: 'PUT', key: 'folder.id', status: 403, code: 'AccessDenied' });
  expect(await refusalOf('ended', environment)).toMatch(/^FILES_URL cannot be used\./);
  host.refuse(undefined);
  expect(await refusalOf('ended', environment)).toBeUndefined();
  // As after a crash between the id of the bucket and the commit in the database.
  await withClient(database.connection, (client) => client.query('delete from data_folder'));
  expect(await refusalOf('ended', environment)).toBeUndefined();
  await database.close();
});

test('an administrator moves files and backups of a folder to a bucket, and the folder is refused afterwards', async () => {
  const database = await migratedDatabase();
  const folder = join(dataDir, 'moving');
  const environment = { SECRET_KEY, DATABASE_URL: database.url };
  const before = await start('moving', environment);
  const token = await signInAsAdmin(before.url);
  await stopSchedule(before.url, token);
  const form = new FormData();
  form.set('file', new File(['an attached file'], 'a.txt'));
  const headers = { authorization: `Bearer ${token}` };
  const attached = await fetch(`${before.url}/api/email/attachments`, {
    method: 'POST',
    headers,
    body: form,
  });
  expect(attached.status).toBe(201);
  const { name } = (await callServer(before.url, 'POST /backups', token)).body;
  const backups = async (url: string) => (await callServer(url, 'GET /backups', token)).body.items;
  await expect.poll(async () => (await backups(before.url))[0].pending).toBe(false);

  const settings = { ...settingsOf(folder), ...environment, ...bucket };
  await expect(moveFiles(settings)).rejects.toThrow(
    'Forecourt is running on this database. Stop all instances first.',
  );
  expect(await host.keys()).toEqual([]);
  await before.stop();
  expect(await refusalOf('moving', { ...environment, ...bucket })).toContain(
    'run `npm run move-files` first',
  );
  await expect(moveFiles({ ...settings, DATA_DIR: join(dataDir, 'nowhere') })).rejects.toThrow(
    'nowhere is not the data folder of this database. Nothing was copied; set DATA_DIR and DATABASE_URL as for the start.',
  );
  const other = await emptyDatabase();
  await expect(moveFiles({ ...settings, DATABASE_URL: other.url })).rejects.toThrow(
    'The database has no data folder yet. Start this release once without FILES_URL, and stop it.',
  );
  await other.close();
  const copy = await emptyDatabase(database.name);
  const ofCopy = `${folder} has the files of the database ${database.name}, of which this one is a copy. Nothing was changed;`;
  await expect(moveFiles({ ...settings, DATABASE_URL: copy.url })).rejects.toThrow(ofCopy);
  expect(await readdir(folder)).toContain('folder.id');
  expect(await host.keys()).toEqual([]);
  expect(await moveFiles(settings)).toMatch(
    /^Copied to s3:\/\/copies\/shine\. Files: 1\. Backups: 1\.\nStart/,
  );
  await expect(moveFiles({ ...settings, DATABASE_URL: copy.url })).rejects.toThrow(ofCopy);
  await copy.close();
  expect(await moveFiles(settings)).toMatch(/Files: 0\. Backups: 0\./);

  const after = await start('moving', { ...environment, ...bucket });
  expect(await backups(after.url)).toMatchObject([{ name, problem: null, isLocal: true }]);
  const check = await callServer(after.url, `POST /backups/${name}/check`, token);
  expect(check.body).toMatchObject({ name, missingFiles: 0 });
  await after.stop();
  expect(await refusalOf('moving', environment)).toBe(
    `The files and backups of this database were moved from ${folder} to a bucket. Nothing was changed; set FILES_URL to that bucket.`,
  );
  await database.close();
});
