import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { login, newestAudit } from '../../../test/builders.ts';
import { PASSWORD } from '../../../test/people.ts';
import { openMailServer, readMail } from '../../../test/smtp.ts';
import { newToken, tokenHash } from '../../platform/ids.ts';

const NEW_PASSWORD = 'four unrelated green words';
const BASE = 'https://forecourt.example';

const mail = await openMailServer({ password: 'right' });
const SMTP_URL = `smtp://desk:right@127.0.0.1:${mail.port}?from=desk@shine.example`;
const server = await testApp({ SMTP_URL, PUBLIC_URL: `${BASE}/`, COMPANY_NAME: 'Shine & Shield' });
afterAll(async () => {
  await server.close();
  await mail.close();
});

let address = 1;
/** Sends a request from a separate address, so that tests do not share a rate limit. */
const forgot = (email: string, headers: Record<string, string> = {}, on = server, ip?: string) => {
  address += 1;
  return on.app
    .inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { email },
      headers,
      remoteAddress: ip ?? `10.0.${address >> 8}.${address & 255}`,
    })
    .then((reply) => ({ status: reply.statusCode, body: reply.json(), headers: reply.headers }));
};
const choose = (key: string, newPassword = NEW_PASSWORD) =>
  server.call('POST /auth/reset-password', { body: { key, newPassword } });
const me = (token: string) => server.call('GET /auth/me', { token });
const jobsAbout = async (email: string) =>
  (
    await server.db
      // pg-boss has its own tables.
      .withTables<{ 'pgboss.job': { name: string; data: { email?: string } } }>()
      .selectFrom('pgboss.job')
      .where('name', '=', 'password-links')
      .select('data')
      .execute()
  ).filter(({ data }) => data.email === email);

/** Creates a link without mail, as the worker does. */
async function addLink(userId: string, minutes = 30, purpose = 'reset'): Promise<string> {
  const key = newToken();
  await server.db
    .insertInto('password_links')
    .values({
      key_hash: tokenHash(key),
      user_id: userId,
      purpose,
      expires_at: new Date(Date.now() + minutes * 60_000),
    })
    .execute();
  return key;
}

describe('a forgotten password', () => {
  let count: number;
  beforeEach(() => {
    count = mail.arrived.length;
  });
  /** Returns the newest message and the key of its link. */
  async function newestMail() {
    count += 1;
    await mail.whenArrived(count);
    const received = mail.arrived[count - 1]!;
    const { text = '', subject, from } = await readMail(received);
    const [link = ''] = /https?:\/\/\S+/.exec(text) ?? [];
    return {
      to: received.envelope.to,
      text,
      subject,
      from: from?.address,
      link,
      key: link.split('#key=')[1]!,
    };
  }

  test('a forgotten password mails a link that sets a new password once, ends every session and does not sign in', async () => {
    const kim = await server.person({ mustChangePassword: true });
    expect((await forgot(` ${kim.email.toUpperCase()} `, { host: 'evil.example' })).status).toBe(202);
    const { to, text, subject, from, link, key } = await newestMail();
    expect({ to, subject, from }).toEqual({
      to: [kim.email],
      subject: 'Choose a new password for Shine & Shield',
      from: 'desk@shine.example',
    });
    expect(text).toContain('30 minutes');
    // The Host header of the requester has no influence on the link.
    expect(link).toMatch(new RegExp(`^${BASE}/reset-password#key=[\\w-]{43}$`));
    expect(await newestAudit(server, kim.id)).toMatchObject({
      actor_id: null,
      after: { passwordLink: 'reset' },
    });

    const reply = await choose(key);
    expect([reply.status, reply.body]).toEqual([204, undefined]);
    expect(await me(kim.token)).toMatchObject({
      status: 401,
      body: { details: 'Your password was changed.' },
    });
    expect((await login(server, kim.email, PASSWORD)).status).toBe(401);
    const signedIn = await login(server, kim.email, NEW_PASSWORD);
    expect(signedIn.body.user.forcePasswordChange).toBe(false);
    const entry = await newestAudit(server, kim.id);
    expect(entry).toMatchObject({ actor_id: kim.id, after: { password: 'chosen by link' } });
    expect(JSON.stringify(entry)).not.toContain(NEW_PASSWORD);
    expect(await choose(key)).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
  });

  test('a forgotten password ends the previous link when repeated', async () => {
    const kim = await server.person();
    await forgot(kim.email);
    const first = await newestMail();
    await forgot(kim.email);
    const second = await newestMail();
    expect((await choose(first.key)).status).toBe(400);
    expect((await choose(second.key)).status).toBe(204);
  });

  test('a forgotten password is retried after a temporary rejection, and the link that was not mailed is invalid', async () => {
    const kim = await server.person();
    mail.next({ code: 451, text: 'Not now' });
    await forgot(kim.email);
    const refused = await newestMail();
    await expect.poll(() => jobsAbout(kim.email)).toHaveLength(2);
    expect((await choose(refused.key)).body.code).toBe('LINK_INVALID');
    // Now instead of in ten seconds.
    await server.db
      .withTables<{ 'pgboss.job': { name: string; state: string; start_after: Date } }>()
      .updateTable('pgboss.job')
      .set({ start_after: new Date() })
      .where('name', '=', 'password-links')
      .where('state', '=', 'created')
      .execute();
    expect((await choose((await newestMail()).key)).status).toBe(204);
  });

  test('a forgotten password is listed as failed after a permanent rejection, with the words of the server', async () => {
    const [kim, admin] = [await server.person(), await server.person({ role: 'admin' })];
    mail.next({ code: 550, text: 'No such mailbox' });
    await forgot(kim.email);
    const failures = async () =>
      (await server.call('GET /jobs', { token: admin.token })).body.failed.map(
        ({ queue, message, attempts }: Record<string, unknown>) => ({ queue, message, attempts }),
      );
    await expect
      .poll(failures)
      .toEqual([
        { queue: 'password-links', message: expect.stringContaining('No such mailbox'), attempts: 1 },
      ]);
    await newestMail();
  });

  test('a forgotten password returns the same response and queues the same job, whether or not the account exists', async () => {
    const [kim, leaver] = [await server.person(), await server.person()];
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', leaver.id).execute();
    const emails = [kim.email, leaver.email, 'nobody@example.com', 'no address at all'];
    const replies = [];
    for (const email of emails) {
      const { status, body, headers } = await forgot(email);
      const { 'x-request-id': requestId, date, ...others } = headers;
      expect([typeof requestId, typeof date]).toEqual(['string', 'string']);
      replies.push({ status, body, headers: others });
      expect(await jobsAbout(email)).toHaveLength(1);
    }
    expect(replies[0]).toMatchObject({
      status: 202,
      body: { message: expect.stringContaining('If there is') },
    });
    for (const reply of replies) expect(reply).toEqual(replies[0]);
    expect((await newestMail()).to).toEqual([kim.email]);
    expect(JSON.stringify(await jobsAbout(kim.email))).not.toMatch(/key|token/i);
  });

  test('a forgotten password sends no more mail after five requests an hour for one address, with the same response', async () => {
    const email = 'often@example.com';
    const replies = [];
    for (let turn = 1; turn <= 7; turn += 1)
      replies.push(await forgot(turn % 2 ? email : email.toUpperCase()));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.message}`)).size).toBe(1);
    expect([...(await jobsAbout(email)), ...(await jobsAbout(email.toUpperCase()))]).toHaveLength(5);
  });

  test('a forgotten password is rejected after 30 requests an hour from one address', async () => {
    const from = (turn: number) => forgot(`${turn}@example.com`, {}, server, '10.9.9.9');
    for (let turn = 1; turn <= 30; turn += 1) expect((await from(turn)).status).toBe(202);
    const refused = await from(31);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect(await jobsAbout('31@example.com')).toEqual([]);
  });
});

describe('a link', () => {
  test.each(['', 'made-up', 'x'.repeat(200)])(
    'a password link with an unknown key (%j) is invalid',
    async (key) => {
      expect(await choose(key)).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
    },
  );

  test('a password link is invalid after its expiry, or for an inactive user', async () => {
    const [kim, leaver] = [await server.person(), await server.person()];
    const [late, ofLeaver] = [await addLink(kim.id, -1), await addLink(leaver.id)];
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', leaver.id).execute();
    for (const key of [late, ofLeaver]) expect((await choose(key)).body.code).toBe('LINK_INVALID');
  });

  test('a password link remains valid while the new password is rejected', async () => {
    const kim = await server.person();
    const key = await addLink(kim.id);
    for (const password of ['short', 'password1234', kim.email]) {
      expect(await choose(key, password)).toMatchObject({
        status: 400,
        body: { errors: { newPassword: expect.any(String) } },
      });
    }
    expect((await choose(key)).status).toBe(204);
  });

  test('a password link works once, also for concurrent requests', async () => {
    const kim = await server.person();
    const key = await addLink(kim.id);
    const passwords = ['one of two good words', 'two of two good words'];
    const replies = await Promise.all(passwords.map((password) => choose(key, password)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204, 400]));
    const winner = passwords[replies.findIndex(({ status }) => status === 204)]!;
    expect((await login(server, kim.email, winner)).status).toBe(200);
  });

  test('a password link ends when a new password is set in any other way', async () => {
    const kim = await server.person();
    const [used, other] = [await addLink(kim.id, 30, 'invitation'), await addLink(kim.id)];
    expect((await choose(used)).status).toBe(204);
    expect((await choose(other)).status).toBe(400);
    const third = await addLink(kim.id);
    const { token } = (await login(server, kim.email, NEW_PASSWORD)).body;
    const body = { currentPassword: NEW_PASSWORD, newPassword: 'yet another set of words' };
    expect((await server.call('POST /auth/change-password', { token, body })).status).toBe(200);
    expect((await choose(third)).status).toBe(400);
  });

  test('a password link is stored as a hash', async () => {
    const kim = await server.person();
    const key = await addLink(kim.id);
    const rows = await server.db
      .selectFrom('password_links')
      .where('user_id', '=', kim.id)
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toContain(key);
  });
});

test('without a mail server the response refers to an administrator, and the sign-in screen shows it', async () => {
  const without = await testApp();
  expect(await forgot('kim@example.com', {}, without)).toMatchObject({
    status: 400,
    body: { message: 'This server does not send email. Ask an administrator for a new password.' },
  });
  expect((await without.call('GET /auth/setup')).body.mailsResetLinks).toBe(false);
  expect((await server.call('GET /auth/setup')).body.mailsResetLinks).toBe(true);
  await without.close();
});
