import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { withChanges, type PermissionChanges } from '@forecourt/contract/permissions';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { keepWait, login, newestAudit } from '../../../test/builders.ts';
import { PASSWORD } from '../../../test/people.ts';
import { tokenHash } from '../../platform/ids.ts';

const server = await testApp();
afterAll(() => server.close());

const me = (token: string) => server.call('GET /auth/me', { token });
const NEW_PASSWORD = 'another long password';
/** What a permission record with an invalid part never exceeds. */
const strictest: PermissionChanges = {
  features: { export: false },
  dataEntry: { canExport: false, columnVisibility: { viewAllColumns: false, restrictedToOwn: true } },
};

describe('signing in', () => {
  test('signing in returns a token and the user, for an address in any case', async () => {
    const kim = await server.person();
    const reply = await login(server, ` ${kim.email.toUpperCase()} `);
    expect(reply.status).toBe(200);
    expect(reply.body.user).toMatchObject({ _id: kim.id, userId: kim.id, name: kim.name, role: 'user' });
    expect((await me(reply.body.token)).body.data.user).toEqual(reply.body.user);
  });

  test('signing in never returns a password or its hash', async () => {
    const kim = await server.person();
    const { body } = await login(server, kim.email);
    expect(Object.keys(body.user).sort()).toEqual([
      '_id',
      'email',
      'forcePasswordChange',
      'lastLogin',
      'mustSetUpTwoStep',
      'name',
      'role',
      'userId',
    ]);
  });

  test('signing in returns the same error for a wrong password, an unknown and an inactive user', async () => {
    const [kim, leaver] = [await server.person(), await server.person()];
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', leaver.id).execute();
    const replies = [
      await login(server, kim.email, 'wrong'),
      await login(server, 'nobody@example.com'),
      await login(server, leaver.email),
    ].map(({ status, body: { requestId, ...body }, headers }) => {
      const { 'x-request-id': headerId, date, ...others } = headers;
      expect([headerId, typeof date]).toEqual([requestId, 'string']);
      return { status, body, headers: others };
    });
    expect(replies[0]).toMatchObject({
      status: 401,
      body: { code: 'SIGN_IN_FAILED', message: 'Email or password is incorrect' },
    });
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[2]).toEqual(replies[0]);
  });

  test('signing in is throttled after five failures, also with the right password, without effect on live sessions', async () => {
    const kim = await server.person();
    for (let attempt = 1; attempt <= 5; attempt += 1) await login(server, kim.email, 'wrong');
    await keepWait(server, kim.email);
    const refused = await login(server, kim.email);
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await me(kim.token)).status).toBe(200);
  });

  test('signing in counts concurrent guesses: one more is tried, the others are throttled', async () => {
    const kim = await server.person();
    // The wait is 32 s after ten failures and 64 s after eleven: longer than this test.
    const failure = { subject: `account:${kim.email}`, created_at: new Date(Date.now() - 120_000) };
    const failures = Array.from({ length: 10 }, () => failure);
    await server.db.insertInto('sign_in_failures').values(failures).execute();
    const replies = await Promise.all(Array.from({ length: 30 }, () => login(server, kim.email, 'wrong')));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(29);
    // Throttled attempts do not extend the wait.
    expect(Number((await login(server, kim.email)).headers['retry-after'])).toBeLessThanOrEqual(64);
  });

  test('signing in fails with the old password once the new one is saved', async () => {
    const kim = await server.person();
    const [changed, late] = await Promise.all([
      server.call('POST /auth/change-password', {
        token: kim.token,
        body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
      }),
      login(server, kim.email),
    ]);
    expect(changed.status).toBe(200);
    if (late.status === 200) expect((await me(late.body.token)).status).toBe(401);
    expect((await me(changed.body.token)).status).toBe(200);
  });

  test.each(['a\u0000b@x.y', '\ud800@x.y'])('signing in returns 400 for the address %j', async (email) => {
    expect((await login(server, email)).status).toBe(400);
  });

  test('signing in 50 times concurrently with maxSessions 1 leaves one live token, and the others get the reason', async () => {
    const kim = await server.person({ permissions: { maxSessions: 1 } });
    // Some are throttled, since an attempt counts as a failure until it succeeds. They retry.
    const signIn = async (): Promise<string> => {
      const reply = await login(server, kim.email);
      return reply.status === 200 ? reply.body.token : signIn();
    };
    const tokens = await Promise.all(Array.from({ length: 50 }, signIn));
    expect(new Set(tokens).size).toBe(50);
    const replies = await Promise.all(tokens.map(me));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.find(({ status }) => status === 401)!;
    expect(refused.body).toMatchObject({
      message: 'Session expired. Please log in again.',
      details: expect.stringContaining('signed in on another device'),
    });
  });

  test('signing in above maxSessions ends the oldest live session; one that ended without use does not count', async () => {
    const kim = await server.person({ permissions: { maxSessions: 2 } });
    const idle = (await login(server, kim.email)).body.token;
    const past = sql<string>`now() - interval '2 hours'`;
    await server.db
      .updateTable('sessions')
      .set({ last_used_at: past })
      .where('token_hash', '=', tokenHash(idle))
      .execute();
    const second = (await login(server, kim.email)).body.token;
    expect([(await me(kim.token)).status, (await me(second)).status]).toEqual([200, 200]);
    expect((await me(idle)).body).not.toHaveProperty('details');
    await login(server, kim.email);
    expect([(await me(kim.token)).status, (await me(second)).status]).toEqual([401, 200]);
  });

  /** Stores this record of a new user, signs in and reads it. */
  async function readStored(record: unknown) {
    const kim = await server.person();
    await server.db
      .updateTable('permission_records')
      .set({ record: JSON.stringify(record) })
      .where('user_id', '=', kim.id)
      .execute();
    const { status, body } = await login(server, kim.email);
    expect([status, body]).toMatchObject([200, {}]);
    expect((await me(body.token)).status).toBe(200);
    const reply = await server.call(`GET /permissions/user/${kim.id}`, { token: body.token });
    expect(reply.status).toBe(200);
    return reply.body;
  }

  test.each<[unknown, PermissionChanges]>([
    [{ maxSessions: 0 }, {}],
    [{ maxSessions: 'x', sessionTimeout: 'x' }, {}],
    [{ sessionTimeout: 0, pages: [] }, {}],
    [{ maxSessions: 1e300, dataEntry: { columnVisibility: 5 }, editableStatuses: 5 }, {}],
    [[], {}],
    ['x', {}],
    [
      { pages: { dataEntry: 'x', backups: true }, features: { viewReports: false, export: true } },
      { pages: { backups: true }, features: { viewReports: false } },
    ],
    [
      {
        dataEntry: {
          canAddRows: true,
          canExport: true,
          columnVisibility: {
            viewAllColumns: true,
            restrictedToOwn: false,
            restrictedRows: ['x'],
            visibleColumns: ['mileage', 'notes', 'trim', 'colour', 'status'],
            dateRangeEnd: '2026-02-31',
          },
        },
      },
      {
        dataEntry: {
          canAddRows: true,
          columnVisibility: { visibleColumns: ['notes', 'status'] },
        },
      },
    ],
  ])(
    'signing in with the permission record %j, part of which is invalid, gives its other parts within the strictest limits',
    async (record, valid) => {
      expect(await readStored(record)).toMatchObject(
        withChanges(withChanges(defaultRecord, strictest), valid),
      );
    },
  );

  test('signing in with flags that only a newer release knows gives the other restrictions of the record', async () => {
    const restricted: PermissionChanges = {
      pages: { itemConfiguration: false },
      features: { export: false },
      dataEntry: { canAddRows: true, columnVisibility: { viewAllColumns: false, visibleColumns: ['notes'] } },
    };
    const record = withChanges(defaultRecord, restricted);
    const newer = {
      ...record,
      newer: { of: 1 },
      pages: { ...record.pages, newer: true, newest: true },
      dataEntry: {
        ...record.dataEntry,
        columnVisibility: { ...record.dataEntry.columnVisibility, newer: ['x'] },
      },
    };
    const read = await readStored(newer);
    expect(read).toMatchObject(record);
    expect(JSON.stringify(read)).not.toContain('newe');
  });

  test('signing in rejects wrong types and unknown fields', async () => {
    expect(
      (await server.call('POST /auth/login', { body: { email: 1, password: {} } })).body.errors,
    ).toHaveProperty('email');
    const reply = await server.call('POST /auth/login', {
      body: { email: 'a@b.c', password: 'x', role: 'admin' },
    });
    expect(reply.body.errors).toEqual({ role: 'Unknown field' });
  });
});

describe('a session', () => {
  test.each([undefined, '', 'x', 'x'.repeat(5000)])(
    'a session is not found by the invalid token %j',
    async (token) => {
      expect(await server.call('GET /auth/me', { token })).toMatchObject({
        status: 401,
        body: { code: 'NOT_SIGNED_IN' },
      });
    },
  );

  test('a session ends on the server with sign-out', async () => {
    const kim = await server.person();
    expect((await server.call('POST /auth/logout', { token: kim.token })).status).toBe(204);
    expect((await me(kim.token)).status).toBe(401);
  });

  test('a session ends after sessionTimeout minutes without use; background requests do not count', async () => {
    const kim = await server.person({ permissions: { sessionTimeout: 30 } });
    const idleFor = (minutes: number) =>
      server.db
        .updateTable('sessions')
        .set({ last_used_at: new Date(Date.now() - minutes * 60_000) })
        .where('user_id', '=', kim.id)
        .execute();
    const lastUse = async () =>
      (
        await server.db
          .selectFrom('sessions')
          .select('last_used_at')
          .where('user_id', '=', kim.id)
          .executeTakeFirstOrThrow()
      ).last_used_at;

    await idleFor(29);
    const before = await lastUse();
    await server.call('GET /auth/me', { token: kim.token, headers: { 'x-background': '1' } });
    expect(await lastUse()).toBe(before);
    const other = await server.person({ permissions: { sessionTimeout: 30 } });
    await server.db
      .updateTable('sessions')
      .set({ last_used_at: new Date(Date.now() - 31 * 60_000) })
      .where('user_id', '=', other.id)
      .execute();
    expect((await me(other.token)).status).toBe(401);
  });

  test('a session of a user who must change the password allows nothing else', async () => {
    const kim = await server.person({ role: 'admin' });
    await server.db
      .updateTable('users')
      .set({ force_password_change: true })
      .where('id', '=', kim.id)
      .execute();
    expect((await me(kim.token)).body.data.user.forcePasswordChange).toBe(true);
    expect(await server.call('GET /dealerships', { token: kim.token })).toMatchObject({
      status: 403,
      body: {
        code: 'PASSWORD_CHANGE_REQUIRED',
        message: 'Password change required',
        requiresPasswordChange: true,
      },
    });
  });
});

describe('changing the own password', () => {
  const change = (token: string, currentPassword: string, newPassword: string) =>
    server.call('POST /auth/change-password', { token, body: { currentPassword, newPassword } });

  test('changing the own password requires the current one: a wrong one is a 400, so that a typo signs nobody out', async () => {
    const kim = await server.person();
    expect(await change(kim.token, 'wrong', NEW_PASSWORD)).toMatchObject({
      status: 400,
      body: { errors: { currentPassword: expect.any(String) } },
    });
    expect((await login(server, kim.email)).status).toBe(200);
  });

  test.each([
    ['short', 'Must be at least 12 characters'],
    ['password1234', 'This password is too common'],
    ['FinalFantasy', 'This password is too common'],
    ['123456qwerty', 'This password is too common'],
    ['aaaaaaaaaaaaaa', 'This password is too common'],
    [PASSWORD, 'Must differ from your current password'],
    ['ｐａｓｓｗｏｒｄ１２３４', 'This password is too common'],
  ])('changing the own password rejects %s', async (password, message) => {
    const kim = await server.person();
    const reply = await change(kim.token, PASSWORD, password);
    expect(reply).toMatchObject({ status: 400, body: { errors: { newPassword: message } } });
  });

  test('changing the own password counts wrong current passwords like wrong sign-ins', async () => {
    const kim = await server.person();
    const guess = (times: number) =>
      Promise.all(
        Array.from({ length: times }, async () => (await change(kim.token, 'wrong', NEW_PASSWORD)).status),
      );
    expect(await guess(5)).toEqual(Array.from({ length: 5 }, () => 400));
    const { body } = await server.call('GET /auth/sessions', { token: kim.token });
    const subject = `session:${body.items[0]._id}`;
    await keepWait(server, subject);
    expect(await guess(7)).toEqual(Array.from({ length: 7 }, () => 429));
    // After ten failures of two minutes ago one more is tried, and the wait is longer than this test.
    const failures = Array.from({ length: 5 }, () => ({ subject: `account:${subject}` }));
    await server.db.insertInto('sign_in_failures').values(failures).execute();
    await server.db
      .updateTable('sign_in_failures')
      .set({ created_at: new Date(Date.now() - 120_000) })
      .where('subject', '=', `account:${subject}`)
      .execute();
    expect((await guess(12)).toSorted((a, b) => a - b)).toEqual([
      400,
      ...Array.from({ length: 11 }, () => 429),
    ]);
  });

  test('changing the own password does not wait because of failed sign-ins, which anybody can make', async () => {
    const kim = await server.person({ mustChangePassword: true });
    const failures = Array.from({ length: 10 }, () => ({ subject: `account:${kim.email}` }));
    await server.db.insertInto('sign_in_failures').values(failures).execute();
    expect((await login(server, kim.email)).status).toBe(429);
    expect((await change(kim.token, PASSWORD, NEW_PASSWORD)).status).toBe(200);
  });

  test('changing the own password returns 400 with a message for an Idempotency-Key, and changes nothing', async () => {
    const kim = await server.person();
    const reply = await server.call('POST /auth/change-password', {
      token: kim.token,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
      headers: { 'idempotency-key': 'kept' },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.errors['Idempotency-Key']).toMatch(/takes no Idempotency-Key/);
    expect((await login(server, kim.email)).status).toBe(200);
  });

  test('changing the own password ends every other session at once, returns a new token, clears the forced change and is audited', async () => {
    const kim = await server.person();
    const elsewhere = (await login(server, kim.email)).body.token;
    await server.db
      .updateTable('users')
      .set({ force_password_change: true })
      .where('id', '=', kim.id)
      .execute();
    const reply = await change(kim.token, PASSWORD, NEW_PASSWORD);
    expect(reply.status).toBe(200);
    expect(reply.body.user.forcePasswordChange).toBe(false);
    expect([(await me(kim.token)).status, (await me(elsewhere)).status]).toEqual([401, 401]);
    expect((await me(reply.body.token)).status).toBe(200);
    expect((await login(server, kim.email)).status).toBe(401);
    const entry = await newestAudit(server, kim.id);
    expect(entry).toMatchObject({ action: 'user.updated', actor_id: kim.id, after: { password: 'changed' } });
    expect(JSON.stringify(entry)).not.toContain(NEW_PASSWORD);
  });
});
