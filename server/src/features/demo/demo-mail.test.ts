import { MAX_MAILBOX_MESSAGES } from '@forecourt/contract/demo-limits';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, TEST_KEY, type TestApp } from '../../../test/app.ts';
import { createClock } from '../../platform/clock.ts';
import { readConfig } from '../../platform/config.ts';
import { newId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createEmailSettingsService } from '../email-settings/email-settings.service.ts';
import { connectPeople } from './demo-mail.service.ts';
import { fillDemo } from './demo.service.ts';
import { openDemoMail, type DemoMail } from './mail-server.ts';

const clock = createClock('Australia/Sydney');
const settings = createEmailSettingsService({ secrets: createSecrets(TEST_KEY), config: readConfig({}) });

describe('the mail of a demo', () => {
  let mail: DemoMail;
  let server: TestApp;
  let token: string;
  let lenaId: string;
  beforeAll(async () => {
    mail = await openDemoMail(clock);
    server = await testApp({ UNDO_SEND_SECONDS: 0 }, { demoMail: mail });
    const { email, password } = (await fillDemo(server.db, clock))[2]!;
    await connectPeople(server.db, settings, mail);
    const reply = await server.call('POST /auth/login', { body: { email, password } });
    token = reply.body.token;
    lenaId = reply.body.user._id;
  });
  afterAll(async () => {
    await server.close();
    await mail.close();
  });

  const get = (path: string) => server.call(`GET ${path}`, { token });
  const account = () => settings.senderAccount(server.db, lenaId).then((sender) => sender!.open());

  test('the mail of a demo returns 404 for an unknown message', async () => {
    expect(await get(`/demo/mailbox/${newId()}`)).toMatchObject({ status: 404 });
  });

  test('the mail of a demo delivers an email from the row through the queue into the mailbox unchanged', async () => {
    expect((await get('/demo')).body).toEqual({ isDemo: true, hasTypedRow: false, hasSentEmail: false });
    // A row of the demo may have an email already: which rows have one depends on the day.
    const { items } = (await get('/deals?limit=100')).body;
    const deal = items.find(({ emailStatus }: { emailStatus: string | null }) => emailStatus === null);
    const sent = await server.call(`POST /deals/${deal._id}/email`, { token, body: {} });
    expect(sent).toMatchObject({ status: 200 });
    await expect.poll(() => mail.messages()).toHaveLength(1);

    const { body: list } = await get('/demo/mailbox');
    expect(list).toEqual({
      total: 1,
      items: [
        {
          _id: expect.any(String),
          from: 'Lena Fraser <lena@demo.example>',
          to: [expect.stringMatching(/@.*\.example>?$/)],
          cc: [expect.stringMatching(/desk@.*\.example>?$/)],
          subject: expect.stringMatching(/\w/),
          receivedAt: expect.any(String),
        },
      ],
    });
    const { body: message } = await get(`/demo/mailbox/${list.items[0]._id}`);
    expect(message).toMatchObject({ ...list.items[0], text: expect.stringContaining(deal.customerName) });
    expect(message.html).toContain('<');
    expect((await get('/demo')).body).toMatchObject({ hasTypedRow: false, hasSentEmail: true });
  });

  test('the mail of a demo configures that server only for every user: no mail leaves this machine', async () => {
    const servers = await server.db
      .selectFrom('users')
      .leftJoin('email_settings', 'user_id', 'users.id')
      .select(['smtp_host', 'smtp_port'])
      .execute();
    expect(servers).toEqual(
      Array.from({ length: 6 }, () => ({ smtp_host: '127.0.0.1', smtp_port: mail.account.port })),
    );
  });

  test('the mail of a demo rejects a wrong password, and a message of more than 1 MB', async () => {
    const { host, port, user, password } = mail.account;
    const send = (pass: string, text: string) =>
      createTransport({ host, port, secure: false, auth: { user, pass } }).sendMail({
        from: 'a@b.example',
        to: 'c@d.example',
        text,
      });
    await expect(send('wrong', 'Hello')).rejects.toMatchObject({ responseCode: 535 });
    await expect(send(password, 'x'.repeat(2 ** 21))).rejects.toMatchObject({ responseCode: 552 });
    expect(mail.messages()).toHaveLength(1);
  });

  test('the mail of a demo stores the newest 200', async () => {
    const { host, port, user, password } = mail.account;
    const transport = createTransport({
      host,
      port,
      secure: false,
      auth: { user, pass: password },
      pool: true,
    });
    for (let number = 1; number <= MAX_MAILBOX_MESSAGES + 1; number += 1)
      await transport.sendMail({ from: 'a@b.example', to: 'c@d.example', subject: `No. ${number}` });
    transport.close();
    const { body } = await get('/demo/mailbox');
    expect(body.total).toBe(MAX_MAILBOX_MESSAGES);
    expect([body.items[0].subject, body.items.at(-1).subject]).toEqual([
      `No. ${MAX_MAILBOX_MESSAGES + 1}`,
      'No. 2',
    ]);
  });

  test('the mail of a demo replaces the former demo server at the next start, and preserves other servers', async () => {
    await server.db
      .updateTable('email_settings')
      .set({ smtp_host: 'mail.office.example' })
      .where('user_id', '!=', lenaId)
      .execute();
    const next = await openDemoMail(clock);
    await connectPeople(server.db, settings, next);
    expect(await account()).toMatchObject({ port: next.account.port, password: next.account.password });
    const elsewhere = await server.db
      .selectFrom('email_settings')
      .select('user_id')
      .where('smtp_host', '=', 'mail.office.example')
      .execute();
    expect(elsewhere).toHaveLength(5);
    await next.close();
  });
});

test('a server has no mailbox outside of a demo, also for administrators', async () => {
  const server = await testApp();
  const { token } = await server.person({ role: 'admin' });
  expect((await server.call('GET /demo', { token })).body).toMatchObject({ isDemo: false });
  for (const path of ['/demo/mailbox', `/demo/mailbox/${newId()}`])
    expect(await server.call(`GET ${path}`, { token })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  await server.close();
});
