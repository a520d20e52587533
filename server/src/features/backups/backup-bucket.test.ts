import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { testApp, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { openS3Host } from '../../../test/s3-host.ts';
import { uploadFile } from '../../../test/uploads.ts';
import { readConfig } from '../../platform/config.ts';
import { IDLE } from '../../platform/define-job.ts';
import { createFileStore } from '../../platform/files/file-store.ts';
import { newId } from '../../platform/ids.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { openBucket } from '../../platform/s3/s3-bucket.ts';
import { openStore } from '../../platform/s3/store.ts';
import { openBackupFolder } from './backup-bucket.ts';
import { anotherInstance, callToEnd, makeOne } from './backups.fixture.ts';
import { measureFile } from './read-backup.ts';

// Two instances on one database that share a bucket, and no folder.
const MB = 1024 ** 2;
const host = await openS3Host({ copyBytes: 6 * MB });
const store = await openStore(
  readConfig({
    FILES_URL: `s3://${host.bucket}/shine/sydney`,
    FILES_ENDPOINT: host.endpoint,
    FILES_PATH_STYLE: '1',
    FILES_ACCESS_KEY_ID: host.accessKeyId,
    FILES_SECRET_ACCESS_KEY: host.secretAccessKey,
  }),
);
const one = await testApp({}, { store });
const two = await testApp(
  { DATA_DIR: join(tmpdir(), `forecourt-two-${newId()}`) },
  { store, database: { ...one, close: async () => {} } },
);
const background = await anotherInstance(one, { dataDir: two.dataDir, store });
const admin = await one.person({ role: 'admin', name: 'Ada Admin' });
afterAll(async () => {
  await background.close();
  await two.close();
  await rm(two.dataDir, { recursive: true, force: true });
  await one.close();
  store.close();
  await host.close();
});

let dealId: string;
beforeEach(async () => {
  host.refuse(undefined);
  await sql`truncate deals, backups, files, exports cascade`.execute(one.db);
  for (const key of await host.keys()) await host.remove(key);
  dealId = (await addDeal(one, admin, await addDealership(one, admin)))._id;
});

const attach = async (content: string, server = one): Promise<string> => {
  const { status, body } = await uploadFile(server, admin, `/deals/${dealId}/attachments`, content);
  expect(status, JSON.stringify(body)).toBe(201);
  return body._id;
};
const get = (server: TestApp, url: string) =>
  server.app.inject({ url: `/api${url}`, headers: { authorization: `Bearer ${admin.token}` } });
/** Returns the content of a file, or the message of the refusal. */
const contentOf = async (id: string, server = two): Promise<string> => {
  const reply = await get(server, `/deals/${dealId}/attachments/${id}`);
  return reply.statusCode === 200 ? reply.body : reply.json().message;
};
const remove = (id: string) => one.call(`DELETE /deals/${dealId}/attachments/${id}`, { token: admin.token });
const restore = (name: string, server = two) => callToEnd(server, admin, `POST /backups/${name}/restore`);
const keyOf = (content: string): string => {
  const hex = createHash('sha256').update(content).digest('hex');
  return `shine/sydney/files/${hex.slice(0, 2)}/${hex.slice(2)}`;
};
const keysBelow = async (folder: string): Promise<string[]> =>
  (await host.keys()).filter((key) => key.startsWith(`shine/sydney/${folder}/`));
const localFiles = async (): Promise<string[]> => {
  const names: string[] = [];
  for (const { dataDir } of [one, two])
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile()) names.push(entry.name);
  return names;
};
const age = () => sql`update files set created_at = now() - interval '2 days'`.execute(one.db);

test('a file that one instance stores is in the bucket once, and the other instance reads it, also from its middle', async () => {
  const ids = await Promise.all([attach('same file'), attach('same file', two), attach('another')]);
  expect(await keysBelow('files')).toEqual([keyOf('same file'), keyOf('another')].toSorted());
  expect(await Promise.all(ids.map((id) => contentOf(id)))).toEqual(['same file', 'same file', 'another']);
  // A reader continues here when its file was moved from the database.
  const files = createFileStore(two.dataDir, store);
  const digest = createHash('sha256').update('same file').digest();
  expect(await text(await files.open({ digest, size: 9 }, 5))).toBe('file');
  // A copy by SSH is made of a local file.
  expect(await files.folder.withPath({ digest, size: 9 }, (path) => readFile(path, 'utf8'))).toBe(
    'same file',
  );
  expect(await localFiles()).toEqual([]);
});

test('somebody downloads from one instance an export that another instance wrote to the bucket', async () => {
  const begun = await one.call('POST /exports', {
    token: admin.token,
    body: { kind: 'users', format: 'csv' },
  });
  const state = async () =>
    (await two.call(`GET /exports/${begun.body._id}`, { token: admin.token })).body.state;
  await expect.poll(state).toBe('ready');
  expect((await get(two, `/exports/${begun.body._id}/download`)).body).toContain('Ada Admin');
  expect(await localFiles()).toEqual([]);
});

test('an instance lists, tests, downloads and restores a backup that another instance wrote to the bucket, with its files', async () => {
  const [kept, deleted] = [await attach('kept'), await attach('deleted')];
  const name = await makeOne(one, admin);
  expect(await keysBelow('backups')).toEqual([`shine/sydney/backups/${name}`]);
  const { items } = (await two.call('GET /backups', { token: admin.token })).body;
  expect(items).toMatchObject([{ name, isLocal: true, problem: null }]);
  await background.store.testNewest();
  expect(await background.store.list()).toMatchObject([{ proven_at: expect.any(String), problem: null }]);

  const whole = (await get(two, `/backups/${name}`)).rawPayload;
  expect(gunzipSync(whole).toString()).toContain(Buffer.from('deleted').toString('base64'));
  await remove(deleted);
  expect((await restore(name)).status).toBe(200);
  expect([await contentOf(kept), await contentOf(deleted)]).toEqual(['kept', 'deleted']);

  // What was downloaded contains its files.
  for (const key of await keysBelow('files')) await host.remove(key);
  const uploaded = await uploadFile(one, admin, '/backups/upload', whole, {
    filename: 'whole.sql.gz',
    field: 'backup',
  });
  expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201);
  expect((await restore(uploaded.body.filename)).status).toBe(200);
  expect([await contentOf(kept), await contentOf(deleted)]).toEqual(['kept', 'deleted']);
  expect(await localFiles()).toEqual([]);
});

test('the clean-up deletes a file from the bucket a day after its last use, if neither a row nor a backup names it', async () => {
  const [named, unused] = [await attach('named'), await attach('unused')];
  await remove(unused);
  const name = await makeOne(one, admin);
  await remove(named);
  await age();
  await background.cleanUpFiles(0);
  expect(await keysBelow('files')).toEqual([keyOf('named')]);
  // After the loss of the database, backups are listed one after the other.
  const rows = await one.db.deleteFrom('backups').returningAll().execute();
  await sql`delete from files`.execute(one.db);
  expect(await background.cleanUpFiles(0)).toBe(IDLE);
  expect(await keysBelow('files')).toEqual([keyOf('named')]);
  await one.db.insertInto('backups').values(rows).execute();
  expect((await restore(name)).status).toBe(200);
  expect(await contentOf(named)).toBe('named');

  await remove(named);
  await one.call(`DELETE /backups/${name}?confirm=true`, { token: admin.token });
  await sql`delete from backups`.execute(one.db);
  for (const key of await keysBelow('backups')) await host.remove(key);
  await age();
  // Stored less than a day ago.
  await background.cleanUpFiles();
  expect(await keysBelow('files')).toEqual([keyOf('named')]);
  await background.cleanUpFiles(0);
  expect(await keysBelow('files')).toEqual([]);
});

test('an upload and a backup to a bucket that refuses all objects fail with the reason, and leave no row', async () => {
  await attach('before');
  host.refuse({ method: 'PUT', status: 403, code: 'AccessDenied' });
  const upload = await uploadFile(one, admin, `/deals/${dealId}/attachments`, 'refused');
  expect([upload.status, upload.body]).toMatchObject([
    503,
    {
      code: 'UNAVAILABLE',
      message:
        'The store of files cannot be used. The keys may not write to the bucket. They need s3:PutObject. Nothing was changed; please try again in a moment.',
    },
  ]);
  const { body } = await one.call('POST /backups', { token: admin.token });
  const job = async () => (await one.call(`GET /jobs/${body.jobId}`, { token: admin.token })).body;
  await expect.poll(async () => (await job()).status).toBe('failed');
  expect((await job()).message).toMatch(/^The store of files cannot be used\./);
  expect((await one.call('GET /backups', { token: admin.token })).body.items).toEqual([]);
  expect(await one.db.selectFrom('files').selectAll().execute()).toHaveLength(1);
  host.refuse(undefined);
  expect(await keysBelow('backups')).toEqual([]);
  expect(await one.db.selectFrom('backups').selectAll().execute()).toEqual([]);
  await makeOne(one, admin);
  expect(await localFiles()).toEqual([]);
});

test('a download of a file whose object was deleted says that it is missing, and the list of backups marks a deleted backup', async () => {
  const id = await attach('lost');
  const name = await makeOne(one, admin);
  for (const key of await host.keys()) await host.remove(key);
  expect(await contentOf(id)).toMatch(/^The content of this file is missing/);
  const { items } = (await two.call('GET /backups', { token: admin.token })).body;
  expect(items).toMatchObject([{ name, problem: 'Its file is missing from the folder of backups.' }]);
  expect((await restore(name)).status).toBe(404);
});

test('the bucket loses after three hours what a crashed process left of a backup, and a backup that somebody copied there is listed', async () => {
  const name = await makeOne(one, admin);
  const [key] = await keysBelow('backups');
  const content = { size: (await host.read(key!)).length, sha256: '00' };
  for (const copy of ['.part-left', 'found.sql.gz'])
    await store.bucket.copy(key!, `shine/sydney/backups/${copy}`, content);
  await background.cleanUp();
  const { items } = (await two.call('GET /backups', { token: admin.token })).body;
  expect(items.map((item: { name: string }) => item.name).toSorted()).toEqual(
    [name, 'found.sql.gz'].toSorted(),
  );
  const left = 'shine/sydney/backups/.part-left';
  expect(await keysBelow('backups')).toContain(left);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await background.cleanUp();
  expect(await keysBelow('backups')).not.toContain(left);
});

/** A bucket whose largest copy in one request is that of the host, in place of 5 GiB. */
async function openSmall() {
  const account = { ...host, region: 'us-east-1', pathStyle: true };
  const sizes = { request: 6 * MB, part: 5 * MB };
  const bucket = await openBucket(account, createOutbound(readConfig({})), undefined, sizes);
  onTestFinished(() => bucket.close());
  const folder = openBackupFolder(one.dataDir, createFileStore(one.dataDir, store).folder, {
    ...store,
    bucket,
  });
  return { bucket, folder };
}
const LARGE = Buffer.alloc(11 * MB, 'forecourt');

test('a backup that is too large for one copy request of the store is copied in parts to its final key', async () => {
  const { bucket, folder } = await openSmall();
  const part = await folder.createPart('made');
  await writeFile(part.path, LARGE);
  await part.complete(await measureFile(part.path));
  host.requests.length = 0;
  await part.publish('large.sql.gz');
  const key = 'shine/sydney/backups/large.sql.gz';
  expect(host.requests.filter(({ method }) => method === 'PUT')).toHaveLength(3);
  expect(await keysBelow('backups')).toEqual([key]);
  expect((await host.read(key)).equals(LARGE)).toBe(true);
  const sha256 = createHash('sha256').update(LARGE).digest('hex');
  expect(await bucket.head(key)).toMatchObject({ size: LARGE.length, sha256 });
  expect([await host.uploads(), await localFiles()]).toEqual([[], []]);
});

test.each([
  ['a part is refused', { method: 'PUT', key: 'partNumber=2' }, 0],
  ['the store does not put the parts together', { method: 'POST', key: 'uploadId=' }, 0],
  ['it ends before its size', undefined, 1],
])('a copy of a large object leaves nothing if %s', async (_case, refused, beyond) => {
  const { bucket } = await openSmall();
  const sha256 = createHash('sha256').update(LARGE).digest('hex');
  const content = { size: LARGE.length, sha256 };
  await bucket.put('source', Readable.from([LARGE], { objectMode: false }), content);
  host.refuse(refused && { ...refused, status: 400, code: 'InvalidRequest' });
  const copied = bucket.copy('source', 'copy', { ...content, size: content.size + beyond });
  await expect(copied).rejects.toMatchObject({
    step: 'write',
    message: 'The store did not take the object.',
  });
  expect([await host.keys(), await host.uploads()]).toEqual([['source'], []]);
});
