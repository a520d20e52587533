import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { auditedActions, login, newestAudit } from '../../../test/builders.ts';

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

describe('access', () => {
  test('a reset returns a temporary password once, and ends every session', async () => {
    const kim = await server.person();
    const { status, body } = await call(`POST /users/${kim.id}/reset-password`);
    expect(status).toBe(200);
    expect(await me(kim.token)).toBe(401);
    expect((await login(server, kim.email)).status).toBe(401);
    expect((await login(server, kim.email, body.temporaryPassword)).body.user.forcePasswordChange).toBe(true);
    expect(await newestAudit(server, kim.id)).toMatchObject({
      action: 'user.password-reset',
      after: { expiresAt: body.expiresAt },
    });
  });

  test('a second reset makes the first password useless', async () => {
    const kim = await server.person();
    const [first, second] = [
      await call(`POST /users/${kim.id}/reset-password`),
      await call(`POST /users/${kim.id}/reset-password`),
    ];
    expect((await login(server, kim.email, first.body.temporaryPassword)).status).toBe(401);
    expect((await login(server, kim.email, second.body.temporaryPassword)).status).toBe(200);
  });

  test('a reset does not give access to a deactivated user', async () => {
    const kim = await server.person();
    await call(`PUT /users/${kim.id}`, { isActive: false });
    const { body } = await call(`POST /users/${kim.id}/reset-password`);
    expect((await login(server, kim.email, body.temporaryPassword)).status).toBe(401);
  });

  test('a new invitation replaces the older one; a user who has signed in gets none', async () => {
    const { body: nia } = await call('POST /users', person({ firstSignIn: 'invitation' }));
    const { body: entry } = await call(`POST /users/${nia._id}/invitation`);
    expect(entry.invitationPath).not.toBe(nia.entry.invitationPath);
    expect(await newestAudit(server, nia._id)).toMatchObject({ action: 'user.invited' });
    const keyOf = (path: string) => path.split(/[=#]/).at(-1);
    const choose = (path: string) =>
      server.call('POST /auth/reset-password', { body: { key: keyOf(path), newPassword: NEW_PASSWORD } });
    expect((await choose(nia.entry.invitationPath)).body.code).toBe('LINK_INVALID');
    expect((await choose(entry.invitationPath)).status).toBe(204);
    await login(server, nia.email, NEW_PASSWORD);
    expect(await call(`POST /users/${nia._id}/invitation`)).toMatchObject({
      status: 400,
      body: { message: 'Nia New has signed in before. Reset the password instead.' },
    });
  });

  test.each(['POST /users/:id/reset-password', 'POST /users/:id/invitation', 'DELETE /users/:id/two-step'])(
    'the call %s rejects one’s own account',
    async (route) => {
      expect(await call(route.replace(':id', admin.id))).toMatchObject({
        status: 403,
        body: { details: 'OWN_ACCOUNT' },
      });
      expect(await me(admin.token)).toBe(200);
    },
  );
});

describe('sessions of a user', () => {
  test('sessions of a user are listed with the current one marked', async () => {
    const { body } = await call(`GET /users/${admin.id}/sessions`);
    expect(body).toMatchObject({ total: 1, items: [{ current: true, ip: '127.0.0.1' }] });
    const others = await call(`GET /users/${clerk.id}/sessions`);
    expect(others.body.items[0].current).toBe(false);
  });

  test('one of them ends at once, the others continue', async () => {
    const kim = await server.person();
    const elsewhere = await secondSession(kim);
    const { items } = (await call(`GET /users/${kim.id}/sessions`)).body;
    const [newest] = items.toSorted((a: { createdAt: string }, b: { createdAt: string }) =>
      b.createdAt.localeCompare(a.createdAt),
    );
    expect((await call(`DELETE /users/${kim.id}/sessions/${newest._id}`)).status).toBe(204);
    expect([await me(kim.token), await me(elsewhere)]).toEqual([200, 401]);
    expect((await call(`DELETE /users/${kim.id}/sessions/${newest._id}`)).status).toBe(404);
    expect(await newestAudit(server, kim.id)).toMatchObject({
      action: 'user.sessions-ended',
      after: { session: newest._id },
    });
  });

  test('another user’s session is not found', async () => {
    const { items } = (await call(`GET /users/${clerk.id}/sessions`)).body;
    expect((await call(`DELETE /users/${admin.id}/sessions/${items[0]._id}`)).status).toBe(404);
    expect(await me(clerk.token)).toBe(200);
  });

  test('all of them end at once with the reason; without any nothing is audited', async () => {
    const kim = await server.person();
    expect((await call(`DELETE /users/${kim.id}/sessions`)).status).toBe(204);
    expect(await call('GET /auth/me', undefined, kim.token)).toMatchObject({
      status: 401,
      body: { details: 'An administrator ended your session.' },
    });
    expect((await call(`DELETE /users/${kim.id}/sessions`)).status).toBe(204);
    expect(await audits(kim.id)).toEqual(['user.sessions-ended']);
  });
});

describe('two-step sign-in', () => {
  const require = (id: string, required: boolean) => call(`PUT /users/${id}/two-step`, { required });

  test('two-step sign-in once required, allows nothing else at the next request', async () => {
    const kim = await server.person();
    expect((await call('GET /deals', undefined, kim.token)).status).toBe(200);
    expect((await require(kim.id, true)).body.twoStep).toEqual({ on: false, required: true });
    expect(await call('GET /deals', undefined, kim.token)).toMatchObject({
      status: 403,
      body: { code: 'TWO_STEP_SETUP_REQUIRED' },
    });
    await require(kim.id, true);
    expect(await audits(kim.id)).toEqual(['user.updated']);
    expect((await require(kim.id, false)).body.twoStep.required).toBe(false);
    expect((await call('GET /deals', undefined, kim.token)).status).toBe(200);
  });

  test('two-step sign-in resets a lost app, and ends the user’s sessions', async () => {
    const kim = await server.person();
    await server.db
      .insertInto('two_step')
      .values({ user_id: kim.id, secret: 'sealed', confirmed_at: new Date().toISOString() })
      .execute();
    expect((await call(`GET /users/${kim.id}`)).body.twoStep.on).toBe(true);
    expect((await call(`DELETE /users/${kim.id}/two-step`)).body.twoStep.on).toBe(false);
    expect(await me(kim.token)).toBe(401);
    expect((await login(server, kim.email)).status).toBe(200);
    expect((await newestAudit(server, kim.id))?.action).toBe('user.two-step-reset');
  });
});
