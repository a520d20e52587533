import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { addDeal, addDealership, addTemplate } from '../../../test/builders.ts';
import { readMail } from '../../../test/smtp.ts';
import { configure, contact, countEmails, openOffice } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, templateId, dealershipId, dealId, send, preview } = office;
afterAll(() => office.close());

/** Invalid addresses for recipients and senders. */
const ODD_ADDRESSES = [
  '',
  ' ',
  'sam',
  'sam@',
  '@dealer.example',
  'sam@dealer.example\r\nRCPT TO:<thief@example.com>',
  'sam@dealer.example\nBcc: thief@example.com',
  'sam\r@dealer.example',
  'sam@dealer.example\u0000.thief.example',
  'sam@dealer.example\u2028thief@example.com',
  'Sam <sam@dealer.example>',
  '<sam@dealer.example>',
  '"sam"@dealer.example',
  '"thief@example.com "@dealer.example',
  'sam@dealer.example, thief@example.com',
  'sam@dealer.example;thief@example.com',
  'Everybody:sam@dealer.example;',
  '@relay.example:sam@dealer.example',
  'sam(comment)@dealer.example',
  'sam@[127.0.0.1]',
  'sam@dealer@thief.example',
  'sam@dealer..example',
  'sam thief@dealer.example',
  'sam@dealer.example SIZE=1',
  `${'s'.repeat(250)}@dealer.example`,
  ['sam@dealer.example'],
  { address: 'sam@dealer.example' },
  null,
];

/** Invalid header values. */
const BROKEN_LINES = [
  'x\r\nBcc: thief@example.com',
  'x\nBcc: thief@example.com',
  'x\rBcc: thief@example.com',
  'x\u0000',
  'x\ud83d',
];

describe('an odd address', () => {
  test.each(ODD_ADDRESSES)('%j is rejected in every address field, with its name', async (odd) => {
    const before = await countEmails(server);
    for (const field of ['to', 'cc']) {
      expect(await send({ dealId, [field]: [odd] })).toMatchObject({
        status: 400,
        body: { errors: { [`${field}.0`]: expect.any(String) } },
      });
    }
    const dealership = {
      name: 'Odd',
      address: '1 Pier Street',
      defaultEmailTemplateId: templateId,
      contacts: [contact('Sam', { email: odd })],
    };
    expect(await server.call('POST /dealerships', { token: admin.token, body: dealership })).toMatchObject({
      status: 400,
      body: { errors: { 'contacts.0.email': expect.any(String) } },
    });
    const settings = {
      smtpHost: '127.0.0.1',
      smtpPort: mail.port,
      smtpSecure: false,
      smtpUser: 'u',
      smtpPassword: 'p',
      smtpFromEmail: odd,
    };
    expect(await server.call('PUT /email-settings', { token: admin.token, body: settings })).toMatchObject({
      status: 400,
      body: { errors: { smtpFromEmail: expect.any(String) } },
    });
    expect(await countEmails(server)).toBe(before);
  });
});

describe('a line break, a NUL or half a character', () => {
  test.each(BROKEN_LINES)(
    '%j is rejected in every name that reaches a header, with the field named',
    async (line) => {
      const refusals = [
        [
          'POST /email-templates',
          { name: line, subject: 'x', document: { blocks: [] }, variables: [] },
          'name',
        ],
        [
          'POST /email-templates',
          { name: 'x', subject: line, document: { blocks: [] }, variables: [] },
          'subject',
        ],
        [`PUT /users/${admin.id}`, { name: line }, 'name'],
        [
          'POST /dealerships',
          {
            name: 'Broken',
            address: 'x',
            defaultEmailTemplateId: templateId,
            contacts: [contact('Sam', { name: line })],
          },
          'contacts.0.name',
        ],
        ['POST /deals', { dealershipId, customerName: line }, 'customerName'],
      ] as const;
      for (const [route, body, field] of refusals) {
        expect(await server.call(route, { token: admin.token, body }), route).toMatchObject({
          status: 400,
          body: { errors: { [field]: expect.any(String) } },
        });
      }
    },
  );

  test('a line break, a NUL or half a character in multi-line notes never adds a header, a recipient or a command', async () => {
    const line = await openRecorder(mail.port);
    await configure(server, admin, clerk, line.port);
    const attack =
      'x\n.\nRSET\nMAIL FROM:<thief@example.com>\nRCPT TO:<thief@example.com>\nDATA\nBcc: thief@example.com';
    const variable = { key: 'notes', label: 'Notes', category: 'deal', linkedData: 'deal.notes' };
    const id = await addTemplate(server, admin, {
      name: 'Notes',
      subject: '{{notes}}',
      document: { blocks: [{ type: 'paragraph', content: [{ type: 'text', text: '{{notes}}' }] }] },
      variables: [{ ...variable, defaultValue: '', description: '', required: false }],
    });
    const noted = await addDealership(server, admin, {
      name: 'Noted',
      defaultEmailTemplateId: id,
      contacts: [contact('Sam', { templateName: 'Notes' })],
    });
    const there = await addDeal(server, clerk, noted, { customerName: 'Ann', notes: attack });
    const arrived = mail.arrived.length;
    expect((await send({ dealId: there._id, to: [clerk.email] }, { id })).status).toBe(200);
    await mail.whenArrived(arrived + 1);
    const received = mail.accepted.at(-1)!;
    expect(received.envelope).toEqual({ from: clerk.email, to: [clerk.email] });
    const message = await readMail(received);
    expect(message.subject).toBe(attack.replaceAll('\n', ' '));
    expect(message.text).toContain(attack);
    expect(message.bcc ?? []).toEqual([]);
    expect(line.commands()).toEqual([
      expect.stringMatching(/^EHLO /),
      expect.stringMatching(/^AUTH PLAIN /),
      expect.stringMatching(`^MAIL FROM:<${clerk.email}>`),
      expect.stringMatching(`^RCPT TO:<${clerk.email}>`),
      'DATA',
    ]);
    await line.close();
    await configure(server, admin, clerk, mail.port);
  });
});

describe('variables', () => {
  test('variables of an email without declaration are rejected by name, those with an underscore are dropped', async () => {
    expect(await send({ dealId, variables: { constructor: 'x' } })).toMatchObject({
      status: 400,
      body: { errors: { 'variables.constructor': 'This template has no such variable' } },
    });
    const given = { _id: 'stolen', _customer: 'stolen', _: 'stolen', __proto__: 'stolen' };
    const { status, body } = await preview({ templateId, dealId, variables: given });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('stolen');
  });

  test('variables of an email with an underscore are dropped whatever they are', async () => {
    const given = { _row: { id: 7 }, _count: 7, [`_${'x'.repeat(60)}`]: 'x', _text: 'x'.repeat(3000) };
    expect((await preview({ templateId, dealId, variables: given })).status).toBe(200);
    for (const variables of [[], ['_a'], 'text', null])
      expect(await preview({ templateId, dealId, variables })).toMatchObject({
        status: 400,
        body: { errors: { variables: expect.any(String) } },
      });
  });

  test('variables of an email processes 256 KB of braces at once, and names the field when they are too many', async () => {
    const run = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });
    const template = (blocks: object[]) => ({
      name: 'Braces',
      subject: 'x',
      document: { blocks },
      variables: [],
    });
    for (const braces of ['{', '}', '{{', '{{a', '{{a}', '{{{{a}}}}']) {
      const text = braces.repeat(20_000 / braces.length);
      const fits = Array.from({ length: 12 }, () => run(text));
      const tooMany = Array.from({ length: 14 }, () => run(text));
      expect((await preview({ template: template(fits), dealId }, admin.token)).status).toBe(200);
      expect(
        await server.call('POST /email-templates', { token: admin.token, body: template(tooMany) }),
      ).toMatchObject({ status: 400, body: { errors: { document: 'Must be at most 256 KB' } } });
      expect(
        await send({ dealId, variables: { customer: braces.repeat(128_000 / braces.length) } }),
      ).toMatchObject({
        status: 400,
        body: { errors: { 'variables.customer': 'Must be at most 2000 characters' } },
      });
    }
  });
});

test('a draft cannot be sent by any route', async () => {
  const draft = await addTemplate(server, admin, { name: 'Sketch', status: 'draft' });
  const before = await countEmails(server);
  const { token } = admin;
  const again = { templateId: draft, again: true };
  for (const [route, body] of [
    [`POST /email-templates/${draft}/send`, { dealId, again: true }],
    [`POST /email-templates/${draft}/send`, { dealId, again: true, to: [admin.email] }],
    [`POST /deals/${dealId}/email`, again],
    ['POST /deals/bulk/email', { ids: [dealId], ...again }],
  ] as const) {
    expect(await server.call(route, { token, body }), route).toMatchObject({
      status: 400,
      body: { code: 'SEND_REFUSED', details: expect.stringContaining('Sketch is a draft') },
    });
  }
  expect(await countEmails(server)).toBe(before);
});

/** A connection to a mail server that records the client's commands. */
async function openRecorder(port: number) {
  let output = '';
  const clients = new Set<Socket>();
  const recorder = createServer((client) => {
    clients.add(client);
    const onward = connect(port, '127.0.0.1');
    client.on('data', (chunk) => (output += chunk.toString('utf8')));
    client.on('error', () => onward.destroy());
    onward.on('error', () => client.destroy());
    client.pipe(onward).pipe(client);
  });
  await new Promise<void>((resolve) => void recorder.listen(0, '127.0.0.1', resolve));
  return {
    port: (recorder.address() as AddressInfo).port,
    /** Returns the commands without message data, which end with a single dot on a line. */
    commands: () =>
      output
        .replace(/(^|\r\n)DATA\r\n[^]*?\r\n\.\r\n/g, '$1DATA\r\n')
        .split('\r\n')
        .filter((line) => line !== ''),
    close: () =>
      new Promise<void>((resolve) => {
        recorder.close(() => resolve());
        for (const client of clients) client.destroy();
      }),
  };
}
