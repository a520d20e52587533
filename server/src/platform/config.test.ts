import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, variables } from './config.ts';

test('the configuration uses the defaults of the table without any variable', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: './data',
    LOG_LEVEL: 'info',
    TRUST_PROXY: [],
    TIME_ZONE: 'Australia/Sydney',
    UNDO_SEND_SECONDS: 10,
    MAIL_PER_HOUR: 500,
    STRICT_OUTBOUND: false,
  });
});

test('the configuration serves no metrics without METRICS_PORT', () => {
  expect(readConfig({}).METRICS_PORT).toBeUndefined();
  expect(readConfig({ METRICS_PORT: '' }).METRICS_PORT).toBeUndefined();
});

test('the configuration treats an empty variable as unset', () => {
  expect(readConfig({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
});

test('the configuration reports each mistake in one line that names its variable', () => {
  const wrong = {
    PORT: '99999',
    TIME_ZONE: 'Mars/Olympus',
    SECRET_KEY: 'short',
    DATABASE_URL: 'mysql://x',
    SMTP_URL: 'smtp://user:hidden@mail.example.com',
  };
  expect(() => readConfig(wrong)).toThrow(
    [
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must be an address such as postgresql://user:password@host:5432/database',
      'SECRET_KEY must be 32 bytes in base64',
      'SMTP_URL must be an address such as smtp://user:password@mail.example.com:587?from=forecourt@example.com',
      'TIME_ZONE must be a time zone such as Australia/Sydney',
    ].join('\n'),
  );
});

test.each([
  ['postgresql:///forecourt?host=one,two', 'must name several hosts as in postgresql://user@host1:5432,'],
  ['postgresql://forecourt@one:5432,two:port/forecourt', 'must name several hosts as in'],
  ['postgresql://one,two/forecourt?target_session_attrs=standby', 'leads to the server that accepts writes'],
])('the configuration rejects hosts of the database that it cannot use, %s', (DATABASE_URL, mistake) => {
  expect(() => readConfig({ DATABASE_URL })).toThrow(`DATABASE_URL ${mistake}`);
});

test('the configuration accepts several hosts of the database, of which one accepts writes', () => {
  const DATABASE_URL =
    'postgresql://forecourt:p,w@one:5432,[::1]:5433/forecourt?target_session_attrs=read-write';
  expect(readConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});

test('the configuration accepts a comma in a password of the database', () => {
  const DATABASE_URL = 'postgresql://forecourt:p,w@one:5432/forecourt';
  expect(readConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});

test('DATABASE_REPLICA_URL may name several hosts, but is refused with target_session_attrs or with hosts outside the address', () => {
  const both = (DATABASE_REPLICA_URL: string) => ({
    DATABASE_URL: 'postgresql://one,two/forecourt',
    DATABASE_REPLICA_URL,
  });
  expect(readConfig(both('postgresql://one,two/forecourt'))).toMatchObject(
    both('postgresql://one,two/forecourt'),
  );
  expect(() => readConfig(both('postgresql://two/forecourt?target_session_attrs=any'))).toThrow(
    'DATABASE_REPLICA_URL leads to a server that only replicates: leave out target_session_attrs',
  );
  expect(() => readConfig(both('postgresql:///forecourt?host=one,two'))).toThrow(
    'DATABASE_REPLICA_URL must name several hosts as in',
  );
});

test('the configuration rejects several poolers, also for one PostgreSQL', () => {
  const DATABASE_URL = 'postgresql://forecourt@one:6432,two:6432/forecourt';
  const DATABASE_DIRECT_URL = 'postgresql://forecourt@one:5432,two:5432/forecourt';
  expect(() => readConfig({ DATABASE_URL, DATABASE_DIRECT_URL })).toThrow(
    'DATABASE_URL names several poolers: name one, which connects to HAProxy (docs/scaling.md)',
  );
  expect(
    readConfig({ DATABASE_URL: 'postgresql://forecourt@one:6432/forecourt', DATABASE_DIRECT_URL }),
  ).toBeDefined();
});

test('the configuration rejects DEMO together with STRICT_OUTBOUND', () => {
  expect(() => readConfig({ DEMO: '1', STRICT_OUTBOUND: '1' })).toThrow('set one');
});

test('the configuration requires email and password of the first administrator together', () => {
  expect(() => readConfig({ ADMIN_EMAIL: 'a@example.com' })).toThrow('belong together');
  expect(() => readConfig({ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'short' })).toThrow(
    '12 characters',
  );
});

test('the configuration reports variables that do not go together beside every other mistake', () => {
  const wrong = {
    PORT: 'eighty',
    ADMIN_PASSWORD: 'a long enough password',
    OAUTH_MICROSOFT_ID: 'id',
    OAUTH_GOOGLE_SECRET: 'secret',
    DATABASE_DIRECT_URL: 'postgresql://db/forecourt',
    DATABASE_REPLICA_URL: 'postgresql://db/forecourt',
    DEMO: '1',
    STRICT_OUTBOUND: '1',
  };
  expect(() => readConfig(wrong)).toThrow(
    [
      'PORT must be a whole number from 0 to 65535',
      'ADMIN_EMAIL and ADMIN_PASSWORD belong together: set both or neither',
      'OAUTH_MICROSOFT_ID and OAUTH_MICROSOFT_SECRET belong together: set both or neither',
      'OAUTH_GOOGLE_ID and OAUTH_GOOGLE_SECRET belong together: set both or neither',
      'DATABASE_DIRECT_URL is the server behind the pooler of DATABASE_URL: set both',
      'DATABASE_REPLICA_URL is a replica of DATABASE_URL: set both',
      'DEMO keeps its mail on this machine, where STRICT_OUTBOUND lets nothing go: set one',
    ].join('\n'),
  );
});

const readRoot = (file: string): string => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');

test('documents every variable in the README', () => {
  const rows = readRoot('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1])
    .join();
  for (const name of variables) expect(rows).toContain(`\`${name}\``);
});

test('compose passes every variable except those set by the image, and no password in a URL', () => {
  const compose = readRoot('compose.yaml');
  const decided = new Set(['PORT', 'HOST', 'DATA_DIR', 'PG_BIN']);
  for (const name of variables.filter((one) => !decided.has(one) && !one.startsWith('DATABASE_')))
    expect(compose, name).toMatch(new RegExp(`^ {6}${name}:$`, 'm'));
  expect(compose).toMatch(/^ {6}DATABASE_URL: postgresql:\/\/forecourt@postgres:5432\/forecourt$/m);
  expect(compose).toContain("ports: ['${BIND:-127.0.0.1}:");
});

test('the Dockerfile creates the data folder for the user it runs as', () => {
  const image = readRoot('Dockerfile');
  expect(image).toMatch(/^USER 1000:1000$/m);
  expect(image.indexOf('chown 1000:1000 /data')).toBeGreaterThan(0);
  expect(image.indexOf('chown 1000:1000 /data')).toBeLessThan(image.indexOf('VOLUME /data'));
});

test('the Dockerfile installs packages before it copies sources, and checks the health of what it starts', () => {
  const image = readRoot('Dockerfile');
  const [manifests = '', packages = '', build = '', result = ''] = image.split(/^FROM .*$/m).slice(1);
  for (const workspace of JSON.parse(readRoot('package.json')).workspaces)
    expect(manifests).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  expect(packages).toMatch(/npm ci --omit=dev --workspace contract --workspace server/);
  expect(build.indexOf('install(')).toBeLessThan(build.indexOf('COPY . .'));
  expect(result).not.toContain('COPY --from=build --chown=1000:1000 /app /app');
  expect(result).toMatch(/^HEALTHCHECK .*\/api\/ready/m);
  expect(result).toMatch(/^LABEL /m);
});

test('the configuration reads a variable from the file that its _FILE names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'key');
  writeFileSync(path, `${Buffer.alloc(32, 1).toString('base64')}\n`);
  expect(readConfig({ SECRET_KEY_FILE: path }).SECRET_KEY).toBe(Buffer.alloc(32, 1).toString('base64'));
  expect(() => readConfig({ SECRET_KEY_FILE: join(folder, 'none') })).toThrow(
    /^SECRET_KEY_FILE cannot be read: ENOENT/,
  );
  const empty = join(folder, 'empty');
  writeFileSync(empty, '\n');
  expect(() => readConfig({ DATABASE_URL_FILE: empty })).toThrow(`DATABASE_URL_FILE: ${empty} is empty`);
  expect(() => readConfig({ SECRET_KEY: 'x', SECRET_KEY_FILE: path })).toThrow(
    'SECRET_KEY and SECRET_KEY_FILE are both set: set one',
  );
});

test.each([
  [{ FILES_URL: 'https://s3.example.com/bucket' }, 'FILES_URL must be a bucket such as s3://bucket/prefix'],
  [{ FILES_URL: 's3://bucket/../other' }, 'FILES_URL must be a bucket such as s3://bucket/prefix'],
  [{ FILES_URL: 's3://bucket' }, 'FILES_URL needs FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY'],
  [
    { FILES_ACCESS_KEY_ID: 'key', FILES_SECRET_ACCESS_KEY: 'secret' },
    'FILES_ACCESS_KEY_ID is for the bucket of FILES_URL: set both or neither',
  ],
  [
    { FILES_ENDPOINT: 's3.example.com' },
    'FILES_ENDPOINT must be an address such as https://s3.example.com, without a path',
  ],
])('the configuration rejects a bucket that it cannot use, %j', (environment, mistake) => {
  expect(() => readConfig(environment)).toThrow(mistake);
});
