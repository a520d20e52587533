import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { blockWrites } from '../../../test/block-inserts.ts';
import { newestAudit } from '../../../test/builders.ts';
import { openMailServer } from '../../../test/smtp.ts';

const SECRET = 'hunter2-hunter2';
let clerk: Person;
const server = await testApp();
const mail = await openMailServer({ password: SECRET });
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
beforeEach(async () => {
  clerk = await server.person({ name: 'Cleo Clerk' });
  // The tests of this file exceed the limit of connection tests.
  await server.db.deleteFrom('rate_limit_events').execute();
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

const settings = (changes: object = {}) => ({
  smtpHost: '127.0.0.1',
  smtpPort: mail.port,
  smtpSecure: false,
  smtpUser: 'cleo',
  smtpPassword: SECRET,
  smtpFromEmail: 'cleo@example.com',
  ...changes,
});
const withoutPassword = (changes: object = {}) => ({ ...settings(changes), smtpPassword: undefined });
const path = (person = clerk) => `/email-settings/user/${person.id}`;
const put = (body: object) => server.call(`PUT ${path()}`, { token: admin.token, body });
const verify = (body: object) => server.call(`POST ${path()}/verify`, { token: admin.token, body });
const get = async () => (await server.call(`GET ${path()}`, { token: admin.token })).body;

describe('authorisation', () => {
  test('the API of email settings lets staff read only their own settings', async () => {
    await put(settings());
    const { body } = await server.call('GET /email-settings', { token: clerk.token });
    expect(body).toMatchObject({ userId: clerk.id, smtpHost: '127.0.0.1', isConfigured: true });
    for (const route of [
      'PUT /email-settings',
      'POST /email-settings/verify',
      'GET /email-settings/users',
      `GET ${path()}`,
      `PUT ${path()}`,
      `DELETE ${path()}`,
      `POST ${path()}/verify`,
    ]) {
      const hasBody = /PUT|POST/.test(route);
      expect(
        await server.call(route, { token: clerk.token, ...(hasBody && { body: settings() }) }),
        route,
      ).toMatchObject({
        status: 403,
        body: { code: 'ADMIN_REQUIRED', message: 'Admin access required to manage email settings' },
      });
    }
  });

  test('the API of email settings shows administrators every active user, configured or not', async () => {
    const away = await server.person({ name: 'Gone Away' });
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', away.id).execute();
    await put(settings());
    const { body } = await server.call('GET /email-settings/users', { token: admin.token });
    const byId = new Map(body.items.map((item: { userId: string }) => [item.userId, item]));
    expect(byId.get(clerk.id)).toMatchObject({
      name: 'Cleo Clerk',
      role: 'user',
      hasSettings: true,
      isConfigured: true,
    });
    expect(byId.get(admin.id)).toMatchObject({
      hasSettings: false,
      isConfigured: false,
      smtpPort: 587,
      smtpHost: '',
    });
    expect(byId.has(away.id)).toBe(false);
  });
});

describe('saving', () => {
  test.each([
    [{ smtpHost: 'a host' }, 'smtpHost'],
    [{ smtpHost: '' }, 'smtpHost'],
    [{ smtpPort: 0 }, 'smtpPort'],
    [{ smtpPort: 65_536 }, 'smtpPort'],
    [{ smtpUser: '' }, 'smtpUser'],
    [{ smtpUser: 'a\r\nb' }, 'smtpUser'],
    [{ smtpPassword: '' }, 'smtpPassword'],
    [{ smtpPassword: '  ' }, 'smtpPassword'],
    [{ smtpPassword: undefined }, 'smtpPassword'],
    [{ smtpFromEmail: 'Cleo <cleo@example.com>' }, 'smtpFromEmail'],
    [{ smtpFromEmail: 'cleo@example.com\r\nRCPT TO:<x@y.example>' }, 'smtpFromEmail'],
  ])('saving email settings rejects %j', async (changes, field) => {
    expect(await put(settings(changes))).toMatchObject({
      status: 400,
      body: { errors: { [field]: expect.any(String) } },
    });
  });

  test('saving email settings without a port and a TLS mode stores the usual ones', async () => {
    expect(await put(settings({ smtpPort: undefined, smtpSecure: undefined }))).toMatchObject({
      status: 200,
      body: { smtpPort: 587, smtpSecure: false },
    });
  });

  test('the password of email settings is sealed, and in no response and no audit entry', async () => {
    const { status, body } = await put(settings());
    expect(status).toBe(200);
    const row = await server.db
      .selectFrom('email_settings')
      .selectAll()
      .where('user_id', '=', clerk.id)
      .executeTakeFirstOrThrow();
    const entry = await newestAudit(server, clerk.id);
    expect(entry).toMatchObject({
      action: 'email-settings.created',
      after: { smtpUser: 'cleo', passwordChanged: true },
    });
    expect(row.smtp_password).toMatch(/^v1\./);
    expect(JSON.stringify([body, row, entry])).not.toContain(SECRET);
  });

  test('saving email settings without a password may change only fields that do not send the stored one elsewhere', async () => {
    await put(settings());
    expect(await put(withoutPassword({ smtpFromEmail: 'other@example.com' }))).toMatchObject({
      status: 200,
      body: { smtpFromEmail: 'other@example.com', isConfigured: true },
    });
    for (const changes of [
      { smtpHost: 'evil.example' },
      { smtpPort: 25 },
      { smtpUser: 'x' },
      { smtpSecure: true },
    ]) {
      const errors = { smtpPassword: 'Enter the password again: host, port, username or TLS has changed' };
      expect(await put(withoutPassword(changes)), JSON.stringify(changes)).toMatchObject({
        status: 400,
        body: { errors },
      });
      expect(await verify(withoutPassword(changes))).toMatchObject({ status: 400, body: { errors } });
    }
  });

  test('saving the email settings as they were returned changes nothing', async () => {
    await put(settings());
    const before = await get();
    expect((await put(before)).body).toEqual(before);
    expect((await newestAudit(server, clerk.id))!.action).toBe('email-settings.created');
  });

  test('a password sealed with another key counts as not configured', async () => {
    await put(settings());
    await server.db
      .updateTable('email_settings')
      .set({ smtp_password: 'v1.otherkey.a.b.c' })
      .where('user_id', '=', clerk.id)
      .execute();
    expect(await get()).toMatchObject({ hasSettings: true, isConfigured: false });
    expect(await put(withoutPassword())).toMatchObject({
      status: 400,
      body: { errors: { smtpPassword: 'SMTP password is required' } },
    });
  });

  test('deleting email settings removes them', async () => {
    await put(settings());
    expect((await server.call(`DELETE ${path()}`, { token: admin.token })).status).toBe(204);
    expect(await get()).toMatchObject({ hasSettings: false, isConfigured: false, lastVerified: null });
    expect((await newestAudit(server, clerk.id))!.action).toBe('email-settings.deleted');
    expect((await server.call(`DELETE ${path()}`, { token: admin.token })).status).toBe(404);
  });
});

describe('the version', () => {
  test('an older version of email settings is refused with the current ones, and nothing is saved', async () => {
    expect(await put(settings({ version: null }))).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await put(settings({ version: 1, smtpUser: 'theirs' }))).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    const current = await get();
    expect(current).toMatchObject({ smtpUser: 'theirs', version: 2 });
    for (const version of [1, 3, null]) {
      const reply = await put(settings({ version, smtpFromEmail: 'mine@example.com' }));
      expect(reply, String(version)).toMatchObject({ status: 409, body: { code: 'CONFLICT', current } });
    }
    expect(await get()).toEqual(current);
    expect((await newestAudit(server, clerk.id))!.after).toMatchObject({ smtpUser: 'theirs' });
  });

  test('the version of email settings is not needed, and stays when the settings do', async () => {
    await put(settings());
    expect((await verify(withoutPassword({ version: 7 }))).status).toBe(200);
    expect(await get()).toMatchObject({ lastVerified: expect.any(String), version: 1 });
    expect(await put(withoutPassword())).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await put(settings({ smtpUser: 'new' }))).toMatchObject({ status: 200, body: { version: 2 } });
  });

  test('the version of email settings that were deleted meanwhile is refused', async () => {
    await put(settings());
    await server.call(`DELETE ${path()}`, { token: admin.token });
    expect(await put(settings({ version: 1 }))).toMatchObject({
      status: 409,
      body: { current: { hasSettings: false, version: null } },
    });
  });

  test('the version of email settings is compared also when two save at the same moment', async () => {
    await put(settings());
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`.execute(
        server.db,
      );
    const event = sql`update on email_settings for each row`;
    const both = await blockWrites(server.db, 'hold_settings', event, async (untilBlocked) => {
      const first = put(settings({ version: 1, smtpUser: 'first' }));
      await untilBlocked();
      const second = put(settings({ version: 1, smtpUser: 'second' }));
      await expect.poll(async () => (await waiting()).rows.length).toBe(1);
      return { first, second };
    });
    expect((await both.first).status).toBe(200);
    expect(await both.second).toMatchObject({
      status: 409,
      body: { current: { smtpUser: 'first', version: 2 } },
    });
  });
});

describe('testing the connection', () => {
  test('testing the mail connection before saving marks the same settings as verified once saved, and no others', async () => {
    await verify(settings());
    await put(settings({ smtpFromEmail: 'other@example.com' }));
    expect((await get()).lastVerified).toBeNull();
    await put(settings());
    expect((await get()).lastVerified).toMatch(/Z$/);
    const noted = await server.db.selectFrom('email_verifications').selectAll().execute();
    expect(JSON.stringify(noted)).not.toContain(SECRET);
  });

  test('testing the mail connection marks each of two settings that are tested at once', async () => {
    const both = [settings(), settings({ smtpFromEmail: 'other@example.com' })];
    await Promise.all(both.map(verify));
    for (const tested of both) {
      await put(tested);
      expect((await get()).lastVerified).toMatch(/Z$/);
    }
  });

  test('testing the mail connection works before the first save, and marks nothing', async () => {
    expect(await verify(settings())).toMatchObject({
      status: 200,
      body: { message: 'SMTP connection verified successfully', lastVerified: expect.any(String) },
    });
    expect(await get()).toMatchObject({ hasSettings: false, lastVerified: null });
  });

  test('testing the mail connection marks saved settings until they change', async () => {
    await put(settings());
    expect((await verify(withoutPassword())).status).toBe(200);
    expect(await get()).toMatchObject({ lastVerified: expect.any(String) });
    expect((await newestAudit(server, clerk.id))!.action).toBe('email-settings.verified');
    await put(settings({ smtpUser: 'new' }));
    expect(await get()).toMatchObject({ lastVerified: null });
  });

  test('a failed test of the mail connection names the step with our own message', async () => {
    expect(await verify(settings({ smtpPassword: 'wrong' }))).toMatchObject({
      status: 400,
      body: {
        code: 'MAIL_SERVER_REFUSED',
        message: 'Failed to verify SMTP connection',
        details: 'The mail server did not accept the username and password.',
        errors: { step: 'signIn' },
      },
    });
    const reply = await verify(settings({ smtpHost: '169.254.169.254' }));
    expect(reply).toMatchObject({ status: 400, body: { errors: { step: 'connection' } } });
  });

  test('testing the mail connection is limited to ten a minute, including failed ones and those with a key', async () => {
    const other = await server.person({ role: 'admin', name: 'Otto Admin' });
    const attempt = (headers: Record<string, string> = {}) =>
      server.call(`POST ${path()}/verify`, { token: other.token, body: withoutPassword(), headers });
    for (let count = 0; count < 10; count += 1) expect((await attempt()).status).toBe(400);
    const reply = await attempt();
    expect(reply.status).toBe(429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await attempt({ 'idempotency-key': 'k1' })).toMatchObject({
      status: 400,
      body: { errors: { 'Idempotency-Key': expect.any(String) } },
    });
  });
});
