import tls from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { TEST_CERTIFICATE } from '../../../test/certificate.ts';
import { openSmtpLine } from '../../../test/smtp-line.ts';
import { openMailServer, readMail, type MailServer } from '../../../test/smtp.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { MimeMessage } from './mime-message.ts';
import { openScriptedServer } from './scripted-server.fixture.ts';
import type { SmtpAccount } from './smtp-account.ts';
import { SMTP_LIMITS } from './smtp.ts';
import { createTransports, type Transports } from './transports.ts';
import { verifyAccount } from './verify.ts';

const outbound = createOutbound({
  HOST: '127.0.0.1',
  PORT: 1,
  DATABASE_URL: undefined,
  STRICT_OUTBOUND: false,
});
const message: MimeMessage = {
  messageId: '<019aa@example.com>',
  date: new Date('2026-11-20T01:02:03Z'),
  from: { name: 'Zoë, "Z"', address: 'zoe@example.com' },
  to: ['sam@dealer.example'],
  cc: ['pat@dealer.example'],
  subject: 'Übergabe – {{x}} <b>',
  html: '<p>Guten Tag, Zoë</p>',
  text: 'Guten Tag, Zoë\n',
};
const signal = new AbortController().signal;

let server: MailServer | undefined;
let transports: Transports | undefined;
afterEach(async () => {
  transports?.close();
  await server?.close();
});

async function open(options: Parameters<typeof openMailServer>[0] = {}, limits = SMTP_LIMITS) {
  server = await openMailServer(options);
  transports = createTransports(outbound, limits);
  const account: SmtpAccount = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    user: 'zoe',
    password: 'pw',
  };
  return {
    server,
    account,
    send: (changes: Partial<MimeMessage> = {}, by = account) =>
      transports!.send('zoe', by, { ...message, ...changes }, signal),
  };
}

test('a transport delivers a message unchanged, as HTML and text, with an explicit envelope and no Bcc', async () => {
  const { server, send } = await open({ password: 'pw' });
  await expect(send()).resolves.toMatch(/^250 /);
  const { envelope, raw } = server.accepted[0]!;
  expect(envelope).toEqual({ from: 'zoe@example.com', to: ['sam@dealer.example', 'pat@dealer.example'] });
  const mail = await readMail(server.accepted[0]!);
  expect(mail).toMatchObject({
    messageId: '<019aa@example.com>',
    date: '2026-11-20T01:02:03.000Z',
    from: { name: 'Zoë, "Z"', address: 'zoe@example.com' },
    to: [{ address: 'sam@dealer.example' }],
    cc: [{ address: 'pat@dealer.example' }],
    subject: 'Übergabe – {{x}} <b>',
  });
  expect(mail.html).toContain('Guten Tag, Zoë');
  expect(mail.text).toContain('Guten Tag, Zoë');
  expect(raw).toMatch(/content-type: multipart\/alternative/i);
  expect(raw).not.toMatch(/^bcc:/im);
});

test('reuses one connection for many messages, and opens a new one for a changed account', async () => {
  const { server, account, send } = await open();
  await send({ messageId: '<1@example.com>' });
  await send({ messageId: '<2@example.com>' });
  expect(server.connections()).toBe(1);
  await send({ messageId: '<3@example.com>' }, { ...account, password: 'other' });
  expect(server.connections()).toBe(2);
});

test('a transport keeps the connection of a changed account when a message of the former one fails', async () => {
  const { server, account, send } = await open({}, { ...SMTP_LIMITS, silenceMs: 3000 });
  server.next('hang');
  const failed = send().catch((failure: unknown) => failure);
  await expect.poll(() => server.arrived.length).toBe(1);
  const changed = { ...account, password: 'other' };
  await send({ messageId: '<2@example.com>' }, changed);
  expect(await failed).toMatchObject({ step: 'connection' });
  await send({ messageId: '<3@example.com>' }, changed);
  expect(server.connections()).toBe(2);
});

test('a transport returns the text of a temporary rejection, not as permanent', async () => {
  const { server, send } = await open();
  server.next({ code: 451, text: 'greylisted,\r\n later' });
  await expect(send()).rejects.toMatchObject({
    step: 'message',
    isPermanent: false,
    message: expect.stringContaining('greylisted'),
  });
});

test('a transport returns a permanent rejection as permanent', async () => {
  const { server, send } = await open();
  server.next({ code: 554, text: 'spam' });
  await expect(send()).rejects.toMatchObject({
    step: 'message',
    isPermanent: true,
    message: expect.stringContaining('554'),
  });
});

test('attributes a rejection that mentions certificates to the message', async () => {
  const { server, send } = await open();
  server.next({ code: 554, text: 'no SSL certificate offers' });
  await expect(send()).rejects.toMatchObject({ step: 'message', isPermanent: true });
});

const UNKNOWN = {
  step: 'connection',
  isPermanent: false,
  isUnknown: true,
  message: expect.stringContaining('The mail server may have delivered it.'),
};

test.each(['connected', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'dot'] as const)(
  'whether a message may have been delivered is known by where the connection was lost: at %s',
  async (point) => {
    const { server, account, send } = await open({ password: 'pw' });
    const line = await openSmtpLine(server.port);
    line.watch((here) => (here === point ? 'cut' : undefined));
    try {
      const failure = { isPermanent: false, isUnknown: point === 'dot' };
      await expect(send({}, { ...account, port: line.port })).rejects.toMatchObject(failure);
      expect(server.arrived).toHaveLength(point === 'dot' ? 1 : 0);
    } finally {
      await line.close();
    }
  },
);

test('a transport does not retry when the connection ends before the response', async () => {
  const { server, send } = await open();
  server.next('drop');
  await expect(send()).rejects.toMatchObject(UNKNOWN);
  expect(server.arrived).toHaveLength(1);
});

test('times out when a server stops responding, which may have delivered the message', async () => {
  const { server, send } = await open({}, { ...SMTP_LIMITS, silenceMs: 200 });
  server.next('hang');
  await expect(send()).rejects.toMatchObject(UNKNOWN);
});

test('times out when a server sends no greeting', async () => {
  const { send } = await open({ isSilent: true }, { ...SMTP_LIMITS, greetingMs: 200 });
  await expect(send()).rejects.toMatchObject({ step: 'connection', isPermanent: false });
});

test.each([
  { greeting: '554 internal-host.corp secret banner v1.2', isPermanent: true },
  { greeting: '421 secret' },
])(
  'a transport hides the server’s text sent before a message: %j',
  async ({ greeting, isPermanent = false }) => {
    const { account, send } = await open();
    const banner = await openScriptedServer(greeting);
    try {
      await expect(send({}, { ...account, port: banner.port })).rejects.toMatchObject({
        step: 'connection',
        isPermanent,
        message: 'The mail server did not answer as a mail server does. Check SMTP Host and SMTP Port.',
      });
    } finally {
      await banner.close();
    }
  },
);

test('a transport reports a rejected sign-in with our own message', async () => {
  const { send } = await open({ password: 'another' });
  await expect(send()).rejects.toMatchObject({
    step: 'signIn',
    isPermanent: true,
    message: 'The mail server did not accept the username and password.',
  });
});

test.each([
  [
    535,
    '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox.',
    'Authenticated SMTP',
  ],
  [
    535,
    "5.7.139 Authentication unsuccessful, user is locked by your organization's security defaults policy.",
    'security defaults',
  ],
  [
    550,
    '5.7.30 Basic authentication is not supported for Client Submission.',
    'Connect the mailbox in General Settings',
  ],
])(
  'a sign-in refused by Exchange Online with %i %s leads to what resolves it',
  async (code, text, advice) => {
    const { account, send } = await open({ password: 'another', signInRefusal: { code, text } });
    const failure = { step: 'signIn', message: expect.stringContaining(advice) };
    await expect(send()).rejects.toMatchObject({ ...failure, isPermanent: true });
    const test = verifyAccount(outbound, { ...account, password: 'pw' }, 'zoe@example.com');
    await expect(test).rejects.toMatchObject(failure);
  },
);

test('a message refused by Exchange Online for its sender names the mailbox to connect', async () => {
  const { server, send } = await open();
  server.next({
    code: 554,
    text: '5.2.252 SendAsDenied; zoe@example.com not allowed to send as sales@example.com',
  });
  await expect(send()).rejects.toMatchObject({
    step: 'message',
    isPermanent: true,
    message: expect.stringContaining('Send As'),
  });
});

test('a transport rejects a self-signed certificate with STARTTLS and TLS', async () => {
  const { server, send } = await open({ offersStartTls: true, password: 'pw' });
  await expect(send()).rejects.toMatchObject({ step: 'tls', isPermanent: false });
  expect(server.arrived).toHaveLength(0);
});

test.each([{ secure: true }, { offersStartTls: true }])(
  'encrypts sign-in and message when the server supports it: %j',
  async (options) => {
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
    try {
      const { server, account, send } = await open({ ...options, password: 'pw' });
      await send({}, { ...account, secure: options.secure ?? false });
      expect(server.accepted[0]!.isEncrypted).toBe(true);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  },
);

test('a transport reports a refused connection', async () => {
  const { server, send } = await open();
  await server.close();
  await expect(send()).rejects.toMatchObject({ step: 'connection', isPermanent: false });
});
