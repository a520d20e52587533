import { afterAll, describe, expect, test } from 'vitest';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { readMail } from '../../../test/smtp.ts';
import { contacts, countEmails, openOffice, refused } from './office.fixture.ts';

const NOBODY = '01930000-0000-7000-8000-00000000ffff';
const office = await openOffice();
const { server, mail, admin, clerk, templateId, dealershipId, dealId, send } = office;
afterAll(() => office.close());

describe('sending', () => {
  test('needs a session', async () => {
    expect((await server.call(`POST /email-templates/${templateId}/send`, { body: { dealId } })).status).toBe(
      401,
    );
  });

  test.each([
    [{}, { dealId: 'A deal or a dealership is required' }],
    [{ to: ['thief@example.com'] }, { 'to.0': expect.stringContaining('not an active contact') }],
    [{ to: ['gone@dealer.example'] }, { 'to.0': expect.stringContaining('not an active contact') }],
    [{ to: ['wendy@dealer.example'] }, { 'to.0': expect.stringContaining('not an active contact') }],
    [{ cc: ['thief@example.com'] }, { 'cc.0': expect.stringContaining('not an active contact') }],
    [{ to: ['sam@dealer.example\r\nBcc: x@y.example'] }, { 'to.0': expect.any(String) }],
    [{ to: ['Sam <sam@dealer.example>'] }, { 'to.0': expect.any(String) }],
    [{ to: Array.from({ length: 51 }, (_, n) => `a${n}@d.example`) }, { to: 'At most 50 recipients' }],
    [{ variables: { nope: '1' } }, { 'variables.nope': 'This template has no such variable' }],
    [{ bcc: ['x@y.example'] }, { bcc: 'Unknown field' }],
    [{ dealershipId: NOBODY }, { dealershipId: 'The deal belongs to another dealership' }],
  ])('refuses %j and writes nothing', async (changes, errors) => {
    const before = await countEmails(server);
    const body = 'dealId' in errors ? changes : { dealId, ...changes };
    expect(await send(body)).toMatchObject({ status: 400, body: { errors } });
    expect(await countEmails(server)).toBe(before);
  });

  test('is for people with the page dataEntry', async () => {
    const pageless = await server.person({ permissions: { pages: { dataEntry: false } } });
    expect((await send({ dealId }, { token: pageless.token })).status).toBe(403);
  });

  test('a template that is neither visible nor used there is not there, nor is an unknown deal', async () => {
    const hidden = await addTemplate(server, admin, { name: 'Hidden' });
    expect((await send({ dealId }, { id: hidden })).status).toBe(404);
    expect((await send({ dealId: NOBODY })).status).toBe(404);
    expect((await send({ dealershipId: NOBODY })).status).toBe(404);
    expect((await send({ dealId }, { id: NOBODY })).status).toBe(404);
  });

  test('a template that a contact names may be used without being opened', async () => {
    const weekly = await addTemplate(server, admin, { name: 'WEEKLY' });
    expect((await server.call(`GET /email-templates/${weekly}`, { token: clerk.token })).status).toBe(404);
    const { status, body } = await send({ dealId }, { id: weekly });
    expect(status).toBe(202);
    expect(body.to).toEqual(['wendy@dealer.example']);
  });

  test('the templates to choose from are the ones that may be used, the default first, and names only', async () => {
    const own = await openOffice();
    await addTemplate(own.server, own.admin, { name: 'Weekly' });
    await addTemplate(own.server, own.admin, { name: 'Unrelated' });
    await addTemplate(own.server, own.admin, { name: 'Sketch', status: 'draft' });
    const ask = async (token: string) =>
      (await own.server.call(`GET /deals/${own.dealId}/templates`, { token })).body.items;
    const forClerk = await ask(own.clerk.token);
    expect(
      forClerk.map(({ name, isDefault }: { name: string; isDefault: boolean }) => [name, isDefault]),
    ).toEqual([
      ['Daily', true],
      ['Weekly', false],
    ]);
    expect(Object.keys(forClerk[0])).toEqual(['_id', 'name', 'isDefault']);
    const forAdmin = (await ask(own.admin.token)).map(({ name }: { name: string }) => name);
    expect(forAdmin).toEqual(expect.arrayContaining(['Daily', 'Unrelated', 'Weekly']));
    expect(forAdmin).not.toContain('Sketch');
    await own.close();
  });

  test('a draft, an inactive dealership, a missing value and a missing mail server each stop it in words', async () => {
    const body = { name: 'Drafty', status: 'draft' };
    const draft = await addTemplate(server, admin, body);
    expect(await send({ dealId }, { id: draft, token: admin.token })).toMatchObject(
      refused(/Drafty is a draft/),
    );

    const closed = await addDealership(server, admin, {
      name: 'Closed',
      active: false,
      defaultEmailTemplateId: templateId,
      contacts,
    });
    expect(await send({ dealershipId: closed })).toMatchObject(
      refused('Closed is inactive. customer has no value.'.replace('customer', 'Customer')),
    );

    const lonely = await server.person({ name: 'Lone Ly' });
    expect(await send({ dealId }, { token: lonely.token })).toMatchObject(
      refused(/mail server is not configured/),
    );
  });

  test('nobody to send to is said, with the names', async () => {
    const empty = await addDealership(server, admin, { name: 'Empty', defaultEmailTemplateId: templateId });
    const deal = await addDeal(server, clerk, empty);
    expect(await send({ dealId: deal._id })).toMatchObject(refused('Empty has no active contact for Daily'));
    expect(await send({ dealId, to: [] })).toMatchObject(refused('Nobody is in To'));
  });

  test('a missing required value names the variable and the deal', async () => {
    const variables = [
      {
        key: 'rego',
        label: 'Registration',
        category: 'deal',
        defaultValue: '',
        description: '',
        linkedData: 'deal.vehicle',
        required: true,
      },
    ];
    const id = await addTemplate(server, admin, {
      name: 'Rego',
      subject: '{{rego}}',
      document: { blocks: [] },
      variables,
    });
    expect(await send({ dealId }, { id, token: admin.token })).toMatchObject(
      refused('Registration has no value in the deal of Ann <b>Example.'),
    );
    expect(
      (await send({ dealId, variables: { rego: 'ABC123', _session: 'x' } }, { id, token: admin.token })).body,
    ).toMatchObject({
      subject: 'ABC123',
      to: ['sam@dealer.example', 'wendy@dealer.example'],
    });
  });

  test('once sent, is out of date as soon as something that it told of the deal is edited', async () => {
    const { _id } = await addDeal(server, clerk, dealershipId, { customerName: 'Una' });
    const deal = () => server.call(`GET /deals/${_id}`, { token: clerk.token });
    const edit = async (changes: object) => {
      const { version } = (await deal()).body;
      await server.call(`PATCH /deals/${_id}`, { token: clerk.token, body: { version, ...changes } });
      return (await deal()).body.isChangedSinceSent;
    };
    await edit({ customerName: 'Ute' });
    const { body } = await send({ dealId: _id });
    expect(await edit({ customerName: 'Uma' })).toBe(false);
    await server.db.updateTable('emails').set({ status: 'sent' }).where('id', '=', body._id).execute();
    expect((await deal()).body.isChangedSinceSent).toBe(true);
    const corrected = await send({ dealId: _id });
    await server.db
      .updateTable('emails')
      .set({ status: 'sent' })
      .where('id', '=', corrected.body._id)
      .execute();
    expect(await edit({ notes: 'not in the mail' })).toBe(false);
    expect(await edit({ customerName: 'Ulf' })).toBe(true);
  });

  test('queues the final text, the log entry and the job; the deal shows it', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { customerName: 'Bea' });
    const { status, body } = await send({ dealId: deal._id });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: 'queued',
      templateId,
      templateName: 'Daily',
      templateVersion: 1,
      deals: [{ _id: deal._id, customerName: 'Bea' }],
      dealershipName: 'Harbour New Cars',
      senderId: clerk.id,
      from: clerk.email,
      to: ['sam@dealer.example'],
      cc: ['pat@dealer.example'],
      subject: 'About Bea',
      attempts: 0,
      cancellableUntil: expect.any(String),
      messageId: expect.stringMatching(/^<[^<>@\s]+@example\.com>$/),
    });
    expect(await newestAudit(server, body._id)).toMatchObject({
      action: 'email.created',
      actor_id: clerk.id,
      version: 1,
    });
    expect((await server.call(`GET /deals/${deal._id}`, { token: clerk.token })).body.emailStatus).toBe(
      'queued',
    );
    // A later change of the template changes nothing that is in the queue.
    expect((await server.call(`GET /email/logs/${body._id}`, { token: clerk.token })).body).toMatchObject({
      text: 'Dear Bea\n',
      html: expect.stringContaining('Dear Bea'),
    });
  });

  test.each(['\u0000', '\ud83d'])('a value with %j is refused', async (half) => {
    expect(await send({ dealId, variables: { customer: `Bo${half}` } })).toMatchObject({
      status: 400,
      body: { errors: { 'variables.customer': expect.any(String) } },
    });
  });

  test('an emoji where the subject is cut stays whole', async () => {
    const customer = `${'x'.repeat(293)}😀 tail`;
    expect(await send({ dealId, variables: { customer } })).toMatchObject({
      status: 202,
      body: { subject: `About ${'x'.repeat(293)}😀` },
    });
  });

  test('a template that messages were sent with can be deleted; they keep its name', async () => {
    const name = 'Once and never again';
    const id = await addTemplate(server, admin, { name });
    const { body } = await send({ dealId }, { id, token: admin.token });
    const removal = await server.call(`DELETE /email-templates/${id}`, { token: admin.token });
    expect(removal.status).toBe(204);
    const entry = await server.call(`GET /email/logs/${body._id}`, { token: admin.token });
    expect(entry).toMatchObject({ status: 200, body: { templateId: null, templateName: name } });
  });

  test('the same Idempotency-Key sends once', async () => {
    const before = await countEmails(server);
    const headers = { 'idempotency-key': 'send-1' };
    const first = await send({ dealId }, { headers });
    const second = await send({ dealId }, { headers });
    expect(second.body).toEqual(first.body);
    expect(await countEmails(server)).toBe(before + 1);
  });

  test('a test goes to oneself at once and says nothing about the deal', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { customerName: 'Tess' });
    const { status, body } = await send({ dealId: deal._id, to: [clerk.email.toUpperCase()] });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: 'sent',
      to: [clerk.email],
      cc: [],
      deals: [],
      cancellableUntil: null,
      attempts: 1,
    });
    expect(await readMail(mail.accepted.at(-1)!)).toMatchObject({
      messageId: body.messageId,
      subject: 'About Tess',
    });
    expect((await server.call(`GET /deals/${deal._id}`, { token: clerk.token })).body.emailStatus).toBeNull();
  });

  test('with an Idempotency-Key the answer is part of the transaction and the attempt follows it', async () => {
    const reply = await send({ dealId, to: [clerk.email] }, { headers: { 'idempotency-key': 'test-1' } });
    expect(reply).toMatchObject({ status: 202, body: { status: 'queued' } });
    const path = `GET /email/logs/${reply.body._id}`;
    await expect.poll(async () => (await server.call(path, { token: clerk.token })).body.status).toBe('sent');
  });

  test("a refused test is told with the server's words", async () => {
    mail.next({ code: 550, words: 'not today' });
    expect(await send({ dealId, to: [clerk.email] })).toMatchObject(refused(/550.*not today/));
  });
});
