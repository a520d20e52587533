import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGraph, type Graph } from '../../../test/graph.ts';
import { openMailProvider, type TestProvider } from '../../../test/mail-provider.ts';
import { addAttachment } from '../../../test/uploads.ts';
import { openOffice, refused } from './office.fixture.ts';

let graph: Graph;
let microsoft: TestProvider;
let office: Awaited<ReturnType<typeof openOffice>>;
const providers: { microsoft?: TestProvider['provider'] } = {};
beforeAll(async () => {
  graph = await openGraph({
    address: 'cleo@shine.example',
    holds: (token, scope) => microsoft.holds(token, scope),
  });
  microsoft = await openMailProvider({ graph: graph.url });
  providers.microsoft = microsoft.provider;
  office = await openOffice({ UNDO_SEND_SECONDS: 0, mailProviders: providers });
});
afterAll(async () => {
  await office.close();
  await microsoft.close();
  await graph.close();
});

const byClerk = (route: string, body?: object) =>
  office.server.call(route, { token: office.clerk.token, ...(body && { body }) });
async function connect(address = 'cleo@shine.example') {
  const { body } = await byClerk('POST /email-settings/mailbox/connect', { provider: 'microsoft', address });
  return byClerk('POST /email-settings/mailbox/finish', await microsoft.consent(body.url));
}
const send = (body: object = {}) => office.send({ dealId: office.dealId, ...body });
const problem = async () => (await byClerk('GET /email-settings/mailbox')).body.problem;

test('an account with another mailbox is not connected, and the reason names its address', async () => {
  expect((await connect('sales@shine.example')).body).toMatchObject({
    code: 'MAIL_SERVER_REFUSED',
    details: expect.stringContaining('cleo@shine.example'),
    errors: { step: 'sender' },
  });
});

test('a deal and a test to oneself are sent by Graph from the connected mailbox, with the stored Message-ID', async () => {
  expect((await connect()).status).toBe(200);
  const { status, body } = await send();
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'sent', answer: '202 Accepted r-1', from: 'cleo@shine.example' });
  const test = await send({ to: [office.clerk.email] });
  expect(test.body.status).toBe('sent');
  expect(graph.accepted.map(({ messageId }) => messageId)).toEqual([body.messageId, test.body.messageId]);
  expect(graph.accepted[0]!.to).toMatchObject([{ address: 'sam@dealer.example' }]);
  expect(office.mail.arrived).toHaveLength(0);
});

test('a token that Microsoft has revoked before its time is replaced, and the message is sent', async () => {
  graph.next({ status: 401, code: 'InvalidAuthenticationToken' });
  const given = microsoft.tokensGiven();
  expect((await send()).body.status).toBe('sent');
  expect(microsoft.tokensGiven()).toBe(given + 1);
});

test('a message waits for as long as Graph asks for, and so do the others of the sender', async () => {
  graph.next({ status: 429, headers: { 'retry-after': '1800' } });
  const { body } = await send();
  expect(body.status).toBe('retrying');
  expect(Date.parse(body.nextAttemptAt) - Date.now()).toBeGreaterThan(1_700_000);
});

test('a message that Graph took without an answer may have arrived, also when it is cancelled', async () => {
  graph.next('drop');
  const { body } = await send();
  expect(body).toMatchObject({
    status: 'retrying',
    answer: expect.stringContaining('may have delivered it'),
  });
  expect((await byClerk(`POST /email/logs/${body._id}/cancel`)).body.status).toBe('unconfirmed');
});

test('files that Graph does not take are refused at once', async () => {
  const file = await addAttachment(office.server, office.clerk, Buffer.alloc(3 * 1024 * 1024, 'x'));
  expect((await send({ attachments: [file.body._id] })).body.errors.attachments).toContain('2 MB');
});

test('a mailbox connected for one way is told to connect again after a change to the other, and sends nothing', async () => {
  expect(await problem()).toBeNull();
  const arrived = graph.arrived();
  providers.microsoft = { ...microsoft.provider, server: { host: '127.0.0.1', port: 1, secure: false } };
  expect(await problem()).toContain('Connect it again in General Settings');
  expect(await send()).toMatchObject(refused(/Connect it again/));
  expect(graph.arrived()).toBe(arrived);
  providers.microsoft = microsoft.provider;
  expect((await send()).body.status).toBe('sent');
});
