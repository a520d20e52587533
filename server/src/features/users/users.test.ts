import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, auditedActions, login, newestAudit } from '../../../test/builders.ts';

const NEW_PASSWORD = 'another long password';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
afterAll(() => server.close());

const call = (route: string, body?: unknown, token: string | undefined = admin.token) =>
  server.call(route, { token, ...(body !== undefined && { body }) });
const me = async (token: string) => (await call('GET /auth/me', undefined, token)).status;
const secondSession = async (person: Person): Promise<string> =>
  (await login(server, person.email)).body.token;
const audits = (id: string) => auditedActions(server, id);
let made = 0;
const person = (changes: object = {}) => {
  made += 1;
  return { name: 'Nia New', email: `nia-${made}@example.com`, ...changes };
};

const forAdministrators = [
  ['GET /users'],
  [`GET /users/${ABSENT_ID}`],
  ['POST /users', person()],
  [`PUT /users/${ABSENT_ID}`, { role: 'user' }],
  [`POST /users/${ABSENT_ID}/reset-password`],
  [`POST /users/${ABSENT_ID}/invitation`],
  [`GET /users/${ABSENT_ID}/sessions`],
  [`DELETE /users/${ABSENT_ID}/sessions`],
  [`DELETE /users/${ABSENT_ID}/sessions/${ABSENT_ID}`],
  [`PUT /users/${ABSENT_ID}/two-step`, { required: true }],
  [`DELETE /users/${ABSENT_ID}/two-step`],
  [`GET /users/${ABSENT_ID}/belongings`],
  [`POST /users/${ABSENT_ID}/transfer`, { targetUserId: ABSENT_ID }],
] as const;

describe('every user route', () => {
  test.each(forAdministrators)('the route %s is for administrators', async (route, body?: object) => {
    expect(await call(route, body, clerk.token)).toMatchObject({
      status: 403,
      body: { code: 'ADMIN_REQUIRED', message: 'Admin access required' },
    });
  });
});

describe('the list', () => {
  test('the list of users returns the listed fields and no hash', async () => {
    const { body } = await call('GET /users');
    expect(body.total).toBe(body.items.length);
    const found = body.items.find(({ _id }: { _id: string }) => _id === clerk.id);
    expect(found).toEqual({
      _id: clerk.id,
      userId: clerk.id,
      name: 'Cleo Clerk',
      email: clerk.email,
      role: 'user',
      isActive: true,
      forcePasswordChange: false,
      lastLogin: null,
      sessions: 1,
      twoStep: { on: false, required: false },
      invitedUntil: null,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await call(`GET /users/${clerk.id}`)).body).toEqual(found);
  });

  test('the list of users is ordered by name, ignoring case', async () => {
    for (const name of ['Émile Zed', 'emma abel', 'Zoe Last']) await server.person({ name });
    const names = (await call('GET /users')).body.items.map(({ name }: { name: string }) => name);
    expect(names.indexOf('Émile Zed')).toBeLessThan(names.indexOf('emma abel'));
    expect(names.at(-1)).toBe('Zoe Last');
  });
});

describe('the directory', () => {
  test('the directory of users contains name and address of active users only', async () => {
    const left = await server.person({ name: 'Lee Left' });
    await call(`PUT /users/${left.id}`, { isActive: false });
    const { body } = await call('GET /users/directory', undefined, clerk.token);
    expect(body.items).toContainEqual({ _id: admin.id, name: 'Ada Admin', email: admin.email });
    expect(body.items.map(({ _id }: { _id: string }) => _id)).not.toContain(left.id);
  });
});

describe('adding a user', () => {
  test.each([
    [{ name: ' ' }, { name: 'Name is required' }],
    [{ name: 'a\nb' }, { name: 'Must be one line of plain text' }],
    [{ email: 'nia@' }, { email: 'Must be an email address' }],
    [{ role: 'owner' }, { role: expect.any(String) }],
    [{ firstSignIn: 'none' }, { firstSignIn: expect.any(String) }],
    [{ password: 'chosen for her' }, { password: 'Unknown field' }],
    [{ isActive: false }, { isActive: 'Unknown field' }],
    [{ __proto__: undefined, constructor: {} }, { constructor: 'Unknown field' }],
  ])('adding a user rejects %j', async (changes, errors) => {
    const before = (await call('GET /users')).body.total;
    expect(await call('POST /users', person(changes))).toMatchObject({ status: 400, body: { errors } });
    expect((await call('GET /users')).body.total).toBe(before);
  });

  test('adding a user rejects an existing address in any case', async () => {
    expect(await call('POST /users', person({ email: clerk.email.toUpperCase() }))).toMatchObject({
      status: 400,
      body: { errors: { email: 'There is already a person with this email' } },
    });
  });

  test('adding a user creates one of two with the same address concurrently', async () => {
    const twin = person();
    const replies = await Promise.all([call('POST /users', twin), call('POST /users', twin)]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 400]));
  });

  test('adding a user with a temporary password that only allows choosing another one', async () => {
    const nia = person();
    const { status, body } = await call('POST /users', nia);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...nia,
      role: 'user',
      isActive: true,
      forcePasswordChange: true,
      version: 1,
    });
    const { temporaryPassword } = body.entry;
    const signedIn = await login(server, nia.email, temporaryPassword);
    expect(signedIn.status).toBe(200);
    const { token } = signedIn.body;
    expect(await call('GET /deals', undefined, token)).toMatchObject({
      status: 403,
      body: { requiresPasswordChange: true },
    });
    const changed = await call(
      'POST /auth/change-password',
      { currentPassword: temporaryPassword, newPassword: NEW_PASSWORD },
      token,
    );
    expect((await call('GET /deals', undefined, changed.body.token)).status).toBe(200);
    const entries = await server.db.selectFrom('audit_entries').selectAll().execute();
    expect(JSON.stringify(entries)).not.toContain(temporaryPassword);
    expect(await audits(body._id)).toContain('user.created');
  });

  test('adding a user with an invitation, without sign-in before the link was used', async () => {
    const nia = person({ firstSignIn: 'invitation', role: 'admin' });
    const { body } = await call('POST /users', nia);
    expect(body).toMatchObject({
      role: 'admin',
      invitedUntil: body.entry.expiresAt,
      forcePasswordChange: false,
    });
    expect(body.entry).not.toHaveProperty('temporaryPassword');
    expect((await login(server, nia.email, '')).status).toBe(401);
    const key = body.entry.invitationPath.split(/[=#]/).at(-1);
    expect(
      (await server.call('POST /auth/reset-password', { body: { key, newPassword: NEW_PASSWORD } })).status,
    ).toBe(204);
    expect((await login(server, nia.email, NEW_PASSWORD)).status).toBe(200);
    expect((await call(`GET /users/${body._id}`)).body.invitedUntil).toBeNull();
    expect(await newestAudit(server, body._id)).not.toMatchObject({ after: { key } });
  });
});

describe('changing a user', () => {
  const put = (id: string, body: object) => call(`PUT /users/${id}`, body);

  test.each([
    [{ name: '' }, { name: 'Name is required' }],
    [{ role: 'root' }, { role: expect.any(String) }],
    [{ isActive: 'no' }, { isActive: expect.any(String) }],
    [{ permissions: {} }, { permissions: 'Unknown field' }],
    [{ password: 'x' }, { password: 'Unknown field' }],
    [{ twoStepRequired: true }, { twoStepRequired: 'Unknown field' }],
  ])('changing a user rejects %j', async (changes, errors) => {
    expect(await put(clerk.id, changes)).toMatchObject({ status: 400, body: { errors } });
    expect((await call(`GET /users/${clerk.id}`)).body.version).toBe(1);
  });

  test('changing a user to the response of GET changes nothing', async () => {
    const before = (await call(`GET /users/${clerk.id}`)).body;
    const after = await put(clerk.id, before);
    expect(after).toMatchObject({ status: 200, body: before });
    expect(await audits(clerk.id)).toEqual([]);
    expect(await me(clerk.token)).toBe(200);
  });

  test('changing a user by a new name preserves their sessions, which show it at once', async () => {
    const kim = await server.person();
    expect(await me(kim.token)).toBe(200);
    expect((await put(kim.id, { name: ' Kim Lee ' })).body).toMatchObject({ name: 'Kim Lee', version: 2 });
    expect((await call('GET /auth/me', undefined, kim.token)).body.data.user.name).toBe('Kim Lee');
    expect(await newestAudit(server, kim.id)).toMatchObject({
      action: 'user.updated',
      actor_id: admin.id,
      version: 2,
      before: { name: 'Kim Novak' },
      after: { name: 'Kim Lee' },
    });
  });

  test('changing a user with an outdated version returns 409 with the current one', async () => {
    const kim = await server.person();
    await put(kim.id, { name: 'Second', version: 1 });
    expect(await put(kim.id, { name: 'Third', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { name: 'Second', version: 2 } },
    });
  });

  test('changing a user rejects another user’s address', async () => {
    const kim = await server.person();
    expect(await put(kim.id, { email: clerk.email.toUpperCase() })).toMatchObject({
      status: 400,
      body: { errors: { email: 'There is already a person with this email' } },
    });
  });

  test.each([
    ['role', () => ({ role: 'admin' })],
    ['address', () => ({ email: person().email })],
    ['state', () => ({ isActive: false })],
  ])(
    'changing a user by a new %s ends all their sessions at once with the reason',
    async (_what, changes) => {
      const kim = await server.person();
      expect(await me(kim.token)).toBe(200);
      expect((await put(kim.id, changes())).status).toBe(200);
      expect(await call('GET /auth/me', undefined, kim.token)).toMatchObject({
        status: 401,
        body: { details: 'An administrator changed your account.' },
      });
    },
  );

  test('changing a user by a new address ends the links sent to the old one', async () => {
    const { body } = await call('POST /users', person({ firstSignIn: 'invitation' }));
    expect((await put(body._id, { email: person().email })).body.invitedUntil).toBeNull();
  });

  test('changing a user of oneself preserves the current session and ends the others', async () => {
    const other = await server.person({ role: 'admin' });
    const elsewhere = await secondSession(other);
    const { email } = person();
    expect((await call(`PUT /users/${other.id}`, { email }, other.token)).status).toBe(200);
    expect([await me(other.token), await me(elsewhere)]).toEqual([200, 401]);
    expect((await call(`PUT /users/${other.id}`, { role: 'user' }, other.token)).status).toBe(200);
    expect((await call('GET /users', undefined, other.token)).status).toBe(403);
  });

  test('changing a user prevents the sign-in of a deactivated user until activated again', async () => {
    const kim = await server.person();
    await put(kim.id, { isActive: false });
    expect((await login(server, kim.email)).status).toBe(401);
    await put(kim.id, { isActive: true });
    expect((await login(server, kim.email)).status).toBe(200);
  });
});
