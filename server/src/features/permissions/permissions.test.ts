import { api } from '@forecourt/contract/api';
import { defaultRecord, permissionDefaults } from '@forecourt/contract/permission-defaults';
import { flagNeeds, type FlagKey } from '@forecourt/contract/permission-needs';
import type { PermissionRecord } from '@forecourt/contract/permissions';
import type { RouteContract } from '@forecourt/contract/route';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { blockWrites } from '../../../test/block-inserts.ts';
import { ABSENT_ID, addDealership, newestAudit } from '../../../test/builders.ts';
import { addImage, DOT } from '../../../test/images.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import { auditValues } from '../../platform/audit.ts';
import { newId } from '../../platform/ids.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
afterAll(() => server.close());

const path = (person: { id: string }) => `/permissions/user/${person.id}`;
/** Reads as another administrator each time: reads are rate-limited. */
const read = async (person: { id: string }) =>
  (await server.call(`GET ${path(person)}`, { token: (await server.person({ role: 'admin' })).token })).body;
const save = (person: { id: string }, body: object, token = admin.token) =>
  server.call(`PUT ${path(person)}`, { token, body });
/** A user without a stored record. */
async function newcomer(): Promise<Person> {
  const person = await server.person();
  await server.db.deleteFrom('permission_records').where('user_id', '=', person.id).execute();
  return person;
}

describe('reading permissions', () => {
  test('reading permissions requires a session, and an administrator for others, whether they exist or not', async () => {
    const [kim, other] = [await server.person(), await server.person()];
    expect((await server.call(`GET ${path(kim)}`)).status).toBe(401);
    const nobody = { id: ABSENT_ID };
    for (const target of [other, admin, nobody])
      expect(await server.call(`GET ${path(target)}`, { token: kim.token })).toMatchObject({
        status: 403,
        body: { code: 'ADMIN_REQUIRED' },
      });
    expect((await server.call(`GET ${path(nobody)}`, { token: admin.token })).status).toBe(404);
    expect((await server.call('GET /permissions', { token: kim.token })).status).toBe(403);
  });

  test('reading permissions returns the default permissions without a stored record', async () => {
    const person = await newcomer();
    const { body } = await server.call(`GET ${path(person)}`, { token: person.token });
    const nothing = { owned: [], canView: [], canEdit: [] };
    expect(body).toEqual({
      ...defaultRecord,
      userId: person.id,
      role: 'user',
      resources: {
        dealerships: nothing,
        emailTemplates: nothing,
        itemConfigurations: nothing,
        statusConfigurations: nothing,
      },
      version: 1,
    });
    expect(body).toMatchObject({
      maxSessions: 1,
      sessionTimeout: 60,
      features: { export: true, viewReports: true, bulkEdit: false },
      dataEntry: { canAccessAllMonths: true, canAddRows: false },
      pages: { dataEntry: true, dealerships: false },
    });
  });

  test('reading permissions is limited to 5 a minute for each caller and user, across all instances', async () => {
    const [kim, ada] = [await server.person(), await server.person({ role: 'admin' })];
    const fetch = (token: string) => server.call(`GET ${path(kim)}`, { token });
    const own = await Promise.all(Array.from({ length: 8 }, () => fetch(kim.token)));
    const [refused, ...others] = own.filter(({ status }) => status === 429);
    expect(own.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(others).toHaveLength(2);
    expect(refused!.body.message).toBe('Too many permission requests, please wait');
    expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(50);
    // Another caller has a separate limit.
    expect((await fetch(ada.token)).status).toBe(200);
    await server.db
      .updateTable('rate_limit_events')
      .set({ created_at: new Date(Date.now() - 61_000) })
      .execute();
    expect((await fetch(kim.token)).status).toBe(200);
  });

  test('reading permissions lists owned and shared records', async () => {
    const kim = await server.person();
    const [own, viewed, edited] = [
      await addDealership(server, admin),
      await addDealership(server, admin),
      await addDealership(server, admin),
    ];
    await server.db.updateTable('dealerships').set({ owner_id: kim.id }).where('id', '=', own).execute();
    const share = { entity: 'dealership', user_id: kim.id, shared_by: admin.id };
    await server.db
      .insertInto('shares')
      .values([
        { ...share, record_id: viewed, level: 'view' },
        { ...share, record_id: edited, level: 'edit' },
      ])
      .execute();
    const { items } = (await server.call('GET /permissions', { token: admin.token })).body;
    const record = items.find(({ userId }: { userId: string }) => userId === kim.id);
    expect(record.resources.dealerships).toEqual({
      owned: [own],
      canView: [viewed, edited].sort(),
      canEdit: [edited],
    });
  });

  test('reading permissions lists items in the same way', async () => {
    const kim = await server.person({ permissions: { features: { manageItems: true } } });
    const add = async (by: Person) =>
      (
        await server.call('POST /item-configurations', {
          token: by.token,
          body: { name: `Item of ${by.id}` },
        })
      ).body._id;
    const [own, edited] = [await add(kim), await add(admin)];
    await server.call(`PUT /item-configurations/${edited}/sharing`, {
      token: admin.token,
      body: { sharedWith: [{ userId: kim.id, permissions: 'write' }] },
    });
    expect((await read(kim)).resources.itemConfigurations).toEqual({
      owned: [own],
      canView: [edited],
      canEdit: [edited],
    });
  });

  test('reading permissions does not reveal restricted ids to the user', async () => {
    const kim = await server.person();
    const dealership = await addDealership(server, admin);
    await save(kim, { dataEntry: { columnVisibility: { restrictedDealerships: [dealership] } } });
    expect((await read(kim)).dataEntry.columnVisibility.restrictedDealerships).toEqual([dealership]);
    const own = await server.call(`GET ${path(kim)}`, { token: kim.token });
    expect(own.body.dataEntry.columnVisibility.restrictedDealerships).toEqual([]);
  });
});

describe('changing permissions', () => {
  test.each([
    ['a flag that is none', { features: { everything: true } }, 'features.everything'],
    ['a group that is none', { root: true }, 'root'],
    ['a word for true', { dataEntry: { canAddRows: 'true' } }, 'dataEntry.canAddRows'],
    ['another person', { userId: ABSENT_ID }, 'userId'],
    ['a role', { role: 'admin' }, 'role'],
    ['ownership', { resources: { dealerships: { owned: [ABSENT_ID] } } }, 'resources.dealerships.owned'],
    [
      'visibility of a status without a permission for it',
      { resources: { statusConfigurations: { canView: ['01930000-0000-7000-8000-000000000003'] } } },
      'resources.statusConfigurations.canView',
    ],
    [
      'the permission to change an unknown status',
      { resources: { statusConfigurations: { canEdit: [ABSENT_ID] } } },
      'resources.statusConfigurations.canEdit',
    ],
    ['no session at all', { maxSessions: 0 }, 'maxSessions'],
    ['endless sessions', { sessionTimeout: 721 }, 'sessionTimeout'],
    [
      'an unknown dealership',
      {
        dataEntry: {
          columnVisibility: { restrictedDealerships: [ABSENT_ID] },
        },
      },
      'dataEntry.columnVisibility.restrictedDealerships',
    ],
    [
      'an unknown status',
      { dataEntry: { columnVisibility: { restrictedStatuses: ['Nearly'] } } },
      'dataEntry.columnVisibility.restrictedStatuses',
    ],
    [
      'an end before the beginning',
      { dataEntry: { columnVisibility: { dateRangeStart: '2026-02-01', dateRangeEnd: '2026-01-01' } } },
      'dataEntry.columnVisibility.dateRangeEnd',
    ],
  ])('changing permissions rejects %s and changes nothing', async (_what, body, field) => {
    const kim = await server.person();
    const before = await read(kim);
    const reply = await save(kim, body);
    expect(reply).toMatchObject({ status: 400 });
    expect(Object.keys(reply.body.errors)).toContain(field);
    expect(await read(kim)).toEqual(before);
  });

  test('changing permissions is for administrators, also of one’s own', async () => {
    const kim = await server.person();
    const before = await read(kim);
    const reply = await save(kim, { features: { bulkEdit: true } }, kim.token);
    expect(reply).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } });
    expect(await read(kim)).toEqual(before);
  });

  test('changing permissions preserves other flags, is audited as a difference, and is effective at the next request', async () => {
    const kim = await server.person({ permissions: { pages: { dataEntry: false } } });
    expect((await server.call('GET /deals', { token: kim.token })).status).toBe(403);
    const before = await read(kim);
    const reply = await save(kim, { pages: { dataEntry: true }, version: before.version });
    expect(reply).toMatchObject({
      status: 200,
      body: { ...before, pages: { ...before.pages, dataEntry: true }, version: before.version + 1 },
    });
    expect((await server.call('GET /deals', { token: kim.token })).status).toBe(200);
    expect(await newestAudit(server, kim.id)).toMatchObject({
      action: 'permissions.updated',
      actor_id: admin.id,
      before: { 'pages.dataEntry': false },
      after: { 'pages.dataEntry': true },
    });
  });

  test('changing permissions of a record stored before a restriction existed has its default and keeps it', async () => {
    const kim = await newcomer();
    await save(kim, { features: { bulkEdit: true } });
    await sql`update permission_records
      set record = record #- '{dataEntry,columnVisibility,restrictedToOwn}' where user_id = ${kim.id}`.execute(
      server.db,
    );
    expect((await read(kim)).dataEntry.columnVisibility.restrictedToOwn).toBe(false);
    const { body } = await save(kim, { pages: { dataEntry: false } });
    expect(body.dataEntry.columnVisibility.restrictedToOwn).toBe(false);
    expect(body.features.bulkEdit).toBe(true);
  });

  test('changing permissions to the response of a GET changes nothing and writes no entry', async () => {
    const kim = await newcomer();
    const record = await read(kim);
    expect(await save(kim, record)).toMatchObject({ status: 200, body: record });
    expect(await newestAudit(server, kim.id)).toBeUndefined();
  });

  test('changing permissions from an older version returns 409 with the current record', async () => {
    const kim = await newcomer();
    expect((await save(kim, { maxSessions: 2, version: 1 })).body.version).toBe(2);
    const reply = await save(kim, { maxSessions: 3, version: 1 });
    expect(reply).toMatchObject({ status: 409, body: { current: { maxSessions: 2, version: 2 } } });
  });

  test('changing permissions returns 409 for an older response of GET, whose lists were different', async () => {
    const kim = await newcomer();
    const older = await read(kim);
    const { body } = await save(kim, { statusConfiguration: { viewStatuses: true } });
    expect(body.resources).not.toEqual(older.resources);
    expect(await save(kim, older)).toMatchObject({ status: 409, body: { current: body } });
  });

  test('changing permissions compares the version also when two save at the same moment', async () => {
    const kim = await newcomer();
    await save(kim, { maxSessions: 2, version: 1 });
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`.execute(
        server.db,
      );
    const event = sql`update on permission_records for each row`;
    const both = await blockWrites(server.db, 'hold_permissions', event, async (untilBlocked) => {
      const first = save(kim, { maxSessions: 3, version: 2 });
      await untilBlocked();
      const second = save(kim, { maxSessions: 4, version: 2 });
      await expect.poll(async () => (await waiting()).rows.length).toBe(1);
      return { first, second };
    });
    expect((await both.first).status).toBe(200);
    expect(await both.second).toMatchObject({
      status: 409,
      body: { current: { maxSessions: 3, version: 3 } },
    });
  });

  test('changing permissions accepts a status by name and stores its id', async () => {
    const kim = await server.person();
    const reply = await save(kim, { dataEntry: { columnVisibility: { restrictedStatuses: ['no DEAL'] } } });
    expect(reply.body.dataEntry.columnVisibility.restrictedStatuses).toEqual([
      '01930000-0000-7000-8000-000000000004',
    ]);
  });

  test('changing permissions lists no dealership restricted for its user, in the response and in the live event', async () => {
    const kim = await server.person();
    const [own, shared] = [await addDealership(server, admin), await addDealership(server, admin)];
    await server.db.updateTable('dealerships').set({ owner_id: kim.id }).where('id', '=', own).execute();
    await server.db
      .insertInto('shares')
      .values({
        entity: 'dealership',
        record_id: shared,
        user_id: kim.id,
        shared_by: admin.id,
        level: 'edit',
      })
      .execute();
    const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { reader, stop } = await openLiveStream(url, kim.token);
    await readUntil(reader, (output) => output.includes(shared));
    const restrictedDealerships = [own, shared];
    await save(kim, { dataEntry: { columnVisibility: { restrictedDealerships } } });
    const none = { owned: [], canView: [], canEdit: [] };
    const { body } = await server.call(`GET ${path(kim)}`, { token: kim.token });
    expect(body.resources.dealerships).toEqual(none);
    // The event of the shares above may still arrive.
    const changed = /^event: permissions\ndata: (.*"version":2\}.*)\n\n/m;
    const output = await readUntil(reader, (text) => changed.test(text));
    stop();
    const event = JSON.parse(changed.exec(output)![1]!);
    expect(event.resources.dealerships).toEqual(none);
    expect((await read(kim)).resources.dealerships).toEqual({ ...none, owned: [own] });
    await server.call(`PUT /users/${kim.id}`, { token: admin.token, body: { role: 'admin' } });
    expect((await read(kim)).resources.dealerships.canEdit).toEqual([shared]);
  });

  test('changing permissions grants single statuses, which are listed among the resources until they are revoked', async () => {
    const kim = await server.person({ permissions: { statusConfiguration: { viewStatuses: true } } });
    const canEdit = ['01930000-0000-7000-8000-000000000003', '01930000-0000-7000-8000-000000000004'];
    const { body } = await save(kim, { resources: { statusConfigurations: { canEdit } } });
    expect(body.resources.statusConfigurations).toMatchObject({ owned: [], canEdit });
    expect(body.resources.statusConfigurations.canView).toHaveLength(6);
    expect(body).not.toHaveProperty('editableStatuses');
    expect(await newestAudit(server, kim.id)).toMatchObject({
      before: { editableStatuses: [] },
      after: { editableStatuses: canEdit },
    });
    expect((await save(kim, body)).body).toEqual(body);
    await save(kim, { features: { bulkEdit: true } });
    expect((await read(kim)).resources.statusConfigurations.canEdit).toEqual(canEdit);
    const none = await save(kim, { resources: { statusConfigurations: { canEdit: [] } } });
    expect(none.body.resources.statusConfigurations.canEdit).toEqual([]);
    expect((await save(kim, { editableStatuses: canEdit })).status).toBe(400);
  });

  test('changing permissions does not show a user a restricted status, granted or not', async () => {
    const kim = await server.person({ permissions: { statusConfiguration: { viewStatuses: true } } });
    const hidden = '01930000-0000-7000-8000-000000000004';
    await save(kim, {
      dataEntry: { columnVisibility: { restrictedStatuses: [hidden] } },
      resources: { statusConfigurations: { canEdit: [hidden] } },
    });
    const { body } = await server.call(`GET ${path(kim)}`, { token: kim.token });
    expect(body.resources.statusConfigurations.canEdit).toEqual([]);
    expect(body.resources.statusConfigurations.canView).toHaveLength(5);
    expect((await read(kim)).resources.statusConfigurations.canEdit).toEqual([hidden]);
  });

  test('changing permissions to fewer sessions ends the oldest at once', async () => {
    const kim = await server.person();
    const login = () =>
      server.call('POST /auth/login', { body: { email: kim.email, password: 'correct horse battery' } });
    const newest = (await login()).body.token;
    await save(kim, { maxSessions: 1 });
    expect((await server.call('GET /auth/me', { token: kim.token })).status).toBe(401);
    expect((await server.call('GET /auth/me', { token: newest })).status).toBe(200);
  });
});

/** Returns the groups of a record with all flags of these off, these on. */
const onlyOn = (...on: FlagKey[]): Pick<PermissionRecord, keyof typeof permissionDefaults> =>
  Object.fromEntries(
    Object.entries(permissionDefaults).map(([group, flags]) => [
      group,
      Object.fromEntries(
        Object.keys(flags).map((flag) => [flag, on.includes(`${group}.${flag}` as FlagKey)]),
      ),
    ]),
  ) as unknown as PermissionRecord;
/** Returns a change of one flag. */
const turn = (key: FlagKey, on: boolean): object => {
  const [group, flag] = key.split('.') as [string, string];
  return { [group]: { [flag]: on } };
};

describe('a flag that has no effect without another', () => {
  test.each(Object.entries(flagNeeds) as [FlagKey, FlagKey[][]][])(
    '%s is rejected without each of its requirements, accepted with them, and preserved when they are removed',
    async (flag, needs) => {
      const met = needs.map(([first]) => first!);
      for (const [index, any] of needs.entries()) {
        const kim = await server.person({ permissions: onlyOn(...met.toSpliced(index, 1)) });
        const before = await read(kim);
        expect(await save(kim, turn(flag, true))).toMatchObject({
          status: 400,
          body: { errors: { [flag]: `Has no effect without ${any.join(' or ')}` } },
        });
        expect(await read(kim)).toEqual(before);
        for (const need of any) {
          const lee = await server.person({ permissions: onlyOn(...met.with(index, need)) });
          expect((await save(lee, turn(flag, true))).status).toBe(200);
        }
      }
      const kim = await server.person({ permissions: onlyOn() });
      expect((await save(kim, onlyOn(flag, ...met))).status).toBe(200);
      const cleared = await save(kim, onlyOn(flag));
      expect(cleared).toMatchObject({ status: 200, body: turn(flag, true) });
      expect(await save(kim, cleared.body)).toMatchObject({ status: 200, body: cleared.body });
    },
  );

  test('the list of required flags contains flags only, none that requires itself, and the defaults meet their requirements', async () => {
    const flags = Object.entries(permissionDefaults).flatMap(([group, each]) =>
      Object.keys(each).map((flag) => `${group}.${flag}`),
    );
    for (const [flag, needs] of Object.entries(flagNeeds)) {
      expect(flags).toEqual(expect.arrayContaining([flag, ...needs.flat()]));
      expect(needs.flat()).not.toContain(flag);
    }
    const kim = await server.person({ permissions: onlyOn() });
    expect((await save(kim, permissionDefaults)).status).toBe(200);
  });
});

describe('impersonation', () => {
  const begin = (person: { id: string }, token = admin.token) =>
    server.call(`POST ${path(person)}/view-as`, { token });
  const asViewed = (route: string, viewAs: string, token = admin.token, body?: object) =>
    server.call(route, { token, body, headers: { 'x-view-as': viewAs } });

  test('impersonation is for administrators, and rejects oneself and unknown users', async () => {
    const kim = await server.person();
    expect((await begin(kim, kim.token)).status).toBe(403);
    expect((await begin(admin)).status).toBe(400);
    expect((await begin({ id: ABSENT_ID })).status).toBe(404);
  });

  test('impersonation shows what that user sees, is audited, and is read-only', async () => {
    const kim = await server.person({ name: 'Kim Novak', permissions: { pages: { dataEntry: false } } });
    const { viewAs } = (await begin(kim)).body;
    const me = await asViewed('GET /auth/me', viewAs);
    expect(me.body.data.user).toMatchObject({ userId: kim.id, role: 'user' });
    expect((await asViewed('GET /deals', viewAs)).status).toBe(403);
    expect((await asViewed('GET /permissions', viewAs)).status).toBe(403);
    for (const route of ['POST /auth/logout', `PUT ${path(kim)}`, 'POST /deals'])
      expect(await asViewed(route, viewAs, admin.token, {})).toMatchObject({
        status: 403,
        body: { code: 'VIEW_ONLY' },
      });
    expect((await server.call('GET /auth/me', { token: admin.token })).body.data.user.userId).toBe(admin.id);
    expect(await newestAudit(server, kim.id)).toMatchObject({ action: 'user.viewed', actor_id: admin.id });
  });

  test('impersonation returns 403 to every download, and to no image that a screen shows', async () => {
    const kim = await server.person({ role: 'admin' });
    const { viewAs } = (await begin(kim)).body;
    const image = (await addImage(server, admin, DOT)).body;
    expect((await asViewed(`GET /email-templates/images/${image._id}`, viewAs)).body.code).not.toBe(
      'VIEW_ONLY',
    );
    const downloads = Object.entries(api as Record<string, RouteContract>).filter(
      ([key, { download }]) =>
        download && !['GET /email-templates/images/:id', 'GET /downloads/:ticket'].includes(key),
    );
    expect(downloads.length).toBeGreaterThan(2);
    for (const [route] of downloads) {
      const reply = await asViewed(route.replaceAll(/:\w+/g, newId()), viewAs);
      expect(reply).toMatchObject({ status: 403, body: { code: 'VIEW_ONLY' } });
      expect(reply.body.message).toContain('Nothing can be downloaded');
    }
  });

  test('impersonation audits the administrator as actor, and names the impersonated user', () => {
    const viewer = { userId: 'kim', name: 'Kim', viewedBy: { userId: 'ada', name: 'Ada' } };
    const origin = { requestId: '1', ip: '::1', userAgent: '' };
    const entry = auditValues(
      { viewer, origin },
      { action: 'export.downloaded', entity: 'export', after: { name: 'x' } },
    );
    expect(entry).toMatchObject({ actor_id: 'ada', actor_name: 'Ada' });
    expect(JSON.parse(entry.after!)).toEqual({ name: 'x', viewedAs: 'Kim' });
  });

  test('impersonation counts reads of permissions for the administrator', async () => {
    const kim = await server.person();
    const { viewAs } = (await begin(kim)).body;
    for (let fetches = 0; fetches < 5; fetches += 1) await asViewed(`GET ${path(kim)}`, viewAs);
    expect((await asViewed(`GET ${path(kim)}`, viewAs)).status).toBe(429);
    expect((await server.call(`GET ${path(kim)}`, { token: kim.token })).status).toBe(200);
  });

  test('impersonation allows nothing closed to the administrator: their required steps come first', async () => {
    const [ada, other] = [await server.person({ role: 'admin' }), await server.person({ role: 'admin' })];
    const { viewAs } = (await begin(other, ada.token)).body;
    await server.call(`PUT /users/${ada.id}/two-step`, { token: admin.token, body: { required: true } });
    expect(await asViewed('GET /users', viewAs, ada.token)).toMatchObject({
      status: 403,
      body: { code: 'TWO_STEP_SETUP_REQUIRED' },
    });
  });

  test('impersonation works in the administrator’s own session only, and while both accounts allow it', async () => {
    const [kim, ada] = [await server.person(), await server.person({ role: 'admin' })];
    const { viewAs } = (await begin(kim, ada.token)).body;
    for (const token of [admin.token, kim.token])
      expect(await asViewed('GET /auth/me', viewAs, token)).toMatchObject({
        status: 403,
        body: { code: 'VIEW_ENDED' },
      });
    expect((await asViewed('GET /auth/me', 'nonsense')).body.code).toBe('VIEW_ENDED');
    expect((await asViewed('GET /auth/me', viewAs, ada.token)).status).toBe(200);
  });
});
