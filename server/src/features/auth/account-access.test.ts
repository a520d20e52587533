import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { login } from '../../../test/builders.ts';
import { PASSWORD } from '../../../test/people.ts';
import { openMailServer, readMail } from '../../../test/smtp.ts';
import { readConfig } from '../../platform/config.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { inTransaction } from '../../platform/http/context.ts';
import { tokenHash } from '../../platform/ids.ts';
import { startJobs } from '../../platform/jobs/jobs.ts';
import { openEventBus } from '../../platform/live/event-bus.ts';
import { createLog } from '../../platform/log.ts';
import { createSessions } from '../../platform/sessions.ts';
import { createAccountAccess } from './account-access.service.ts';
import { createLinkMail } from './link-mail.ts';

const closing: (() => Promise<void>)[] = [];
const mail = await openMailServer();
const SMTP_URL = `smtp://127.0.0.1:${mail.port}?from=desk@shine.example`;
const server = await testApp({ SMTP_URL });
const { db, connection } = server;
const log = createLog('silent');
const eventBus = openEventBus(connection, log);
const jobs = await startJobs(connection, log);
closing.push(
  () => jobs.stop(),
  () => eventBus.close(),
);
const sessions = createSessions(db, eventBus, createLog('silent'));
const linkMail = createLinkMail({ config: { ...readConfig({}), SMTP_URL }, jobs, db, log });
const access = createAccountAccess({ sessions, mail: linkMail });
const admin = await server.person({ role: 'admin' });
const viewer = { userId: admin.id, name: admin.name } as Viewer;
const origin = { requestId: 'test', ip: '127.0.0.1', userAgent: '' };
const ctx: Context = { db, viewer, origin, log, afterCommit: (task) => task() };
afterAll(async () => {
  for (const close of closing) await close();
  await server.close();
  await mail.close();
});

const choose = (key: string) =>
  server.call('POST /auth/reset-password', { body: { key, newPassword: 'four unrelated green words' } });
const hoursUntil = (instant: string) => (Date.parse(instant) - Date.now()) / 3_600_000;
const setPassword = ({ id }: Person) => inTransaction(ctx, (inner) => access.setTemporaryPassword(inner, id));
const invite = ({ id, name, email }: Person) =>
  inTransaction(ctx, (inner) => access.invite(inner, { id, name, email }));

describe('a temporary password', () => {
  test('a temporary password is valid for 24 hours and only for choosing another one; sessions, links and the old one end', async () => {
    const kim = await server.person();
    const { invitationPath } = await invite(kim);
    const { temporaryPassword, expiresAt, mailed } = await setPassword(kim);
    expect(temporaryPassword).toMatch(/^[a-hjkmnp-z2-9]{6}(-[a-hjkmnp-z2-9]{6}){2}$/);
    expect(hoursUntil(expiresAt)).toBeCloseTo(24, 1);
    expect(mailed).toBe(false);
    expect(await server.call('GET /auth/me', { token: kim.token })).toMatchObject({
      status: 401,
      body: { details: 'An administrator changed your account.' },
    });
    expect((await login(server, kim.email, PASSWORD)).status).toBe(401);
    expect((await choose(invitationPath.split('=')[1]!)).status).toBe(400);

    const { body } = await login(server, kim.email, temporaryPassword);
    expect(body.user.forcePasswordChange).toBe(true);
    const change = { currentPassword: temporaryPassword, newPassword: 'four unrelated green words' };
    const changed = await server.call('POST /auth/change-password', { token: body.token, body: change });
    expect(changed.body.user.forcePasswordChange).toBe(false);
    const kept = await server.db
      .selectFrom('passwords')
      .where('user_id', '=', kim.id)
      .select('expires_at')
      .executeTakeFirstOrThrow();
    expect(kept.expires_at).toBeNull();
  });

  test('a temporary password fails like a wrong one after its expiry', async () => {
    const kim = await server.person();
    const { temporaryPassword } = await setPassword(kim);
    await server.db
      .updateTable('passwords')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('user_id', '=', kim.id)
      .execute();
    const [late, wrong] = [
      await login(server, kim.email, temporaryPassword),
      await login(server, kim.email, 'wrong'),
    ];
    delete late.body.requestId;
    delete wrong.body.requestId;
    expect([late.status, late.body]).toEqual([wrong.status, wrong.body]);
    expect(late.body.code).toBe('SIGN_IN_FAILED');
  });
});

describe('an invitation', () => {
  test('an invitation is valid for 7 days, shown and mailed; using one of the two links ends both', async () => {
    const kim = await server.person();
    const { invitationPath, expiresAt, mailed } = await invite(kim);
    expect(mailed).toBe(true);
    expect(hoursUntil(expiresAt)).toBeCloseTo(7 * 24, 1);
    // The invitations of other tests may be mailed meanwhile.
    const sent = () => mail.arrived.find(({ envelope }) => envelope.to.includes(kim.email));
    await expect.poll(sent).toBeDefined();
    const { text = '', subject } = await readMail(sent()!);
    expect(subject).toBe('Your account at Forecourt');
    const [link = ''] = /http:\/\/localhost:3000\/reset-password#key=\S+/.exec(text) ?? [];
    const [shownKey, mailedKey] = [invitationPath.split('=')[1]!, link.split('=')[1]!];
    expect(mailedKey).not.toBe(shownKey);
    const kept = await server.db
      .selectFrom('password_links')
      .where('key_hash', 'in', [tokenHash(shownKey), tokenHash(mailedKey)])
      .select(['expires_at', 'purpose'])
      .execute();
    expect(kept).toEqual([
      { expires_at: expiresAt, purpose: 'invitation' },
      { expires_at: expiresAt, purpose: 'invitation' },
    ]);
    expect((await choose(mailedKey)).status).toBe(204);
    expect((await choose(shownKey)).status).toBe(400);
  });

  test('an invitation ends the previous one', async () => {
    const kim = await server.person();
    const [first, second] = [await invite(kim), await invite(kim)];
    expect((await choose(first.invitationPath.split('=')[1]!)).status).toBe(400);
    expect((await choose(second.invitationPath.split('=')[1]!)).status).toBe(204);
  });
});

test('resetting two-step sign-in ends the sessions, and the next sign-in requires no code', async () => {
  const kim = await server.person();
  await server.db
    .insertInto('two_step')
    .values({ user_id: kim.id, secret: 'sealed', confirmed_at: new Date() })
    .execute();
  await server.db
    .insertInto('recovery_codes')
    .values({ user_id: kim.id, code_hash: tokenHash('code') })
    .execute();
  expect((await login(server, kim.email, PASSWORD)).body.code).toBe('TWO_STEP_REQUIRED');
  await inTransaction(ctx, (inner) => access.resetTwoStep(inner, kim.id));
  expect((await server.call('GET /auth/me', { token: kim.token })).status).toBe(401);
  expect((await login(server, kim.email, PASSWORD)).status).toBe(200);
  expect(await server.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
});
