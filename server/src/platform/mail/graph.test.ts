import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGraph, type Graph } from '../../../test/graph.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { MimeMessage } from './mime-message.ts';
import { createTransports, type Transports } from './transports.ts';
import { tryMailbox } from './verify.ts';

const ADDRESS = 'zoe@example.com';
const SCOPES = ['Mail.Send', 'User.Read'];
const config = { HOST: '127.0.0.1', PORT: 1, DATABASE_URL: undefined, STRICT_OUTBOUND: false };
const outbound = createOutbound(config);
const message: MimeMessage = {
  messageId: '<019aa@example.com>',
  date: new Date('2026-11-20T01:02:03Z'),
  from: { name: 'Zoë', address: ADDRESS },
  to: ['sam@dealer.example', 'lee@dealer.example'],
  cc: ['pat@dealer.example'],
  subject: 'Übergabe – {{x}} <b>',
  html: '<p>Guten Tag, Zoë</p>',
  text: 'Guten Tag, Zoë\n',
};

let graph: Graph;
let scopes: string[];
let transports: Transports;
beforeEach(async () => {
  scopes = SCOPES;
  graph = await openGraph({
    address: ADDRESS,
    holds: (token, scope) => token === 'good' && scopes.includes(scope),
  });
  transports = createTransports(outbound);
});
afterEach(async () => {
  transports.close();
  await graph.close();
});

const account = (changes = {}) => ({ graph: graph.url, user: ADDRESS, accessToken: 'good', ...changes });
const signal = new AbortController().signal;
const send = (changes: Partial<MimeMessage> = {}, by = account()) =>
  transports.send('zoe', by, { ...message, ...changes }, signal);
const bytes = (size: number) => ({
  name: 'plan.pdf',
  type: 'application/pdf',
  content: Buffer.alloc(size, 'x'),
});

test('Graph gets the message unchanged, with its Message-ID, its files and no Bcc', async () => {
  await expect(send({ attachments: [bytes(9)] })).resolves.toBe('202 Accepted r-1');
  expect(graph.accepted[0]).toMatchObject({
    messageId: '<019aa@example.com>',
    from: { name: 'Zoë', address: ADDRESS },
    to: [{ address: 'sam@dealer.example' }, { address: 'lee@dealer.example' }],
    cc: [{ address: 'pat@dealer.example' }],
    subject: 'Übergabe – {{x}} <b>',
    attachments: [{ filename: 'plan.pdf', mimeType: 'application/pdf' }],
  });
  expect(graph.accepted[0]!.bcc).toBeUndefined();
  expect(graph.accepted[0]!.html).toContain('Guten Tag, Zoë');
});

test('a message that some recipients have already goes to the others only', async () => {
  await send({ recipients: ['lee@dealer.example', 'pat@dealer.example'] });
  expect(graph.accepted[0]!.to).toMatchObject([{ address: 'lee@dealer.example' }]);
  expect(graph.accepted[0]!.cc).toMatchObject([{ address: 'pat@dealer.example' }]);
});

test('the header of a message cannot be extended by a line break, as with SMTP', async () => {
  await expect(send({ subject: 'x\r\nBcc: eve@evil.example' })).rejects.toMatchObject({
    step: 'message',
    isPermanent: true,
  });
  expect(graph.arrived()).toBe(0);
});

test.each([
  [
    { status: 429, headers: { 'retry-after': '120' } },
    { isPermanent: false, retryAfterSeconds: 120 },
  ],
  [{ status: 503 }, { step: 'connection', isPermanent: false, isUnknown: false }],
  [{ status: 504 }, { step: 'connection', isPermanent: false, isUnknown: true }],
  ['drop' as const, { step: 'connection', isPermanent: false, isUnknown: true }],
  [
    { status: 401, code: 'InvalidAuthenticationToken' },
    { step: 'signIn', isPermanent: true },
  ],
  [
    { status: 403, code: 'ErrorAccessDenied' },
    { step: 'signIn', isPermanent: true },
  ],
  [
    { status: 403, code: 'ErrorSendAsDenied' },
    { step: 'sender', isPermanent: true },
  ],
  [
    { status: 404, code: 'MailboxNotEnabledForRESTAPI' },
    { step: 'signIn', isPermanent: true },
  ],
  [{ status: 413 }, { step: 'message', isPermanent: true, isUnknown: false }],
  [
    { status: 400, code: 'ErrorInvalidRecipients' },
    { step: 'message', isPermanent: true },
  ],
])('the refusal %j of a message is told apart: %j', async (reply, failure) => {
  graph.next(reply);
  await expect(send()).rejects.toMatchObject({ name: 'Error', ...failure });
  await expect(send(), 'the next message').resolves.toMatch(/^202/);
});

test('a message larger than Graph accepts is refused before it is sent, with the limit', async () => {
  await expect(send({ attachments: [bytes(2 * 1024 * 1024)] })).resolves.toMatch(/^202/);
  await expect(send({ attachments: [bytes(3 * 1024 * 1024)] })).rejects.toMatchObject({
    step: 'message',
    isPermanent: true,
    message: expect.stringContaining('2 MB'),
  });
  expect(graph.arrived()).toBe(1);
});

test('a server that cannot be reached is known not to have the message', async () => {
  await graph.close();
  await expect(send()).rejects.toMatchObject({ step: 'connection', isPermanent: false, isUnknown: false });
  graph = await openGraph({ address: ADDRESS, holds: () => true });
});

test('no request is made to an address that mail must not go to, nor one without encryption', async () => {
  const strict = createTransports(createOutbound({ ...config, STRICT_OUTBOUND: true }));
  const refused = strict.send('zoe', account(), message, signal);
  await expect(refused).rejects.toMatchObject({
    message: 'Connections to this mail server are not allowed.',
  });
  strict.close();
  const plain = send({}, account({ graph: 'http://203.0.114.9/v1.0' }));
  await expect(plain).rejects.toMatchObject({ step: 'tls', isPermanent: true });
  expect(graph.arrived()).toBe(0);
});

test('a test of the mailbox passes without a message, and names what is missing', async () => {
  await expect(tryMailbox(outbound, account())).resolves.toBeUndefined();
  await expect(tryMailbox(outbound, account({ accessToken: 'bad' }))).rejects.toMatchObject({
    step: 'signIn',
  });
  await expect(tryMailbox(outbound, account({ user: 'sales@example.com' }))).rejects.toMatchObject({
    step: 'sender',
    message: expect.stringContaining(ADDRESS),
  });
  scopes = ['User.Read'];
  await expect(tryMailbox(outbound, account())).rejects.toMatchObject({
    step: 'signIn',
    message: expect.stringContaining('Grant admin consent'),
  });
  expect(graph.arrived()).toBe(0);
});
