import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { countWaiting } from '../../../test/block-inserts.ts';
import { newId } from '../../platform/ids.ts';
import { anotherInstance, makeOne } from './backups.fixture.ts';

let name: string;
const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
const other = await anotherInstance(server);
beforeEach(async () => {
  name = await makeOne(server, admin);
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const call = (route: string, by: Person = admin, body?: object) =>
  server.call(route, { token: by.token, body });
const folder = () => join(server.dataDir, 'backups');
const listed = async () => (await call('GET /backups')).body.items;
const untilNoneIsPending = async () => {
  await expect
    .poll(async () => (await listed()).some((one: { pending: boolean }) => one.pending))
    .toBe(false);
};
const actions = async () =>
  (
    await server.db
      .selectFrom('audit_entries')
      .where('entity', '=', 'backup')
      .where(sql<boolean>`after ->> 'name' = ${name}`)
      .orderBy('id')
      .select(['action', 'actor_id'])
      .execute()
  ).map(({ action, actor_id }) => [action, actor_id]);

describe('creating a backup', () => {
  test('creating a backup lists it as pending at once, and as complete and verified at the end, with one audit entry', async () => {
    expect((await listed())[0]).toMatchObject({
      name,
      path: `backups/${name}`,
      type: 'manual',
      pending: false,
      signature: 'own',
      isLocal: true,
      problem: null,
      verifiedAt: expect.any(String),
      rows: expect.any(Number),
    });
    expect(await actions()).toEqual([['backup.created', admin.id]]);
  });

  test('creating a backup leaves no other file in the folder, and none readable by other users', async () => {
    expect((await readdir(folder())).toSorted()).toEqual(
      (await listed()).map((one: { name: string }) => one.name).toSorted(),
    );
  });

  test('creating a backup waits for a clean-up, which has the lock only for a moment', async () => {
    const { creating } = await server.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(7305064), pg_advisory_xact_lock(7305063)`.execute(tx);
      const creating = call('POST /backups');
      const isAnswered = creating.then(() => true);
      const waits = async () => (await countWaiting(server.db)) === 1;
      await expect.poll(() => Promise.race([isAnswered, waits()])).toBe(true);
      return { creating };
    });
    expect((await creating).status).toBe(201);
    await untilNoneIsPending();
  });

  test('creating a backup runs one at a time, also for repeated requests', async () => {
    const two = await Promise.all([call('POST /backups'), call('POST /backups')]);
    expect(new Set(two.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(two.find(({ status }) => status === 409)!.body.code).toBe('BACKUP_BUSY');
    await untilNoneIsPending();
  });
});

describe('two instances', () => {
  test('two instances create one backup at a time between them, and list each other’s', async () => {
    const both = await Promise.allSettled([other.store.create('automatic'), other.store.create('automatic')]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'BACKUP_BUSY' },
    });
    const [newest] = await listed();
    expect(newest).toMatchObject({ type: 'automatic', pending: false });
    const reply = await server.call(`GET /backups/${newest.name}`, { token: admin.token });
    expect(reply.status).toBe(200);
  });
});

describe('a download', () => {
  test('the download of a backup is streamed as an attachment without caching, and audited', async () => {
    const reply = await server.app.inject({
      url: `/api/backups/${name}`,
      headers: { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'gzip' },
    });
    expect(reply.rawPayload).toEqual(await readFile(join(folder(), name)));
    expect(reply.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-disposition': expect.stringContaining(`attachment; filename="${name}"`),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect((await actions()).at(-1)).toEqual(['backup.downloaded', admin.id]);
  });

  test('the download of a backup by ticket needs no header, works once, and not after its session or its minute has ended', async () => {
    const ticket = async (): Promise<string> =>
      (await call(`POST /backups/${name}/download-ticket`)).body.url;
    const fetchIt = async (url: string) => (await server.app.inject({ url })).statusCode;
    const url = await ticket();
    expect(url).toMatch(/^\/api\/downloads\/[\w-]{43}$/);
    expect([await fetchIt(url), await fetchIt(url)]).toEqual([200, 404]);

    const late = await ticket();
    await server.db
      .updateTable('download_tickets')
      .set({ expires_at: sql`now() - interval '1 second'` })
      .execute();
    expect(await fetchIt(late)).toBe(404);

    const leaver = await server.person({ role: 'admin' });
    const left = await server.call(`POST /backups/${name}/download-ticket`, { token: leaver.token });
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', leaver.id).execute();
    expect(await fetchIt(left.body.url)).toBe(404);
  });

  test.each<[string, (path: string) => Promise<unknown>, number]>([
    [
      'a link to another file of the server',
      (path) => rm(path).then(() => symlink('/etc/hostname', path)),
      404,
    ],
    [
      'another file of its size',
      async (path) => writeFile(path, Buffer.alloc((await readFile(path)).length)),
      400,
    ],
    ['a longer file', (path) => writeFile(path, 'x', { flag: 'a' }), 400],
  ])('the download of a backup does not serve %s in its place', async (_what, replace, status) => {
    await replace(join(folder(), name));
    const { url } = (await call(`POST /backups/${name}/download-ticket`)).body;
    const replies = [await call(`GET /backups/${name}`), url && (await server.app.inject({ url }))];
    expect(replies[0].status).toBe(status);
    expect(replies[1]?.statusCode ?? 404).toBe(status);
    expect(await actions()).toEqual([['backup.created', admin.id]]);
  });

  test.each(['..%2Fsecret.key', '....', '.part-x', 'backup_none.sql.gz', 'x'.repeat(130)])(
    'the download of a backup finds nothing under %s',
    async (other) => expect((await call(`GET /backups/${other}`)).status).toBe(404),
  );
});

describe('deleting', () => {
  test('deleting a backup requires a confirmation for the last three verified and for pre-restore backups, and then deletes the file', async () => {
    expect((await call(`DELETE /backups/${name}`, clerk)).status).toBe(403);
    expect(await call(`DELETE /backups/${name}`)).toMatchObject({
      status: 409,
      body: { code: 'BACKUP_NEEDED' },
    });
    expect((await call(`DELETE /backups/${name}?confirm=true`)).status).toBe(204);
    expect(await readdir(folder())).not.toContain(name);
    expect((await call(`DELETE /backups/${name}`)).status).toBe(404);
    expect((await actions()).at(-1)).toEqual(['backup.deleted', admin.id]);
  });
});

test('concurrent deletions delete once, with one audit entry', async () => {
  // The backup of the test before has the same name if it was made in the same second.
  const before = (await actions()).length;
  const two = await Promise.all([1, 2].map(() => call(`DELETE /backups/${name}?confirm=true`)));
  expect(new Set(two.map(({ status }) => status))).toEqual(new Set([204, 404]));
  expect((await actions()).slice(before)).toEqual([['backup.deleted', admin.id]]);
});

test('a deletion that cannot be recorded deletes nothing', async () => {
  await sql`alter table audit_entries add constraint full_log check (action <> 'backup.deleted') not valid`.execute(
    server.db,
  );
  const reply = await call(`DELETE /backups/${name}?confirm=true`);
  await sql`alter table audit_entries drop constraint full_log`.execute(server.db);
  expect(reply.status).toBe(500);
  expect(await readdir(folder())).toContain(name);
  expect((await listed()).map((one: { name: string }) => one.name)).toContain(name);
});

describe('the list', () => {
  test('the list of backups contains a file added to the folder by hand, once it was verified', async () => {
    const copy = `carried_over_${newId()}.sql.gz`;
    await writeFile(join(folder(), copy), await readFile(join(folder(), name)));
    await other.cleanUp();
    const found = (await listed()).find((one: { name: string }) => one.name === copy);
    expect(found).toMatchObject({ signature: 'own', verifiedAt: expect.any(String), type: 'manual' });
  });

  test('the list of backups drops a backup whose server died while creating it, and deletes its file', async () => {
    const dead = 'auto_backup_2026-01-01T00-00-00Z.sql.gz';
    await server.db.insertInto('backups').values({ id: newId(), name: dead, origin: 'made' }).execute();
    await writeFile(join(folder(), '.part-left'), 'half');
    await other.cleanUp();
    expect((await listed()).map((one: { name: string }) => one.name)).not.toContain(dead);
    expect(await readdir(folder())).not.toContain('.part-left');
  });

  test('the list of backups marks a damaged backup, once that is known', async () => {
    const path = join(folder(), name);
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
    expect(await other.store.verify(name)).toBe(false);
    expect((await listed()).find((one: { name: string }) => one.name === name)).toMatchObject({
      verifiedAt: null,
      problem: expect.stringContaining('damaged'),
    });
  });
});

describe('the restore test', () => {
  test('the restore test restores the newest backup into a scratch schema, compares it, and drops the schema', async () => {
    expect(await other.store.testNewest()).toBe(name);
    expect((await listed())[0].provenAt).toEqual(expect.any(String));
    const { rows } =
      await sql`select nspname from pg_namespace where nspname like 'forecourt_scratch%'`.execute(server.db);
    expect(rows).toEqual([]);
  });
});
