import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { freePort } from '../../../test/free-port.ts';
import { openS3Host } from '../../../test/s3-host.ts';

const host = await openS3Host();
const server = await testApp({ FILES_URL: 's3://originals/shine', FILES_ENDPOINT: host.endpoint });
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
afterEach(async () => {
  host.refuse(undefined);
  await server.db.deleteFrom('rate_limit_events').execute();
});
afterAll(async () => {
  await server.close();
  await host.close();
});

const settings = (changes: object = {}) => ({
  enabled: true,
  endpoint: host.endpoint,
  region: 'us-east-1',
  bucket: host.bucket,
  prefix: 'head-office/forecourt',
  pathStyle: true,
  accessKeyId: host.accessKeyId,
  secretAccessKey: host.secretAccessKey,
  keepLocalCopies: true,
  ...changes,
});
/** As sent by the screen with an empty secret. */
const untouched = (changes: object = {}) => settings({ secretAccessKey: '', ...changes });
const by = (route: string, body?: object) =>
  server.call(`${route.split(' ')[0]} /backups/s3-settings${route.split(' ')[1] ?? ''}`, {
    token: admin.token,
    ...(body && { body }),
  });
const save = (body: object) => by('POST', body);
const tryOut = (body: object) => by('POST /test', body);
const get = async () => (await by('GET')).body;
const audits = async () =>
  server.db
    .selectFrom('audit_entries')
    .where('action', 'like', 'backup-settings.%')
    .orderBy('id')
    .select(['action', 'after'])
    .execute();

test('S3 settings are off with default values before the first save', async () => {
  expect(await get()).toEqual({
    enabled: false,
    endpoint: '',
    region: 'us-east-1',
    bucket: '',
    prefix: '',
    pathStyle: false,
    accessKeyId: '',
    keepLocalCopies: true,
    hasSecretAccessKey: false,
    lastVerified: null,
    version: 1,
  });
});

test.each([
  [{ bucket: '' }, 'bucket', 'Bucket is required'],
  [{ bucket: 'Copies' }, 'bucket', expect.stringContaining('lower-case')],
  [{ bucket: 'a/b' }, 'bucket', expect.any(String)],
  [{ prefix: '/x' }, 'prefix', expect.any(String)],
  [{ prefix: 'a/../b' }, 'prefix', expect.any(String)],
  [{ prefix: 'a//b' }, 'prefix', expect.any(String)],
  [{ endpoint: 's3.example.com' }, 'endpoint', expect.stringContaining('https://s3.example.com')],
  [{ endpoint: 'https://user@s3.example.com' }, 'endpoint', expect.any(String)],
  [{ endpoint: 'https://s3.example.com/copies' }, 'endpoint', expect.any(String)],
  [{ endpoint: 'file:///etc/passwd' }, 'endpoint', expect.any(String)],
  [{ region: '' }, 'region', expect.any(String)],
  [{ region: 'EU West' }, 'region', expect.any(String)],
  [{ accessKeyId: ' ' }, 'accessKeyId', 'Access key ID is required'],
  [{ secretAccessKey: undefined }, 'secretAccessKey', 'Secret access key is required'],
  [{ surprise: 1 }, 'surprise', 'Unknown field'],
  [{ bucket: 'originals' }, 'bucket', expect.stringContaining('This is the bucket of FILES_URL')],
])('saving and testing S3 settings with %j is refused at the field %s', async (changes, field, message) => {
  for (const reply of [await save(settings(changes)), await tryOut(settings(changes))])
    expect(reply).toMatchObject({ status: 400, body: { errors: { [field]: message } } });
  expect((await get()).enabled).toBe(false);
});

test('S3 settings with the bucket of FILES_URL can be saved while copying is off', async () => {
  expect(await save(settings({ bucket: 'originals', enabled: false }))).toMatchObject({ status: 200 });
});

test('the secret access key is sealed, in no response and no audit entry, and stays while endpoint and access key ID do', async () => {
  const secretAccessKey = 'very secret access key';
  const reply = await save(settings({ secretAccessKey }));
  expect(reply).toMatchObject({ status: 200, body: { enabled: true, hasSecretAccessKey: true } });
  const stored = await server.db.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow();
  expect(stored.s3_secret_access_key).toMatch(/^v1\./);
  expect(JSON.stringify([reply.body, stored, await audits(), await get()])).not.toContain(secretAccessKey);
  expect((await audits()).at(-1)).toMatchObject({
    action: 'backup-settings.updated',
    after: { bucket: host.bucket, typedAnew: ['secretAccessKey'] },
  });
  expect((await save(untouched({ prefix: 'other' }))).body).toMatchObject({ hasSecretAccessKey: true });
  const errors = {
    secretAccessKey:
      'Enter the secret access key again: endpoint, region of Amazon S3 or access key ID has changed',
  };
  for (const changes of [{ endpoint: 'https://evil.example' }, { accessKeyId: 'other' }])
    for (const refused of [await save(untouched(changes)), await tryOut(untouched(changes))])
      expect(refused, JSON.stringify(changes)).toMatchObject({ status: 400, body: { errors } });
  await save(settings());
});

test('an outdated version of S3 settings is refused with the current ones, and unchanged settings are not saved again', async () => {
  const { body } = await save(settings());
  expect(await save(untouched({ version: body.version - 1 }))).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', current: { version: body.version } },
  });
  expect((await save(untouched({ version: body.version }))).body.version).toBe(body.version);
});

describe('the S3 connection test', () => {
  test('the S3 connection test lists the bucket, writes, reads and removes an object; the settings are verified once saved', async () => {
    host.requests.length = 0;
    expect(await tryOut(settings({ prefix: 'branch' }))).toMatchObject({
      status: 200,
      body: {
        message: 'S3 connection verified successfully',
        details: `The bucket ${host.bucket} takes copies of backups, below branch/.`,
      },
    });
    expect(host.requests.map(({ method }) => method)).toEqual(['GET', 'PUT', 'GET', 'DELETE']);
    expect(await host.keys()).toEqual([]);
    expect((await save(settings({ prefix: 'branch' }))).body.lastVerified).toMatch(/Z$/);
    expect((await save(settings({ prefix: 'other' }))).body.lastVerified).toBeNull();
  });

  const accessDenied = (method: string) => ({ method, status: 403, code: 'AccessDenied' });

  test('the S3 connection test passes for keys that may not remove objects', async () => {
    host.refuse(accessDenied('DELETE'));
    expect((await tryOut(settings())).status).toBe(200);
    expect(await host.keys()).toEqual(['head-office/forecourt/.forecourt-test']);
    await host.remove('head-office/forecourt/.forecourt-test');
  });

  test.each([
    [{ endpoint: 'https://nowhere.invalid' }, undefined, 'name'],
    [{ endpoint: 'http://169.254.169.254' }, undefined, 'connection'],
    [{ endpoint: 'http://[fd00:ec2::254]' }, undefined, 'connection'],
    [{ endpoint: 'http://8.8.8.8' }, undefined, 'connection'],
    [{ accessKeyId: 'stranger' }, undefined, 'signIn'],
    [{ secretAccessKey: 'wrong' }, undefined, 'signIn'],
    [{ bucket: 'no-such-bucket' }, undefined, 'bucket'],
    [{}, accessDenied('PUT'), 'write'],
    [{}, { method: 'GET', status: 403, code: 'AccessDenied' }, 'bucket'],
    [{}, { method: 'GET', status: 301, code: 'PermanentRedirect' }, 'bucket'],
    [{}, { method: 'GET', status: 403, code: 'RequestTimeTooSkewed' }, 'signIn'],
  ])(
    'the S3 connection test with %j and the refusal %j names the failed step: %s',
    async (changes, refusal, step) => {
      host.refuse(refusal);
      const reply = await tryOut(settings(changes));
      expect(reply).toMatchObject({
        status: 400,
        body: {
          code: 'S3_REFUSED',
          message: 'Connection test failed',
          details: expect.stringMatching(/\.$/),
          errors: { step },
        },
      });
      expect(JSON.stringify(reply.body)).not.toContain('secret words');
    },
  );

  test('the S3 connection test names the connection when nothing listens, or something else does', async () => {
    for (const endpoint of [`http://127.0.0.1:${await freePort()}`, 'http://127.0.0.1:9'])
      expect((await tryOut(settings({ endpoint }))).body.errors).toMatchObject({ step: 'connection' });
  });

  test('the S3 connection test is limited to ten a minute, failed ones included', async () => {
    for (let count = 0; count < 10; count += 1)
      expect((await tryOut(settings({ endpoint: 'http://169.254.169.254' }))).status).toBe(400);
    expect((await tryOut(settings())).status).toBe(429);
  });
});
