import { api } from '@forecourt/contract/api';
import { settingRoutes } from '@forecourt/contract/settings';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, newestAudit } from '../../../test/builders.ts';
import { silentEventBus } from '../../../test/silent-event-bus.ts';
import { createSettingsService } from './settings.service.ts';

const NEW = 'commission.newSales';
const MOVE = 'dataEntry.moveEditedToCurrentMonth';
const GST = 'statements.gstRate';
const NAMES = [NEW, 'commission.usedSales', 'commission.defaultSales', MOVE];
const COMPANY_RECORD = '00000000-0000-0000-0000-000000000000';

let admin: Person;
let clerk: Person;
const server = await testApp();
beforeEach(async () => {
  await server.db.deleteFrom('settings').execute();
  admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  clerk = await server.person({ name: 'Cleo Clerk' });
});
afterAll(() => server.close());

const as = (person: Person) => (route: string, body?: unknown) =>
  server.call(route, { token: person.token, ...(body !== undefined && { body }) });
const asAdmin = (route: string, body?: unknown) => as(admin)(route, body);
const of = (owner: string, name = NEW) => `/settings/user/${owner}/${name}`;
const read = async (owner: string, name = NEW) =>
  (await asAdmin(`GET /settings/user/${owner}`)).body.items.find(
    (setting: { settingName: string }) => setting.settingName === name,
  );
/** Counts the audit entries of the administrator of this test. */
const auditCount = async (): Promise<number> =>
  (await server.db.selectFrom('audit_entries').where('actor_id', '=', admin.id).select('id').execute())
    .length;

/** Every route, with parameters for a user. */
const calls = (userId: string): [string, object?][] =>
  Object.keys(settingRoutes).map((key) => {
    const route = key.replace(':category', 'commission').replace(':userId', userId).replace(':name', NEW);
    const hasBody = 'body' in api[key as keyof typeof settingRoutes];
    const body = key === 'POST /settings' ? { settingName: NEW, value: 5 } : { value: 5 };
    return hasBody ? [route, body] : [route];
  });

describe('bad input', () => {
  test.each([
    [NEW, true, 'Must be a number'],
    [NEW, -0.01, 'Must be a number from 0 to 100 with at most 2 decimals'],
    [NEW, 100.01, 'Must be a number from 0 to 100 with at most 2 decimals'],
    [NEW, 4.505, 'Must be a number from 0 to 100 with at most 2 decimals'],
    [NEW, 1e300, 'Must be a number from 0 to 100 with at most 2 decimals'],
    [MOVE, 1, 'Must be true or false'],
    [MOVE, null, 'Must be true or false'],
  ])('saving settings rejects for %s: %j', async (name, value, message) => {
    expect(await asAdmin(`PUT ${of(clerk.id, name)}`, { value })).toMatchObject({
      status: 400,
      body: { errors: { value: message } },
    });
  });

  test.each([
    ['value', { value: '5' }],
    ['value', {}],
    ['inherited', { value: 5, inherited: 'yes' }],
    ['value', { value: [5] }],
    ['surprise', { value: 5, surprise: 1 }],
    ['version', { value: 5, version: 0 }],
    ['dataType', { value: 5, dataType: 'boolean' }],
    ['category', { value: 5, category: 'dataEntry' }],
    ['description', { value: 5, description: 'Something else' }],
  ])('saving settings rejects %s in %j', async (field, body) => {
    for (const route of [`PUT ${of('company')}`, `PATCH ${of('company')}`, `PATCH /settings/${NEW}`])
      expect(await asAdmin(route, body)).toMatchObject({
        status: 400,
        body: { errors: { [field]: expect.any(String) } },
      });
    expect(await auditCount()).toBe(0);
  });

  test('saving settings rejects a setting with an unknown name', async () => {
    for (const settingName of ['commission.secret', '__proto__', 'constructor', ''])
      expect(await asAdmin('POST /settings', { settingName, value: 5 })).toMatchObject({
        status: 400,
        body: { errors: { settingName: 'There is no setting of this name' } },
      });
  });
});

describe('a user without administrator role', () => {
  test('a user without administrator role reads their own settings and the company’s', async () => {
    await asAdmin(`PUT ${of('company')}`, { value: 4 });
    await asAdmin(`PUT ${of(clerk.id)}`, { value: 6.25 });
    const own = (await as(clerk)('GET /settings')).body;
    expect(own.total).toBe(4);
    expect(own.items.map(({ settingName }: { settingName: string }) => settingName)).toEqual(NAMES);
    expect(own.items[0]).toEqual({
      settingName: NEW,
      value: 6.25,
      dataType: 'number',
      category: 'commission',
      description: expect.stringContaining('“new”'),
      userId: clerk.id,
      inherited: false,
      version: 1,
      updatedAt: expect.any(String),
    });
    expect((await as(clerk)(`GET /settings/user/${clerk.id}`)).body).toEqual(own);
    expect((await as(clerk)('GET /settings/user/company')).body.items[0]).toMatchObject({
      value: 4,
      userId: 'company',
    });
  });

  test('a user without administrator role changes nothing, including their own', async () => {
    await asAdmin(`PUT ${of(clerk.id)}`, { value: 6 });
    for (const owner of [clerk.id, 'company', admin.id, ABSENT_ID])
      for (const [route, body] of calls(owner).filter(([key]) => !key.startsWith('GET')))
        expect(await as(clerk)(route, body), route).toMatchObject({
          status: 403,
          body: { code: 'ADMIN_REQUIRED', message: "You don't have permission to modify settings" },
        });
    expect(await read(clerk.id)).toMatchObject({ value: 6, version: 1 });
    expect(await auditCount()).toBe(1);
  });

  test('a user without administrator role does not read another user’s, nor learn whether they exist', async () => {
    const responses = new Set<string>();
    for (const userId of [admin.id, ABSENT_ID])
      for (const tail of ['', '/category/commission']) {
        const { status, body } = await as(clerk)(`GET /settings/user/${userId}${tail}`);
        responses.add(JSON.stringify([status, { ...body, requestId: '' }]));
      }
    expect([...responses]).toEqual([
      expect.stringContaining('"Admin access required","code":"ADMIN_REQUIRED"'),
    ]);
  });
});

test('the API of settings returns 404 for an unknown setting, category, user or value', async () => {
  for (const [route, body] of [
    ['PUT /settings/commission.secret', { value: 5 }],
    ['PATCH /settings/__proto__', { value: 5 }],
    ['DELETE /settings/constructor'],
    ['GET /settings/category/secrets'],
    ['GET /settings/user/somebody'],
    [`GET /settings/user/${ABSENT_ID}`],
    [`PUT ${of(ABSENT_ID)}`, { value: 5 }],
    [`DELETE ${of(ABSENT_ID)}`],
    [`DELETE ${of(clerk.id)}`],
    [`DELETE /settings/${NEW}`],
  ] as const)
    expect(await asAdmin(route, body), route).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

describe('a value', () => {
  test('the value of a setting is the user’s own, else the company’s, else the default', async () => {
    expect(await read(clerk.id)).toMatchObject({ value: null, inherited: true, version: null });
    await asAdmin(`PUT ${of('company')}`, { value: 4 });
    expect(await read(clerk.id)).toMatchObject({ value: 4, inherited: true, version: null, updatedAt: null });
    const { status, body } = await asAdmin(`PUT ${of(clerk.id)}`, { value: 0 });
    expect([status, body]).toEqual([200, await read(clerk.id)]);
    expect(body).toMatchObject({ value: 0, inherited: false, version: 1 });
    expect((await asAdmin(`DELETE ${of(clerk.id)}`)).status).toBe(204);
    expect(await read(clerk.id)).toMatchObject({ value: 4, inherited: true });
    expect((await asAdmin(`DELETE ${of('company')}`)).status).toBe(204);
    expect(await read('company')).toMatchObject({ value: null, inherited: true });
  });

  test('the value of a setting is listed by its category', async () => {
    for (const path of ['/settings', `/settings/user/${clerk.id}`]) {
      const { items, total } = (await asAdmin(`GET ${path}/category/dataEntry`)).body;
      expect([items[0].settingName, total]).toEqual([MOVE, 1]);
    }
  });

  test('the value of a setting can be sent back unchanged: not set, inherited and own, of the company, a user and oneself', async () => {
    const sendBack = async () => {
      for (const [owner, path] of [
        ['company', '/settings/user/company'],
        [clerk.id, `/settings/user/${clerk.id}`],
        [admin.id, '/settings'],
      ] as const)
        for (const name of NAMES)
          for (const method of ['PUT', 'PATCH']) {
            const before = await read(owner, name);
            expect(await asAdmin(`${method} ${path}/${name}`, before)).toMatchObject({
              status: 200,
              body: before,
            });
            expect(await read(owner, name)).toEqual(before);
          }
    };
    await sendBack();
    expect(await auditCount()).toBe(0);
    await asAdmin(`PUT ${of('company')}`, { value: 4 });
    await asAdmin(`PUT ${of(clerk.id, MOVE)}`, { value: true });
    await sendBack();
    expect(await auditCount()).toBe(2);
  });

  test('a saved value, also one equal to the company’s, becomes the user’s own; null never does', async () => {
    await asAdmin(`PUT ${of('company')}`, { value: 4 });
    const inherited = await read(clerk.id);
    expect((await asAdmin(`PUT ${of(clerk.id)}`, { ...inherited, value: 6 })).body).toMatchObject({
      value: 6,
      inherited: false,
    });
    for (const body of [{ value: null }, { ...inherited, value: null, version: 1 }])
      expect(await asAdmin(`PUT ${of(clerk.id)}`, body)).toMatchObject({
        status: 400,
        body: { errors: { value: 'Must be a number' } },
      });
    expect((await asAdmin(`PUT ${of(admin.id)}`, { value: 4 })).body).toMatchObject({
      value: 4,
      inherited: false,
    });
    expect(await asAdmin('POST /settings', { settingName: NAMES[1], value: null })).toMatchObject({
      status: 400,
      body: { errors: { value: 'Must be a number' } },
    });
  });

  test('the value of a setting is not overwritten or deleted by an outdated request', async () => {
    await asAdmin(`PUT ${of(clerk.id)}`, { value: 4, version: null });
    await asAdmin(`PUT ${of(clerk.id)}`, { value: 5, version: 1 });
    const stale = { status: 409, body: { code: 'CONFLICT', current: { value: 5, version: 2 } } };
    for (const version of [null, 1])
      expect(await asAdmin(`PUT ${of(clerk.id)}`, { value: 6, version })).toMatchObject(stale);
    expect(await asAdmin(`DELETE ${of(clerk.id)}?version=1`)).toMatchObject(stale);
    expect((await asAdmin(`PUT ${of(clerk.id)}`, { value: 6 })).body).toMatchObject({ value: 6, version: 3 });
    expect((await asAdmin(`DELETE ${of(clerk.id)}?version=3`)).status).toBe(204);
    expect(await asAdmin(`DELETE ${of(clerk.id)}?version=3`)).toMatchObject({
      status: 409,
      body: { current: { inherited: true, version: null } },
    });
  });

  test('the value of a setting is set once by two concurrent requests without a version, and the other gets a conflict', async () => {
    const replies = await Promise.all(
      [1, 2, 3, 4].map((value) => asAdmin(`PUT ${of('company')}`, { value, version: null })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  test('the value of a setting is created once', async () => {
    const create = () => asAdmin('POST /settings', { settingName: NEW, value: 12.5, dataType: 'number' });
    expect(await create()).toMatchObject({
      status: 201,
      body: { settingName: NEW, value: 12.5, userId: admin.id, inherited: false },
    });
    expect(await create()).toMatchObject({
      status: 409,
      body: { message: 'You have this setting already', current: { value: 12.5 } },
    });
    expect((await asAdmin(`DELETE /settings/${NEW}`)).status).toBe(204);
    expect((await create()).status).toBe(201);
  });
});

test('the GST of statements belongs to the company: a person does not have it and cannot set it', async () => {
  const refused = { status: 400, body: { errors: { userId: 'This setting belongs to the company' } } };
  for (const method of ['PUT', 'PATCH'])
    expect(await asAdmin(`${method} ${of(clerk.id, GST)}`, { value: 15 })).toMatchObject(refused);
  expect(await asAdmin(`PUT /settings/${GST}`, { value: 15 })).toMatchObject(refused);
  expect(await asAdmin('POST /settings', { settingName: GST, value: 15 })).toMatchObject(refused);
  expect(await asAdmin(`DELETE ${of(clerk.id, GST)}`)).toMatchObject(refused);
  expect(await asAdmin(`PUT ${of('company', GST)}`, { value: 15 })).toMatchObject({ status: 200 });
  expect(await read('company', GST)).toMatchObject({ value: 15, inherited: false });
  expect(await read(clerk.id, GST)).toBeUndefined();
  expect((await as(clerk)('GET /settings/category/statements')).body).toEqual({ items: [], total: 0 });
  const ofCompany = await as(clerk)('GET /settings/user/company/category/statements');
  expect(ofCompany.body.items).toMatchObject([{ settingName: GST, value: 15 }]);
  expect(await createSettingsService({ eventBus: silentEventBus }).gstRate(server)).toBe(15);
});

test('initialising adds missing values of the company, changes no value and sets no rate', async () => {
  await asAdmin(`PUT ${of('company')}`, { value: 7.5 });
  const { status, body } = await asAdmin('POST /settings/initialize');
  expect(status).toBe(200);
  expect(
    body.items.map(({ value, version, inherited }: Record<string, unknown>) => [value, version, inherited]),
  ).toEqual([
    [7.5, 1, false],
    [null, null, true],
    [null, null, true],
    [false, 1, false],
    [10, 1, false],
  ]);
  expect(await auditCount()).toBe(3);
  expect((await asAdmin('POST /settings/initialize')).body).toEqual(body);
  expect(await auditCount()).toBe(3);
});

test('every write is audited, with values before and after', async () => {
  await asAdmin(`PUT ${of(clerk.id)}`, { value: 4 });
  expect(await newestAudit(server, clerk.id)).toMatchObject({
    action: 'setting.created',
    entity: 'setting',
    actor_id: admin.id,
    version: 1,
    before: null,
    after: { [NEW]: 4 },
  });
  await asAdmin(`PATCH ${of(clerk.id)}`, { value: 5.5 });
  expect(await newestAudit(server, clerk.id)).toMatchObject({
    action: 'setting.updated',
    version: 2,
    before: { [NEW]: 4 },
    after: { [NEW]: 5.5 },
  });
  await asAdmin(`DELETE ${of(clerk.id)}`);
  expect(await newestAudit(server, clerk.id)).toMatchObject({
    action: 'setting.deleted',
    before: { [NEW]: 5.5 },
    after: null,
  });
  await asAdmin(`PUT ${of('company', MOVE)}`, { value: true });
  expect(await newestAudit(server, COMPANY_RECORD)).toMatchObject({
    action: 'setting.created',
    after: { [MOVE]: true },
  });
});

describe('for other features', () => {
  const settings = createSettingsService({ eventBus: silentEventBus });

  test.each([0.01, 0.07, 1.1, 8.05, 33.33, 99.99, 100])(
    'a rate of %d percent is read as that number, exactly',
    async (value) => {
      await asAdmin(`PUT ${of('company')}`, { value });
      const rate = await settings.valueFor(server, clerk.id, NEW);
      const { rows } = await sql<{ same: boolean }>`
      select ${String(rate)}::numeric = value::numeric as same from settings`.execute(server.db);
      expect([rate, rows]).toEqual([value, [{ same: true }]]);
    },
  );

  test('a user’s own setting takes precedence over the company’s', async () => {
    await asAdmin(`PUT ${of('company', MOVE)}`, { value: true });
    expect(await settings.valueFor(server, clerk.id, MOVE)).toBe(true);
    await asAdmin(`PUT ${of(clerk.id, MOVE)}`, { value: false });
    expect(await settings.valueFor(server, clerk.id, MOVE)).toBe(false);
    expect(await settings.valueFor(server, admin.id, MOVE)).toBe(true);
    expect(await settings.valueFor(server, admin.id, NEW)).toBeNull();
  });

  test('events about settings of a user are delivered to them and administrators, those of the company to all', () => {
    const viewer = (role: 'admin' | 'user', userId: string) =>
      ({ role, userId }) as Parameters<typeof settings.visibleIds>[0];
    const ids = [clerk.id, admin.id, COMPANY_RECORD];
    expect([...settings.visibleIds(viewer('user', clerk.id), ids)]).toEqual([clerk.id, COMPANY_RECORD]);
    expect([...settings.visibleIds(viewer('admin', admin.id), ids)]).toEqual(ids);
  });
});
