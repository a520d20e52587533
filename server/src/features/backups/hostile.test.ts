import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { urlOf } from '../../../test/database.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { sign } from './backup-format.ts';
import { responseOf, callToEnd, digestOf, jobEnd, makeOne } from './backups.fixture.ts';
import type { Random } from './random-rows.fixture.ts';
import { tablesOf } from './verify-backup.ts';

const FILES = process.env.LONG_TESTS ? 300 : 30;
const MiB = 2 ** 20;

const server = await testApp({ UPLOAD_LIMIT: 4 * MiB });
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealership = await addDealership(server, admin);
for (let row = 0; row < 20; row += 1)
  await addDeal(server, admin, dealership, { customerName: `Row ${row}` });
const good = await readFile(join(server.dataDir, 'backups', await makeOne(server, admin)));
const script = gunzipSync(good).toString('utf8');
const before = await digestOf(server.db);
afterAll(() => server.close());

async function upload(
  content: Buffer | string,
  filename = 'backup.sql.gz',
  by: Person = admin,
  field = 'backup',
) {
  const boundary = 'a-boundary';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/backups/upload',
    headers: {
      authorization: `Bearer ${by.token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    payload: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  const { jobId, ...body } = reply.json();
  if (jobId === undefined) return { status: reply.statusCode, body };
  // On a busy machine the same message arrives later, as a job.
  const response = responseOf(await jobEnd(server, by, jobId));
  return { ...response, status: response.status === 200 ? 201 : response.status };
}
const restore = (name: string, body: object = {}) =>
  callToEnd(server, admin, `POST /backups/${name}/restore`, body);
const files = () => readdir(join(server.dataDir, 'backups'));

const TRAILING_LINE = '-- a line that is not there\n';
const change = (find: string, put: string): string => {
  if (!script.includes(find)) throw new Error(`The script has no ${find}`);
  return script.replace(find, put);
};
/** The same script with a correct checksum and a signature by this key. */
const resigned = (text: string, key: Buffer): string => {
  const body = text.slice(0, text.lastIndexOf('-- forecourt end '));
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}-- forecourt end ${JSON.stringify({ sha256, signature: sign(createSecrets(key), sha256) })}\n`;
};

/** The script without the rows of these tables. */
const without = (...tables: string[]): string =>
  script.replaceAll(new RegExp(`^COPY forecourt\\."(?:${tables.join('|')})" [^]*?\n\\\\\\.\n`, 'gm'), '');
/** The script as pg_dump would write it: without a signature. */
const dumped = (text: string): string =>
  `${text.slice(text.indexOf('\n') + 1, text.lastIndexOf('-- forecourt end '))}-- PostgreSQL database dump complete\n`;

/** Each creates a random invalid file. */
const BAD: Record<string, (random: Random) => Buffer | string> = {
  'cut off': (random) => good.subarray(0, Math.floor(random() * (good.length - 1))),
  // The ten bytes of the gzip header contain the time and system of the compression, which are irrelevant.
  'one bit flipped': (random) => {
    const copy = Buffer.from(good);
    copy[10 + Math.floor(random() * (copy.length - 10))]! ^= 1 << Math.floor(random() * 8);
    return copy;
  },
  'cut off before it was packed': (random) =>
    gzipSync(script.slice(0, Math.floor(random() * (script.length - 1)))),
  'one character changed before it was packed': (random) => {
    const at = Math.floor(random() * script.length);
    return gzipSync(`${script.slice(0, at)}${script[at] === 'x' ? 'y' : 'x'}${script.slice(at + 1)}`);
  },
  'one row left out': () => gzipSync(script.replace(/^.*\tRow 7\t.*\n/m, '')),
  'something added at its end': () => gzipSync(script + TRAILING_LINE),
  'changed, with a checksum that is right': () =>
    gzipSync(resigned(change('Row 7', 'Row 8'), Buffer.alloc(32, 3))),
  'of a newer release': () =>
    gzipSync(resigned(script.replace(/"schemaVersion":\d+/, '"schemaVersion":9999'), TEST_KEY)),
  'of another format': () => gzipSync(resigned(change('"format":1', '"format":2'), TEST_KEY)),
  'random bytes': (random) => Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256))),
  empty: () => '',
  'SQL that is no backup': () => 'drop schema forecourt cascade; create table users (id int);\n',
  'SQL that runs a program': () => `\\! touch ${touched}\nCOPY users FROM PROGRAM 'touch ${touched}';\n`,
  'of which a table was left out, with a checksum that is right': () =>
    gzipSync(resigned(without('deals').replace(/"deals":\d+,/, ''), TEST_KEY)),
  'a dump of something else': () =>
    'COPY public.users (id) FROM stdin;\n1\n\\.\n-- PostgreSQL database dump complete\n',
  'rows of a table that comes twice': () =>
    `${'COPY forecourt.users (id) FROM stdin;\n\\.\n'.repeat(2)}-- PostgreSQL database dump complete\n`,
  'a block that never ends': () => `COPY forecourt.users (id) FROM stdin;\n${'x\n'.repeat(1000)}`,
  'a line that never ends': () => gzipSync('x'.repeat(3 * MiB)),
  'a bomb': () => gzipSync(Buffer.alloc(200 * MiB, '-- nothing\n'), { level: 9 }),
  'a bomb in a bomb': () => gzipSync(gzipSync(Buffer.alloc(50 * MiB))),
  'a zip archive': () => Buffer.concat([Buffer.from('PK'), Buffer.alloc(100, 1)]),
  'a dump that pg_restore cannot read': () => Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(5000, 7)]),
  'bzip2 that is none': () => Buffer.concat([Buffer.from('BZh91AY&SY'), Buffer.alloc(5000, 7)]),
};
const touched = join(tmpdir(), `forecourt-hostile-${process.pid}`);

test.each([
  ['another ending', 'backup.exe', 'backup'],
  ['no ending', 'backup', 'backup'],
  ['another field', 'backup.sql.gz', 'file'],
])('the server rejects an upload with %s', async (_what, filename, field) => {
  expect(await upload(good, filename, admin, field)).toMatchObject({
    status: 400,
    body: { errors: { backup: expect.any(String) } },
  });
});

test('the server rejects and deletes an upload over the limit', async () => {
  const known = await files();
  expect((await upload(Buffer.alloc(5 * MiB, 65))).status).toBe(413);
  expect(await files()).toEqual(known);
});

test.each([
  ['../../etc/passwd.sql', 'passwd.sql'],
  ['C:\\\\fakepath\\\\Büro 1.sql.gz', 'Buro_1.sql.gz'],
  ['$(reboot);.gz', 'reboot.gz'],
  ['auto_backup_2020.sql.gz', 'uploaded_auto_backup_2020.sql.gz'],
  ['.part-x.sql.gz', 'part-x.sql.gz'],
])('the server stores a file named %s as %s', async (filename, kept) => {
  const { status, body } = await upload(good, filename);
  expect([status, body]).toEqual([201, { filename: kept, size: good.length }]);
  expect(await readFile(join(server.dataDir, 'backups', kept))).toEqual(good);
});

test(
  `${FILES} files that are cut off, flipped, changed, hostile or bombs: all refused, nothing changed, service uninterrupted`,
  { timeout: 300_000 + FILES * 5000 },
  async () => {
    const random = seededRandom('hostile');
    const known = await files();
    const kinds = Object.keys(BAD);
    for (let file = 0; file < FILES; file += 1) {
      const kind = kinds[file % kinds.length]!;
      const bad = BAD[kind]!(random);
      const [{ status, body }, health] = await Promise.all([upload(bad), server.call('GET /health')]);
      expect([kind, status, body.code]).toEqual([kind, 400, 'BACKUP_UNREADABLE']);
      expect(body.details, kind).toMatch(/^(It|Its|The|What|Something|A|pg_restore) .+\.$/);
      expect(health.status).toBe(200);
    }
    expect(await files()).toEqual(known);
    expect(await digestOf(server.db)).toEqual(before);
    expect(existsSync(touched)).toBe(false);
    process.stdout.write(`hostile files: ${FILES} of ${FILES} refused\n`);
  },
);

describe('a file of another installation', () => {
  const THEIRS = Buffer.alloc(32, 3);
  const theirs = (text: string) =>
    gzipSync(resigned(text.replace(/"keyId":"[^"]+"/, '"keyId":"theirs"'), THEIRS));

  test('a file of another installation with inconsistent rows leaves the data unchanged, however it is confirmed', async () => {
    const { body } = await upload(
      theirs(
        script.replace(
          /^(COPY forecourt\."deals" .*\n[^\t]+\t)[^\t]+/m,
          `$1${'0'.repeat(8)}-0000-7000-8000-000000000000`,
        ),
      ),
    );
    const reply = await restore(body.filename, { confirmName: 'Forecourt' });
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'BACKUP_UNREADABLE', details: expect.stringContaining('do not fit') },
    });
    expect(await digestOf(server.db)).toEqual(before);
  });

  test('a file of another installation can have other statements, which are never run', async () => {
    const evil = `\\! touch ${touched}\ndrop table forecourt.users cascade; select pg_sleep('infinity');\n`;
    const { body } = await upload(
      theirs(
        change('create table users (', `${evil}create table users (`).replace('\n\\.\n', `\n\\.\n${evil}`),
      ),
    );
    expect(await callToEnd(server, admin, `POST /backups/${body.filename}/check`)).toMatchObject({
      status: 200,
      body: { signature: 'foreign' },
    });
    expect(await digestOf(server.db)).toEqual(before);
    expect(existsSync(touched)).toBe(false);
  });

  test('a file of another installation cannot name tables or columns of its own, and only its rows are used', async () => {
    const evil = [
      ['a column', change('COPY forecourt."items" ("id",', 'COPY forecourt."items" ("evil",')],
      ['a table', change('COPY forecourt."items" (', 'COPY forecourt."pg_authid" (')],
    ] as const;
    for (const [what, text] of evil) {
      const { status, body } = await upload(theirs(text));
      const outcome =
        status === 201 ? await restore(body.filename, { confirmName: 'Forecourt' }) : { status };
      expect(outcome.status, what).toBe(400);
    }
    expect(await digestOf(server.db)).toEqual(before);
  });
});

test('the server rejects a dump with missing tables by name, and accepts a complete one', async () => {
  const tables = tablesOf(await readMigrations(), Infinity);
  expect(tables).toEqual(
    Object.keys(JSON.parse(/^-- forecourt backup (.*)/.exec(script)![1]!).tables).sort(),
  );
  for (const missing of [['deals'], ['deals', 'shares']]) {
    expect(await upload(dumped(without(...missing)), 'office.sql')).toMatchObject({
      status: 400,
      body: {
        code: 'BACKUP_UNREADABLE',
        details: `It lacks tables of the release that wrote it: ${missing.join(', ')}.`,
      },
    });
  }
  expect((await upload(dumped(script), 'office.sql')).status).toBe(201);
});

const hasBzip2 = spawnSync('bzip2', ['--version']).error === undefined;

describe('other formats of a valid backup', () => {
  test('plain SQL and gzip are recognised under any name', async () => {
    expect((await upload(script, 'plain.dump')).status).toBe(201);
    expect((await upload(good, 'really-gzip.sql')).status).toBe(201);
  });

  test.skipIf(!hasBzip2)('bzip2, where a tool to create one is installed', async () => {
    const packed = execFileSync('bzip2', ['-c'], { input: script });
    expect((await upload(packed, 'backup.sql.bz2')).status).toBe(201);
  });

  test.each([
    ['custom format', 'custom', 'office.dump'],
    ['plain format', 'plain', 'office.sql'],
  ])('dumps of pg_dump in %s are restored, once their name is typed', async (_what, format, filename) => {
    // Skipped where pg_dump is missing, or older than this PostgreSQL.
    const dump = spawnSync('pg_dump', [`--format=${format}`, urlOf(server.connection)], {
      maxBuffer: 64 * MiB,
    });
    if (dump.status !== 0) return;
    const { body } = await upload(dump.stdout, filename);
    expect(await restore(body.filename)).toMatchObject({ status: 409, body: { code: 'BACKUP_FOREIGN' } });
    expect((await restore(body.filename, { confirmName: body.filename })).status).toBe(200);
    const { users: _before, ...old } = before;
    const { users: _now, ...now } = await digestOf(server.db);
    expect(now).toEqual(old);
  });
});
