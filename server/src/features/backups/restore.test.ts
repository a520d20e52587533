import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { PASSWORD } from '../../../test/people.ts';
import { countsOf } from '../../../test/sealed-entries.ts';
import type { Db } from '../../platform/db/database.ts';
import { newId, newToken, tokenHash } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createSealing } from '../audit/sealing.service.ts';
import { anotherInstance, callToEnd, digestOf, makeOne, writeElsewhere } from './backups.fixture.ts';

let server: TestApp;
let admin: Person;
let clerk: Person;
let dealership: string;
beforeEach(async () => {
  server = await testApp();
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  clerk = await server.person({ name: 'Cleo Clerk' });
  dealership = await addDealership(server, admin);
});
afterEach(() => server.close());

const call = (route: string, by: Person = admin, body?: object) =>
  server.call(route, { token: by.token, body });
const restore = (name: string, body: object = {}) =>
  callToEnd(server, admin, `POST /backups/${name}/restore`, body);
const names = async () =>
  (await call('GET /deals')).body.items
    .map(({ customerName }: { customerName: string }) => customerName)
    .toSorted();
const mailNotifications = () =>
  server.db
    .selectFrom('notifications')
    .where('kind', '=', 'mailHeld')
    .select(['user_id', 'count', 'created_by', 'read_at'])
    .orderBy('user_id')
    .execute();
const email = (id: string, status: string) => ({
  id,
  sender_id: clerk.id,
  dealership_id: dealership,
  template_name: 'Daily',
  template_version: 1,
  from_name: 'Cleo',
  from_address: 'cleo@example.com',
  to_addresses: ['tess@example.com'],
  cc_addresses: [],
  subject: 'Hello',
  html: '<p>Hello</p>',
  body_text: 'Hello',
  message_id: `<${id}@example.com>`,
  search_text: 'hello',
  status,
  next_attempt_at: new Date(Date.now() + 3_600_000),
});

describe('a restore', () => {
  test('a restore previews what it adds, removes and changes, does that, and continues the audit log', async () => {
    const [back, changed] = [
      await addDeal(server, admin, dealership, { customerName: 'Back' }),
      await addDeal(server, admin, dealership, { customerName: 'As it was' }),
    ];
    const name = await makeOne(server, admin);
    await call(`DELETE /deals/${back._id}`);
    await call(`PATCH /deals/${changed._id}`, admin, { version: 1, customerName: 'Changed' });
    await addDeal(server, admin, dealership, { customerName: 'Goes' });

    const { body: check } = await callToEnd(server, admin, `POST /backups/${name}/check`);
    expect(check).toMatchObject({ signature: 'own', isOlder: false, confirmName: null, reactivated: [] });
    expect(check.counts.find(({ kind }: { kind: string }) => kind === 'deals')).toEqual({
      kind: 'deals',
      inBackup: 2,
      now: 2,
      comesBack: 1,
      disappears: 1,
      changes: 1,
    });
    expect(await names()).toEqual(['Changed', 'Goes']);

    const log = () => server.db.selectFrom('audit_entries').select(['id', 'action']).orderBy('id').execute();
    const before = await log();
    const { body } = await restore(name);
    expect(body).toMatchObject({
      preRestoreBackup: expect.stringMatching(/^pre_restore_/),
      notConfigured: false,
      heldEmails: 0,
    });
    expect(await mailNotifications()).toEqual([]);
    expect(await names()).toEqual(['As it was', 'Back']);
    const after = await log();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ action }) => action)).toContain('backup.restored');

    await restore(body.preRestoreBackup);
    expect(await names()).toEqual(['Changed', 'Goes']);
  });

  test('a restore of a modified file is rejected, and nothing is replaced', async () => {
    const name = await makeOne(server, admin);
    const path = join(server.dataDir, 'backups', name);
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
    const before = await digestOf(server.db);
    expect((await restore(name)).body).toMatchObject({ code: 'BACKUP_UNREADABLE' });
    expect(await digestOf(server.db)).toEqual(before);
  });

  test('a restore is rolled back when it would change the schema', async () => {
    const name = await makeOne(server, admin);
    await addDeal(server, admin, dealership, { customerName: 'Stays' });
    for (const [change, undo] of [
      ['create index extra on deals (notes)', 'drop index extra'],
      ['alter table deals alter notes set default 1', `alter table deals alter notes set default ''`],
    ] as const) {
      await sql.raw(change).execute(server.db);
      expect(await restore(name), change).toMatchObject({ status: 500 });
      await sql.raw(undo).execute(server.db);
    }
    expect(await names()).toEqual(['Stays']);
    expect((await restore(name)).status).toBe(200);
    expect(await names()).toEqual([]);
  });

  test('a restore ends every session except the restoring one, with the reason, and restores no ended session, link or stored response', async () => {
    const addSession = async (person: Person): Promise<Person> => {
      const token = newToken();
      const session = {
        id: newId(),
        token_hash: tokenHash(token),
        user_id: person.id,
        user_agent: '',
        ip: '',
      };
      const expires_at = new Date(Date.now() + 3_600_000);
      await server.db
        .insertInto('sessions')
        .values({ ...session, expires_at })
        .execute();
      return { ...person, token };
    };
    const [other, old] = [await addSession(admin), await addSession(clerk)];
    await server.db
      .insertInto('password_links')
      .values({
        key_hash: Buffer.from('old'),
        user_id: clerk.id,
        purpose: 'reset',
        expires_at: new Date(Date.now() + 3_600_000),
      })
      .execute();
    const name = await makeOne(server, admin);
    await server.db.deleteFrom('password_links').execute();
    await server.db
      .updateTable('sessions')
      .set({ ended_at: sql`now()` })
      .where('token_hash', '=', tokenHash(old.token))
      .execute();
    for (const person of [admin, clerk, other]) expect((await call('GET /auth/me', person)).status).toBe(200);
    expect(await restore(name)).toMatchObject({ status: 200 });
    expect((await call('GET /auth/me')).status).toBe(200);
    for (const person of [clerk, other]) {
      expect(await call('GET /auth/me', person)).toMatchObject({
        status: 401,
        body: { details: 'An administrator restored a backup.' },
      });
    }
    expect((await call('GET /auth/me', old)).status).toBe(401);
    for (const table of ['password_links', 'idempotency_keys', 'impersonations'] as const) {
      expect(await server.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test('a restore holds mail that it would send again until an administrator releases it, and notifies the administrators', async () => {
    const [boss, retired] = [await server.person({ role: 'admin' }), await server.person({ role: 'admin' })];
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', retired.id).execute();
    const [one, two, sentSince] = [newId(), newId(), newId()];
    const due = { next_attempt_at: sql<string>`now()` };
    await server.db
      .insertInto('emails')
      .values([one, two, sentSince].map((id) => ({ ...email(id, 'queued'), ...due })))
      .execute();
    const name = await makeOne(server, admin);
    await server.db
      .updateTable('emails')
      .set({ status: 'sent', sent_at: sql`now()` })
      .where('id', '=', sentSince)
      .execute();
    // Nobody knows whether it was sent since the backup.
    await server.db.deleteFrom('emails').where('id', '=', two).execute();
    expect((await restore(name)).body.heldEmails).toBe(2);
    const states = async () =>
      Object.fromEntries(
        (await server.db.selectFrom('emails').select(['id', 'status', 'held_at']).execute()).map((row) => [
          row.id,
          [row.status, row.held_at !== null],
        ]),
      );
    expect(await states()).toEqual({
      [one]: ['queued', true],
      [two]: ['queued', true],
      [sentSince]: ['sent', false],
    });
    const notification = { count: 2, created_by: null, read_at: null };
    expect(await mailNotifications()).toEqual(
      [admin.id, boss.id].toSorted().map((user_id) => ({ user_id, ...notification })),
    );
    const { items } = (await call('GET /notifications')).body;
    expect(items).toMatchObject([{ kind: 'mailHeld', count: 2, isRead: false }]);
    expect((await call('GET /backups/held-mail')).body).toEqual({ total: 2 });
    expect((await call('POST /backups/held-mail/release')).body).toEqual({ total: 2 });
    expect(await states()).toMatchObject({ [one]: ['queued', false], [two]: ['queued', false] });
    for (const [id, status] of Object.entries({ [one]: 'cancelled', [two]: 'unconfirmed' }))
      expect((await call(`POST /email/logs/${id}/cancel`)).body.status).toBe(status);
  });

  test('a restore keeps the restoring administrator as one with the current sign-in and permission record, whatever they were in the backup', async () => {
    await server.db
      .updateTable('users')
      .set({ role: 'user', is_active: false })
      .where('id', '=', admin.id)
      .execute();
    const boss = await server.person({ role: 'admin', name: 'Bo Boss' });
    const name = await makeOne(server, boss);
    await server.db
      .updateTable('users')
      .set({ role: 'admin', is_active: true })
      .where('id', '=', admin.id)
      .execute();
    await server.db
      .updateTable('passwords')
      .set({ hash: 'of now' })
      .where('user_id', '=', admin.id)
      .execute();
    const record = { maxSessions: 7 };
    await server.db
      .updateTable('permission_records')
      .set({ record: JSON.stringify(record) })
      .where('user_id', '=', admin.id)
      .execute();
    expect((await restore(name)).status).toBe(200);
    const kept = server.db.selectFrom('permission_records').select('record').where('user_id', '=', admin.id);
    expect(await kept.executeTakeFirstOrThrow()).toEqual({ record });
    expect((await call('GET /backups')).status).toBe(200);
    const { hash } = await server.db
      .selectFrom('passwords')
      .select('hash')
      .where('user_id', '=', admin.id)
      .executeTakeFirstOrThrow();
    expect(hash).toBe('of now');
  });

  test('a restore names users who could sign in again', async () => {
    const name = await makeOne(server, admin);
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', clerk.id).execute();
    const { body } = await callToEnd(server, admin, `POST /backups/${name}/check`);
    expect(body.reactivated).toEqual([{ name: 'Cleo Clerk', email: clerk.email }]);
  });

  test('a restore includes writes up to the last moment in the pre-restore backup, also of waiting writers', async () => {
    const name = await makeOne(server, admin);
    let acknowledged = 0;
    const over = new AbortController();
    const writer = (async () => {
      while (!over.signal.aborted) {
        const reply = await call('POST /deals', admin, {
          dealershipId: dealership,
          customerName: `Row ${acknowledged}`,
        });
        if (reply.status === 201) acknowledged += 1;
      }
    })();
    await expect.poll(() => acknowledged).toBeGreaterThan(3);
    const { body } = await restore(name);
    over.abort();
    await writer;
    const count = async () =>
      (await sql<{ count: number }>`select count(*)::int as count from deals`.execute(server.db)).rows[0]!
        .count;
    const writtenSince = await count();
    await restore(body.preRestoreBackup);
    expect((await count()) + writtenSince).toBe(acknowledged);
  });
});

describe('a backup of an older release', () => {
  test('a backup of an older release is migrated to this release', async () => {
    const fill = (db: Db, userId: string) =>
      sql`
        with template as (
          insert into email_templates (id, name, subject, status, document, variables, owner_id)
          values (${newId()}, 'Daily', '', 'draft', '{"blocks": []}', '[]', ${userId}))
        insert into contacts (dealership_id, position, name, email, template_name, include_in_to, include_in_cc, active)
        select id, position, 'Sam', 'sam@example.com', name_of_template, true, false, true
        from dealerships, (values (0, 'DAILY'), (1, 'Weekly'))
        as named(position, name_of_template)`.execute(db);
    const name = await bring('older', fill, { until: 10 });
    expect((await callToEnd(server, admin, `POST /backups/${name}/check`)).body).toMatchObject({
      schemaVersion: 10,
      isOlder: true,
      signature: 'own',
    });
    expect((await restore(name)).status).toBe(200);
    expect(await names()).toEqual(['From elsewhere']);
    const [{ contacts }] = (await call('GET /dealerships')).body.items;
    expect(contacts).toMatchObject([{ templateName: 'Daily' }, { templateName: 'Weekly' }]);
    expect(
      await server.db.selectFrom('contacts').select('template_name').orderBy('position').execute(),
    ).toEqual([{ template_name: null }, { template_name: 'Weekly' }]);
  });

  test('a backup of an older release has the filters of its saved views as conditions, no later comments, and no sessions of tables that were renamed since', async () => {
    const statusId = '01930000-0000-7000-8000-000000000002';
    const views = {
      Some: { filters: { statusId, dealershipId: null, ownerId: null }, sort: null, columns: [] },
      All: { filters: { statusId: null, dealershipId: null, ownerId: null }, sort: null, columns: [] },
    };
    const fill = async (db: Db, userId: string) => {
      for (const [title, arrangement] of Object.entries(views))
        await sql`insert into deal_views (id, owner_id, name, is_shared, arrangement)
          values (${newId()}, ${userId}, ${title}, true, ${JSON.stringify(arrangement)})`.execute(db);
      await sql`
        with session as (
          insert into sessions (id, token_hash, user_id, user_agent, ip, expires_at)
          values (${newId()}, 'x', ${userId}, '', '', now() + interval '1 day') returning id, user_id)
        , call as (insert into counted_calls (subject) values ('permissions'))
        insert into viewings (id, session_id, user_id) select ${newId()}, id, user_id
        from session`.execute(db);
    };
    const name = await bring('older', fill, { until: 42 });
    const [present] = (await call('GET /dealerships')).body.items;
    const { _id } = await addDeal(server, admin, present._id);
    await call(`POST /deals/${_id}/comments`, admin, { body: 'Written later' });
    expect((await restore(name)).status).toBe(200);
    const { items } = (await call('GET /deal-views')).body;
    expect(items).toMatchObject([
      { name: 'All', filter: null },
      {
        name: 'Some',
        filter: { match: 'all', conditions: [{ field: 'status', operator: 'isAnyOf', value: [statusId] }] },
      },
    ]);
    for (const table of ['deal_comments', 'impersonations', 'rate_limit_events'] as const)
      expect(await server.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  });
});

// Each release created its file: 1.0.0 when backups contained definitions read from the catalogue instead of the
// migrations, and 1.1.0 when the content of files was in the database.
test.each([
  [
    '1.0.0',
    { shares: [], custom: undefined, comments: [], files: [], views: [], doNotContact: [], emails: [] },
  ],
  [
    '1.1.0',
    {
      shares: ['view'],
      custom: { custom1: 'o1' },
      comments: ['Call @Kim', 'Tomorrow'],
      files: ['contract.txt: Sold as seen'],
      views: ['New ones'],
      doNotContact: ['(0400) 111 222', 'nobody@example.com'],
      emails: ['sent'],
    },
  ],
])('a backup of release %s is restored, with all that its rows have', async (release, parts) => {
  const name = `release-${release}.sql.gz`;
  await mkdir(join(server.dataDir, 'backups'), { recursive: true });
  await copyFile(join(import.meta.dirname, name), join(server.dataDir, 'backups', name));
  await listFolder();
  expect(await restore(name)).toMatchObject({ status: 200, body: { notConfigured: false } });
  expect(await names()).toEqual(['From elsewhere']);
  const itemsOf = async (route: string) => (await call(route)).body.items;
  const [{ contacts }] = await itemsOf('GET /dealerships');
  expect(contacts).toMatchObject([{ name: 'Sam', templateName: 'Daily' }]);

  const [{ _id, custom, sharedWith }] = await itemsOf('GET /deals');
  const files = [];
  for (const file of await itemsOf(`GET /deals/${_id}/attachments`))
    files.push(`${file.name}: ${(await call(`GET /deals/${_id}/attachments/${file._id}`)).body}`);
  const field = async (route: string, name: string) =>
    (await itemsOf(route)).map((record: Record<string, unknown>) => record[name]).toSorted();
  expect({
    shares: sharedWith.map(({ permissions }: { permissions: string }) => permissions),
    custom,
    comments: await field(`GET /deals/${_id}/comments`, 'body'),
    files,
    views: await field('GET /deal-views', 'name'),
    doNotContact: await field('GET /do-not-contact', 'value'),
    emails: await field('GET /email/logs', 'status'),
  }).toEqual(parts);
});

describe('a backup of another installation', () => {
  const THEIR_KEY = Buffer.alloc(32, 9);
  const theirs = createSecrets(THEIR_KEY);
  const place = (recordId: string) =>
    ({ table: 'email_settings', column: 'smtp_password', recordId }) as const;
  const withPassword = async (db: Db, userId: string) => {
    await sql`insert into email_settings (user_id, smtp_host, smtp_port, smtp_secure, smtp_user, smtp_password, smtp_from_email)
      values (${userId}, 'mail.example.com', 587, false, 'u', ${theirs.seal('their password', place(userId))}, 'a@example.com')`.execute(
      db,
    );
    await sql`insert into two_step (user_id, secret, confirmed_at) values (${userId}, ${theirs.seal('x', { table: 'two_step', column: 'secret', recordId: userId })}, now())`.execute(
      db,
    );
  };
  /** A log in which all but the newest entry is sealed. */
  const withSeals = async (db: Db) => {
    await createSealing({ db, secrets: theirs, log: createLog('silent') }).sealAll();
    await sql`insert into audit_entries (actor_name, ip, request_id, action, entity)
      values ('Old Hand', '', 'theirs, not sealed', 'deal.updated', 'deal')`.execute(db);
  };
  const bringTheirs = () =>
    bring(
      'theirs',
      async (db, userId) => {
        await withPassword(db, userId);
        await withSeals(db);
        await sql`insert into change_sets (id, kind, created_by, created_by_name, counted_to)
          values (${newId()}, 'paste', ${userId}, 'Old Hand', 7)`.execute(db);
      },
      { key: THEIR_KEY },
    );
  const settings = async () =>
    (await call('GET /email-settings/users')).body.items.find(
      (one: { name: string }) => one.name === 'Old Hand',
    );

  test('a backup of another installation is rejected without its key or its name, with nothing changed; with its name, passwords and keys are not configured, and two-step sign-in is off', async () => {
    const name = await bringTheirs();
    expect((await callToEnd(server, admin, `POST /backups/${name}/check`)).body).toMatchObject({
      signature: 'foreign',
      confirmName: 'Old Company',
    });
    const before = await digestOf(server.db);
    for (const body of [
      {},
      { confirmName: 'Other' },
      { secretKey: Buffer.alloc(32, 1).toString('base64') },
      { secretKey: 'x' },
    ]) {
      expect(await restore(name, body)).toMatchObject({ status: 409, body: { code: 'BACKUP_FOREIGN' } });
    }
    expect(await digestOf(server.db)).toEqual(before);

    const { body } = await restore(name, { confirmName: 'Old Company' });
    expect(body).toMatchObject({ notConfigured: true });
    expect(await settings()).toMatchObject({ hasSettings: true, isConfigured: false });
    expect(await server.db.selectFrom('two_step').selectAll().execute()).toEqual([]);
  });

  test('a backup of another installation with its key is restored completely: passwords are sealed with our key, and its audit log is continued', async () => {
    const name = await bringTheirs();
    const written = await server.db.selectFrom('audit_entries').select(['request_id']).execute();
    const sets = () =>
      server.db.selectFrom('change_sets').select(['id', 'created_by_name', 'counted_to']).execute();
    await sql`insert into change_sets (id, kind, created_by, created_by_name, counted_to)
      values (${newId()}, 'paste', ${admin.id}, 'Ada', 9)`.execute(server.db);
    const ownSets = await sets();
    const { body } = await restore(name, { secretKey: THEIR_KEY.toString('base64') });
    expect(body).toMatchObject({ notConfigured: false });
    // The entries of our change sets have new numbers.
    const allSets = await sets();
    expect(allSets).toHaveLength(ownSets.length + 1);
    expect(allSets.filter(({ created_by_name: by }) => by === 'Old Hand')).toHaveLength(1);
    expect(allSets.filter(({ counted_to }) => counted_to !== null)).toEqual([]);
    expect(await names()).toEqual(['From elsewhere']);
    expect(await settings()).toMatchObject({ isConfigured: true });
    const after = await server.db.selectFrom('audit_entries').select(['request_id']).orderBy('id').execute();
    const brought = [{ request_id: 'theirs' }, { request_id: 'theirs, not sealed' }];
    expect(after.slice(0, written.length + 2)).toEqual([...brought, ...written]);
    // No entry counts as inserted past the program, neither before it is sealed here nor after.
    expect((await call('GET /audit-logs/verify')).body).toMatchObject({ problems: [], next: null });
    await createSealing({
      db: server.db,
      secrets: createSecrets(TEST_KEY),
      log: createLog('silent'),
    }).sealAll();
    expect((await call('GET /audit-logs/verify')).body).toMatchObject({ problems: [], otherKey: 1 });
    const { stored, computed } = await countsOf(server);
    expect(stored).toEqual(computed);
    // It is this installation now: another restore preserves the log that has grown.
    const own = await makeOne(server, admin);
    await restore(own);
    expect((await server.db.selectFrom('audit_entries').select('id').execute()).length).toBeGreaterThan(
      after.length,
    );
    expect(await sets()).toHaveLength(allSets.length);
  });

  test('a backup of another installation on an empty new installation needs only the file and the key: the restoring user signs in as before', async () => {
    const name = await bring(
      'bare',
      (db, userId) => sql`update users set email = ${admin.email} where id = ${userId}`.execute(db),
      { key: THEIR_KEY },
    );
    expect((await restore(name, { secretKey: THEIR_KEY.toString('base64') })).status).toBe(200);
    const { body: me } = await call('GET /auth/me');
    expect(me.data.user).toMatchObject({ name: 'Old Hand', role: 'admin' });
    expect(await call('POST /auth/login', admin, { email: admin.email, password: PASSWORD })).toMatchObject({
      status: 200,
    });
  });
});

type Bringing = { until?: number; key?: Buffer };

/** Copies a backup of another database into the folder, as an operator would, and returns its name. */
async function bring(
  stem: string,
  fill: (db: Db, userId: string) => Promise<unknown>,
  { until, key }: Bringing,
): Promise<string> {
  const name = `${stem}_${newId()}.sql.gz`;
  const path = join(server.dataDir, 'backups', name);
  await mkdir(join(server.dataDir, 'backups'), { recursive: true });
  await writeElsewhere(path, { until, key: key ?? TEST_KEY, fill });
  await listFolder();
  return name;
}

/** Lists files that an operator copied into the folder. */
async function listFolder(): Promise<void> {
  const instance = await anotherInstance(server);
  await instance.cleanUp();
  await instance.close();
}
