import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { digestOf } from '../src/features/backups/backups.fixture.ts';
import { openDatabase, type Connection, type Db } from '../src/platform/db/database.ts';
import { createLog } from '../src/platform/log.ts';
import { SEALED_COLUMNS } from '../src/platform/sealed-columns.ts';
import { createSecrets, type Secrets } from '../src/platform/secrets.ts';
import { rotateKey } from '../src/rotate-key.ts';
import { startInProcess } from './app.ts';
import { makeDataFolder } from './data-folder.ts';
import { emptyDatabase, migratedDatabase } from './database.ts';
import { insertPerson } from './people.ts';
import { callServer, signInAsAdmin, startServer, stopSchedule } from './process.ts';
import { openS3Host } from './s3-host.ts';
import { openSftpServer } from './sftp-server.ts';
import { openMailServer } from './smtp.ts';

const PASSWORD = 'hunter2-hunter2';
/** The environment of each process; compiled modules halve its start. */
const PROGRAM = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** Runs work on the database of a stopped program, and disconnects: a rotation is refused while others are connected. */
async function onDatabase<R>(connection: Connection, work: (db: Db) => Promise<R>): Promise<R> {
  const opened = openDatabase(connection, createLog('silent'));
  try {
    return await work(opened.db);
  } finally {
    await opened.close();
  }
}

/** Returns the tables with a row that contains this text. */
async function tablesWith(db: Db, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'forecourt'::regnamespace`.execute(
    db,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const like = `%${text}%`;
    const hits = await sql`select 1 from ${sql.table(name)} as t where t::text like ${like} limit 1`.execute(
      db,
    );
    if (hits.rows.length > 0) found.push(name);
  }
  return found.sort();
}

/** Adds a value to each sealed column that has none, for a second user. */
async function addSealed(db: Db, secrets: Secrets): Promise<void> {
  const { id: user_id } = await insertPerson(db, { name: 'Sol Sealed' });
  const state_hash = randomBytes(32);
  const [provider, address] = ['google', 'sol@example.com'];
  const secret = secrets.seal('app', { table: 'two_step', column: 'secret', recordId: user_id });
  await db.insertInto('two_step').values({ user_id, secret }).execute();
  await db
    .insertInto('email_settings')
    .values({
      user_id,
      smtp_host: 'smtp.example.com',
      smtp_port: 465,
      smtp_secure: true,
      smtp_user: 'sol',
      smtp_from_email: address,
      provider,
      refresh_token: secrets.seal('token', {
        table: 'email_settings',
        column: 'refresh_token',
        recordId: user_id,
      }),
    })
    .execute();
  const verifier = secrets.seal('verifier', {
    table: 'mailbox_connections',
    column: 'verifier',
    recordId: state_hash.toString('hex'),
  });
  await db
    .insertInto('mailbox_connections')
    .values({ state_hash, user_id, provider, address, verifier })
    .execute();
  const ssh_password = secrets.seal('ssh', {
    table: 'backup_settings',
    column: 'ssh_password',
    recordId: 'ssh',
  });
  await db.updateTable('backup_settings').set({ ssh_password }).execute();
}

/** Returns what a key reads of every sealed column: null where it cannot decrypt it, undefined without a value. */
async function readSealed(db: Db, key: Secrets) {
  return Promise.all(
    SEALED_COLUMNS.map(async ({ id, ...place }) => {
      const { rows } = await sql<{ recordId: string; value: string }>`
        select ${sql.raw(id)} as "recordId", ${sql.ref(place.column)} as value
        from ${sql.table(place.table)} where ${sql.ref(place.column)} is not null`.execute(db);
      return rows[0] && key.open(rows[0].value, { ...place, recordId: rows[0].recordId });
    }),
  );
}

/** Kills a process of the command at a step. */
function killAt(step: string, environment: Record<string, string>): void {
  const program = `const { rotateKey } = await import(${JSON.stringify(new URL('../src/rotate-key.ts', import.meta.url).href)});
    await rotateKey(process.env, (step) => { if (step === ${JSON.stringify(step)}) process.kill(process.pid, 'SIGKILL'); });`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...PROGRAM, ...environment },
    encoding: 'utf8',
  });
  expect(signal, stderr).toBe('SIGKILL');
}

test('secrets stay usable, no value of the former key is left, and a kill at any step is survived', async () => {
  const database = await migratedDatabase();
  const folder = await makeDataFolder('rotate-');
  const mail = await openMailServer({ password: PASSWORD });
  const [host, store] = await Promise.all([openSftpServer(), openS3Host()]);
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder };
  const stopped = <R>(work: (db: Db) => Promise<R>) => onDatabase(database.connection, work);
  const keyIn = async () =>
    createSecrets(Buffer.from(await readFile(join(folder, 'secret.key'), 'utf8'), 'base64'));
  const mailSettings = {
    smtpHost: '127.0.0.1',
    smtpPort: mail.port,
    smtpSecure: false,
    smtpUser: 'kim',
    smtpFromEmail: 'kim@example.com',
  };
  const sshSettings = {
    enabled: true,
    host: '127.0.0.1',
    port: host.port,
    username: host.username,
    authMethod: 'privateKey',
    remotePath: host.folder,
    keepLocalCopies: true,
    connectionTimeout: 30,
    serverName: 'office',
  };
  const bucket = {
    endpoint: store.endpoint,
    bucket: store.bucket,
    pathStyle: true,
    accessKeyId: store.accessKeyId,
  };
  const withSecret = { ...bucket, secretAccessKey: store.secretAccessKey };
  const withKey = { ...sshSettings, privateKey: host.privateKey, passphrase: host.passphrase };

  const first = await startInProcess(folder, environment);
  let token = await signInAsAdmin(first.url);
  await stopSchedule(first.url, token);
  const id = (await callServer(first.url, 'GET /auth/me', token)).body.data.user._id;
  const saved = { ...mailSettings, smtpPassword: PASSWORD };
  expect((await callServer(first.url, `PUT /email-settings/user/${id}`, token, saved)).status).toBe(200);
  expect((await callServer(first.url, 'POST /backups/ssh-settings', token, withKey)).status).toBe(200);
  expect((await callServer(first.url, 'POST /backups/ssh-settings/test', token, withKey)).status).toBe(200);
  for (const route of ['POST /backups/s3-settings', 'POST /backups/s3-settings/test'])
    expect((await callServer(first.url, route, token, withSecret)).status, route).toBe(200);
  await expect
    .poll(async () => (await callServer(first.url, 'GET /audit-logs/verify', token)).body.seals)
    .toBeGreaterThan(0);
  await expect(rotateKey(environment)).rejects.toThrow('Forecourt is running');
  const backup = (await callServer(first.url, 'POST /backups', token, {})).body.name;
  const listed = async (url: string) =>
    (await callServer(url, 'GET /backups', token)).body.items.find(
      ({ name }: { name: string }) => name === backup,
    );
  await expect.poll(() => listed(first.url)).toMatchObject({ pending: false, signature: 'own' });
  const addLee = { name: 'Lee Late', email: 'lee@example.com', role: 'user' };
  const add = (url: string) =>
    callServer(url, 'POST /users', token, addLee, { 'idempotency-key': 'lee-0001' });
  expect((await add(first.url)).status).toBe(201);
  await first.stop();
  const firstKey = await keyIn();
  await stopped((db) => addSealed(db, firstKey));
  const sealed = await stopped((db) => readSealed(db, firstKey));
  expect(sealed).toEqual(SEALED_COLUMNS.map(() => expect.any(String)));
  await expect(
    rotateKey({ ...environment, NEW_SECRET_KEY: randomBytes(32).toString('base64') }),
  ).rejects.toThrow('NEW_SECRET_KEY is for');

  for (const step of ['key', 'sealed', 'committed', 'former']) {
    const former = await keyIn();
    killAt(step, environment);
    const next = await readFile(join(folder, 'secret.key.next'), 'utf8');
    expect(await rotateKey(environment)).toMatch(/^(Encrypted again|The interrupted)/);
    expect(await readFile(join(folder, 'secret.key'), 'utf8'), step).toBe(next);
    expect(await readdir(folder)).toContain(`secret.key.former-${former.keyId}`);
    expect(await stopped((db) => tablesWith(db, former.keyId)), step).toEqual([]);
  }
  killAt('committed', environment);

  const second = await startInProcess(folder, environment);
  expect(await stopped((db) => readSealed(db, firstKey))).toEqual(sealed.map(() => null));
  expect(await stopped(async (db) => readSealed(db, await keyIn()))).toEqual(sealed);
  token = await signInAsAdmin(second.url);
  const entry = {
    actorName: 'System',
    entity: 'setup',
    after: { encryptedAgain: sealed.length, signedAgain: expect.any(Number) },
  };
  const replaced = await callServer(second.url, 'GET /audit-logs?action=setup.key-replaced', token);
  expect(replaced.body.items).toMatchObject(Array.from({ length: 5 }, () => entry));
  // An earlier backup needs the former key.
  expect(await listed(second.url)).toMatchObject({ signature: 'foreign' });
  const check = (await callServer(second.url, `POST /backups/${backup}/check`, token)).body;
  const checked = async () =>
    // After 10 s the response is its job.
    check.jobId ? (await callServer(second.url, `GET /jobs/${check.jobId}`, token)).body.result : check;
  await expect.poll(checked).toMatchObject({ signature: 'foreign', confirmName: expect.any(String) });
  // A repeated request is not run again, though its response can no longer be read.
  expect(await add(second.url)).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } });
  const verified = await callServer(
    second.url,
    `POST /email-settings/user/${id}/verify`,
    token,
    mailSettings,
  );
  expect(verified.status).toBe(200);
  expect((await callServer(second.url, 'GET /backups/ssh-settings', token)).body.lastVerified).not.toBeNull();
  expect((await callServer(second.url, 'POST /backups/ssh-settings/test', token, sshSettings)).status).toBe(
    200,
  );
  expect((await callServer(second.url, 'GET /backups/s3-settings', token)).body.lastVerified).not.toBeNull();
  expect((await callServer(second.url, 'POST /backups/s3-settings/test', token, bucket)).status).toBe(200);
  expect((await callServer(second.url, 'GET /audit-logs/verify', token)).body).toMatchObject({
    problems: [],
    otherKey: 0,
  });
  await second.stop();

  // The same with the key in the environment.
  const [own, other] = [
    await readFile(join(folder, 'secret.key'), 'utf8'),
    randomBytes(32).toString('base64'),
  ];
  const given = { ...environment, SECRET_KEY: own.trim() };
  await expect(rotateKey(given)).rejects.toThrow('NEW_SECRET_KEY is missing');
  await expect(rotateKey({ ...given, NEW_SECRET_KEY: own.trim() })).rejects.toThrow('the same key');
  await expect(rotateKey({ ...given, NEW_SECRET_KEY: 'short' })).rejects.toThrow('32 bytes');
  expect(await rotateKey({ ...given, NEW_SECRET_KEY: other })).toContain('Set SECRET_KEY to the new key');
  expect(await rotateKey({ ...given, NEW_SECRET_KEY: other })).toContain('belongs to NEW_SECRET_KEY already');
  await expect(startInProcess(folder, given)).rejects.toThrow('another key');
  const third = await startInProcess(folder, { ...environment, SECRET_KEY: other });
  await third.stop();
  await Promise.all([
    mail.close(),
    host.close(),
    store.close(),
    database.close(),
    rm(folder, { recursive: true }),
  ]);
});

test('a secret that was changed, and one of another key, stop it: both are named, and nothing changes', async () => {
  const database = await migratedDatabase();
  const folder = await makeDataFolder('rotate-');
  const environment = { DATABASE_URL: database.url, DATA_DIR: folder };
  await (await startInProcess(folder, environment)).stop();
  const text = await readFile(join(folder, 'secret.key'), 'utf8');
  const { before, user_id } = await onDatabase(database.connection, async (db) => {
    await addSealed(db, createSecrets(Buffer.from(text, 'base64')));
    const { user_id, secret } = await db.selectFrom('two_step').selectAll().executeTakeFirstOrThrow();
    const changed = secret.slice(0, -2) + (secret.endsWith('AA') ? 'BB' : 'AA');
    await db.updateTable('two_step').set({ secret: changed }).execute();
    const place = { table: 'backup_settings', column: 'ssh_password', recordId: 'ssh' } as const;
    const ssh_password = createSecrets(randomBytes(32)).seal('ssh', place);
    await db.updateTable('backup_settings').set({ ssh_password }).execute();
    return { user_id, before: await digestOf(db, new Set()) };
  });

  await expect(rotateKey(environment)).rejects.toThrow(
    `The key cannot decrypt backup_settings.ssh_password of ssh, two_step.secret of ${user_id}. Nothing was changed.`,
  );
  expect(await onDatabase(database.connection, (db) => digestOf(db, new Set()))).toEqual(before);
  expect(await readFile(join(folder, 'secret.key'), 'utf8')).toBe(text);
  await Promise.all([database.close(), rm(folder, { recursive: true })]);
});

test('a rotation of a copy of the database is refused, because the key in the data folder is that of the original', async () => {
  const database = await migratedDatabase();
  const folder = await makeDataFolder('rotate-');
  await (await startInProcess(folder, { DATABASE_URL: database.url })).stop();
  const key = await readFile(join(folder, 'secret.key'), 'utf8');
  const copy = await emptyDatabase(database.name);
  await expect(rotateKey({ DATABASE_URL: copy.url, DATA_DIR: folder })).rejects.toThrow(
    `${folder} has the files of the database ${database.name}, of which this one is a copy. Nothing was changed;`,
  );
  expect(await readFile(join(folder, 'secret.key'), 'utf8')).toBe(key);
  await copy.close();
  await Promise.all([database.close(), rm(folder, { recursive: true })]);
});

test('the command replaces the key of the embedded database, and is refused without one and while it runs', async () => {
  const folder = await makeDataFolder('rotate-');
  const rotate = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../src/rotate-key-main.ts')], {
      env: { ...PROGRAM, DATA_DIR: folder },
      encoding: 'utf8',
    });
  expect(rotate()).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no database in') });
  const first = await startServer(folder);
  const former = await readFile(join(folder, 'secret.key'), 'utf8');
  const refused = rotate();
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr.trim().split('\n')).toHaveLength(1);
  await first.stop();
  expect(rotate()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('The new key is in secret.key'),
  });
  const files = await readdir(folder);
  expect(files.filter((name) => name.startsWith('secret.key')).sort()).toEqual([
    'secret.key',
    expect.stringMatching(/^secret\.key\.former-/),
  ]);
  expect(await readFile(join(folder, 'secret.key'), 'utf8')).not.toBe(former);
  const second = await startServer(folder);
  await signInAsAdmin(second.url);
  await second.stop();
  await rm(folder, { recursive: true });
});
