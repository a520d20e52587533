import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Backup } from '@forecourt/contract/backups';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { TEST_KEY, testApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { openFaultyLine } from '../../../test/faulty-line.ts';
import { openS3Host } from '../../../test/s3-host.ts';
import { openSshHost } from '../../../test/ssh-host.ts';
import { uploadFile } from '../../../test/uploads.ts';
import { readConfig } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { openBucket } from '../../platform/s3/s3-bucket.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { readBackupAges } from './backup-alerts.queries.ts';
import { anotherInstance, callToEnd } from './backups.fixture.ts';
import { createCopies } from './copies.ts';
import { createS3CopySession } from './s3-copies.ts';
import { createS3SettingsService } from './s3-settings.service.ts';
import { createSshSettingsService } from './ssh-settings.service.ts';

const [server, host, sshHost] = await Promise.all([testApp(), openS3Host(), openSshHost()]);
const line = await openFaultyLine(host.port);
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const other = await anotherInstance(server);
const backups = other.store;
const parts = { secrets: createSecrets(TEST_KEY), config: readConfig({}) };
beforeEach(async () => {
  await server.db.deleteFrom('backups').execute();
  await rm(join(server.dataDir, 'backups'), { recursive: true, force: true });
  line.fail(undefined);
  host.refuse(undefined);
  for (const key of await host.keys()) await host.remove(key);
  // Two backups within a second have the same name if the first one was deleted.
  for (const name of await readdir(sshHost.folder)) await rm(join(sshHost.folder, name), { recursive: true });
  await saveSettings();
});
afterAll(async () => {
  await other.close();
  await server.close();
  await line.close();
  await host.close();
  await sshHost.close();
});

async function saveSettings(changes: object = {}): Promise<void> {
  const body = {
    enabled: true,
    endpoint: `http://127.0.0.1:${line.port}`,
    bucket: host.bucket,
    prefix: 'office',
    pathStyle: true,
    accessKeyId: host.accessKeyId,
    secretAccessKey: host.secretAccessKey,
    ...changes,
  };
  expect(await server.call('POST /backups/s3-settings', { token: admin.token, body })).toMatchObject({
    status: 200,
  });
}

async function saveSshSettings(changes: object = {}): Promise<void> {
  const { port, username, privateKey, passphrase, folder: remotePath } = sshHost;
  const body = {
    enabled: true,
    host: '127.0.0.1',
    port,
    username,
    privateKey,
    passphrase,
    remotePath,
    ...changes,
  };
  expect((await server.call('POST /backups/ssh-settings', { token: admin.token, body })).status).toBe(200);
}

const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const copyDue = (signal?: AbortSignal, changes: Partial<typeof parts> = {}) =>
  createCopies({
    db: server.db,
    log: createLog('silent'),
    backups,
    destinations: [
      createSshSettingsService(parts).destination,
      createS3SettingsService({ ...parts, ...changes }).destination,
    ],
    events: { announce: () => {} },
  }).copyDue(signal);
const listed = async (): Promise<Backup[]> =>
  (await server.call('GET /backups', { token: admin.token })).body.items;
const localPath = (name: string) => join(server.dataDir, 'backups', name);
const fetchBack = (name: string) => callToEnd(server, admin, `POST /backups/${name}/fetch`);
const later = () =>
  server.db
    .updateTable('backup_copies')
    .set({ due_at: sql`now()`, leased_until: null })
    .execute();

test('a backup is copied to S3 with its files, of which none is sent twice, and fetched and restored from there', async () => {
  const deal = await addDeal(server, admin, await addDealership(server, admin));
  const attach = async (content: string): Promise<string> =>
    (await uploadFile(server, admin, `/deals/${deal._id}/attachments`, content)).body._id;
  await attach('first');
  await backups.create('manual');
  await copyDue();
  const id = await attach('second');
  await saveSettings({ keepLocalCopies: false });
  host.requests.length = 0;
  const name = await backups.create('manual');
  const bytes = await readFile(localPath(name));
  await copyDue();
  const sent = host.requests.filter(({ method }) => method === 'PUT').map(({ path }) => path);
  expect(sent).toEqual([
    expect.stringMatching(/\/office\/files\/[0-9a-f]{2}\/[0-9a-f]{62}$/),
    `/${host.bucket}/office/${name}`,
  ]);
  expect(await host.read(`office/${name}`)).toEqual(bytes);
  expect((await listed())[0]).toMatchObject({
    name,
    isLocal: false,
    isFetchable: true,
    copies: [{ destination: 's3', state: 'copied', problem: null }],
  });

  await server.db.deleteFrom('backups').where('name', '<>', name).execute();
  await rm(join(server.dataDir, 'backups'), { recursive: true });
  await rm(join(server.dataDir, 'files'), { recursive: true });
  await backups.testNewest();
  expect(await backups.list()).toMatchObject([{ proven_at: expect.any(String), problem: null }]);
  expect(await fetchBack(name)).toMatchObject({ status: 200, body: { name, size: bytes.length } });
  expect(await readFile(localPath(name))).toEqual(bytes);
  expect((await callToEnd(server, admin, `POST /backups/${name}/restore`)).status).toBe(200);
  const file = await server.call(`GET /deals/${deal._id}/attachments/${id}`, { token: admin.token });
  expect(file.body).toBe('second');
  await server.db.deleteFrom('deal_attachments').execute();
});

test.each([
  [
    'keys that may not write',
    { method: 'PUT', status: 403, code: 'AccessDenied' },
    'The keys may not write to the bucket. They need s3:PutObject.',
  ],
  ['a full store', { method: 'PUT', status: 507, code: 'StorageFull' }, 'The store did not take the object.'],
  [
    'a missing bucket',
    { method: 'PUT', status: 404, code: 'NoSuchBucket' },
    'There is no bucket of this name. Check Bucket, Endpoint and Path-style addresses.',
  ],
])(
  'a copy that fails because of %s is told in the list and to administrators, keeps the local file, and is made later',
  async (_why, refusal, problem) => {
    await saveSettings({ keepLocalCopies: false });
    const name = await backups.create('manual');
    host.refuse(refusal);
    await copyDue();
    expect(await listed()).toMatchObject([{ isLocal: true, copies: [{ state: 'failed', problem }] }]);
    expect((await server.call('GET /backups/scheduler/status', { token: admin.token })).body.alerts).toEqual([
      { kind: 'backupCopyFailed', destination: 's3', problem },
    ]);
    expect(existsSync(localPath(name))).toBe(true);
    host.refuse(undefined);
    await later();
    await copyDue();
    expect(await listed()).toMatchObject([{ isLocal: false, copies: [{ state: 'copied', problem: null }] }]);
  },
);

test('a copy with a flipped bit, or of a local file that was changed, leaves no object, and one whose connection breaks is whole', async () => {
  const name = await backups.create('manual');
  const bytes = await readFile(localPath(name));
  const failOnce = (fault: 'garbled' | 'broken') =>
    line.fail({ fault, afterBytes: Math.floor(bytes.length / 2) });
  failOnce('garbled');
  await copyDue();
  expect(await listed()).toMatchObject([{ copies: [{ state: 'failed' }] }]);
  expect(await host.keys()).toEqual([]);
  await later();
  await writeFile(localPath(name), 'changed');
  await copyDue();
  expect(await listed()).toMatchObject([{ copies: [{ state: 'failed' }] }]);
  expect(await host.keys()).toEqual([]);
  await writeFile(localPath(name), bytes);
  await later();
  failOnce('broken');
  await copyDue();
  expect(await listed()).toMatchObject([{ copies: [{ state: 'copied' }] }]);
  expect(await host.read(`office/${name}`)).toEqual(bytes);
});

test('an object of another content is never replaced by a copy, and never taken for one', async () => {
  const name = await backups.create('manual');
  await copyDue();
  await backups.removeLocal(name);
  const bytes = await host.read(`office/${name}`);
  const bucket = await openBucket(
    { ...host, region: 'us-east-1', pathStyle: true },
    createOutbound(parts.config),
  );
  const path = join(server.dataDir, 'other');
  await writeFile(path, Buffer.alloc(bytes.length));
  await expect(
    createS3CopySession(bucket).send('office', name, { path, sha256: '00' }),
  ).rejects.toMatchObject({
    message: 'Another object has this name in the bucket already. Choose another Prefix.',
  });
  expect(await host.read(`office/${name}`)).toEqual(bytes);
  await host.remove(`office/${name}`);
  expect(await fetchBack(name)).toMatchObject({
    status: 400,
    body: { code: 'S3_REFUSED', message: `The copy is not in the bucket. Looked for: office/${name}.` },
  });
  const damaged = Buffer.alloc(bytes.length);
  const sha256 = digestOf(damaged);
  await bucket.put(`office/${name}`, Readable.from([damaged], { objectMode: false }), {
    size: damaged.length,
    sha256,
  });
  bucket.close();
  const message = `The object in the bucket is not the copy that was made: office/${name}.`;
  expect(await fetchBack(name)).toMatchObject({ status: 400, body: { code: 'S3_REFUSED', message } });
  expect(await readdir(join(server.dataDir, 'backups'))).toEqual([]);
});

test('copies of S3 count no more when the settings name another place, and are made there of local backups', async () => {
  const name = await backups.create('manual');
  await copyDue();
  await saveSettings({ prefix: 'branch' });
  const problem = 'Endpoint, bucket or prefix of the S3 settings have changed since this copy was made.';
  expect(await listed()).toMatchObject([{ copies: [{ state: 'copied', problem }] }]);
  expect((await readBackupAges(server.db)).copy).toBeNull();
  await copyDue();
  expect(await host.keys()).toEqual([`branch/${name}`, `office/${name}`]);
  expect(await listed()).toMatchObject([{ copies: [{ state: 'copied', problem: null }] }]);
  await backups.removeLocal(name);
  await saveSettings({ prefix: 'third' });
  await copyDue();
  expect(await readBackupAges(server.db)).toMatchObject({ backup: null, copy: null });
  expect((await fetchBack(name)).status).toBe(200);
  await copyDue();
  expect(await host.keys()).toContain(`third/${name}`);
});

test('a copy that ends because the instance stops has not failed, and is due', async () => {
  const name = await backups.create('manual');
  const stopping = new AbortController();
  line.fail({ fault: () => stopping.abort(), afterBytes: 1 });
  await copyDue(stopping.signal);
  expect(await listed()).toMatchObject([{ copies: [{ state: 'waiting', problem: null }] }]);
  const failures = server.db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', '=', 'backup.copyFailed');
  expect(await failures.where(sql<boolean>`after ->> 'name' = ${name}`).execute()).toEqual([]);
  line.fail(undefined);
  await copyDue();
  expect(await listed()).toMatchObject([{ copies: [{ state: 'copied' }] }]);
});

test.each<[string, () => Partial<typeof parts>, string]>([
  [
    'whose secret cannot be decrypted',
    () => ({ secrets: createSecrets(Buffer.alloc(32, 1)) }),
    'The stored secret access key cannot be decrypted. Enter it again.',
  ],
  [
    'that has become the bucket of FILES_URL',
    () => ({
      config: {
        ...parts.config,
        FILES_URL: `s3://${host.bucket}/office`,
        FILES_ENDPOINT: `http://127.0.0.1:${line.port}`,
      },
    }),
    'This is the bucket of FILES_URL, which has the backups themselves. Choose another bucket for their copies.',
  ],
])('a destination %s keeps the local file, and its copy fails', async (_, changes, problem) => {
  await saveSettings({ keepLocalCopies: false });
  await saveSshSettings({ keepLocalCopies: false });
  await backups.create('manual');
  await copyDue(undefined, changes());
  expect(await listed()).toMatchObject([
    {
      isLocal: true,
      copies: [
        { destination: 'ssh', state: 'copied' },
        { destination: 's3', state: 'failed', problem },
      ],
    },
  ]);
  await saveSshSettings({ enabled: false });
});

test('a bucket that refuses to show an object tells the reason', async () => {
  const account = { ...host, region: 'us-east-1', pathStyle: true, accessKeyId: 'stranger' };
  const bucket = await openBucket(account, createOutbound(parts.config));
  await expect(bucket.head('office/x')).rejects.toMatchObject({ step: 'signIn' });
  bucket.close();
});

test('an object of several parts appears with its whole content', async () => {
  const path = join(server.dataDir, 'large');
  const content = Buffer.alloc(9 * 1024 * 1024, 'forecourt');
  await writeFile(path, content);
  const sha256 = digestOf(content);
  const bucket = await openBucket(
    { ...host, region: 'us-east-1', pathStyle: true },
    createOutbound(parts.config),
  );
  const session = createS3CopySession(bucket);
  await session.send('', 'large', { path, sha256 });
  expect((await host.read('large')).equals(content)).toBe(true);
  await session.send('', 'large', { path, sha256 });
  session[Symbol.dispose]();
});

test('a backup goes to both destinations, its local file goes when both have it, and a fetch uses the one that answers', async () => {
  await saveSettings({ keepLocalCopies: false });
  await saveSshSettings({ keepLocalCopies: false });
  const name = await backups.create('manual');
  const bytes = await readFile(localPath(name));
  host.refuse({ method: 'PUT', status: 403, code: 'AccessDenied' });
  await copyDue();
  expect(await listed()).toMatchObject([
    {
      isLocal: true,
      copies: [
        { destination: 'ssh', state: 'copied' },
        { destination: 's3', state: 'failed' },
      ],
    },
  ]);
  host.refuse(undefined);
  await later();
  await copyDue();
  expect(await listed()).toMatchObject([
    { isLocal: false, copies: [{ state: 'copied' }, { state: 'copied' }] },
  ]);
  await rm(join(sshHost.folder, `forecourt_${name}`));
  expect((await fetchBack(name)).status).toBe(200);
  expect(await readFile(localPath(name))).toEqual(bytes);
  await saveSshSettings({ enabled: false });
});
