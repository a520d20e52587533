import { afterAll, describe, expect, test } from 'vitest';
import {
  ABSENT_ID,
  addDeal,
  addDealership,
  addTemplate,
  changePermissions,
  newestAudit,
} from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import { readMail } from '../../../test/smtp.ts';
import { contacts, countEmails, openOffice, refused } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, templateId, dealershipId, dealId, send } = office;
afterAll(() => office.close());

describe('sending', () => {
  test('sending an email to a customer on the Do not contact list is refused in words, to a contact with a listed address is not', async () => {
    const body = { values: ['cara@buyer.example', 'sam@dealer.example'], reason: 'Wrote a letter' };
    expect((await server.call('POST /do-not-contact', { token: clerk.token, body })).status).toBe(201);
    const before = await countEmails(server);
    const toCara = { dealId, to: ['Cara@Buyer.example'] };
    expect(await send(toCara)).toMatchObject({
      status: 400,
      body: {
        errors: {
          'to.0': 'Cara@Buyer.example is on the Do not contact list (Wrote a letter). Nothing was sent.',
        },
      },
    });
    // Somebody who may not see addresses of customers does not learn that it is listed.
    const narrow = await server.person();
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['customerName', 'dealershipId'] };
    await changePermissions(server, admin, narrow, { dataEntry: { columnVisibility } });
    expect(await send(toCara, { token: narrow.token })).toMatchObject({
      status: 400,
      body: { errors: { 'to.0': 'Cara@Buyer.example is not an active contact for this template' } },
    });
    expect(await countEmails(server)).toBe(before);
    expect((await send({ dealId, to: ['sam@dealer.example'], cc: [] })).status).toBeLessThan(300);
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
    [{ dealershipId: ABSENT_ID }, { dealershipId: 'The deal belongs to another dealership' }],
  ])('sending an email rejects %j and writes nothing', async (changes, errors) => {
    const before = await countEmails(server);
    const body = 'dealId' in errors ? changes : { dealId, ...changes };
    expect(await send(body)).toMatchObject({ status: 400, body: { errors } });
    expect(await countEmails(server)).toBe(before);
  });

  test('sending an email is for users with the page dataEntry', async () => {
    const pageless = await server.person({ permissions: { pages: { dataEntry: false } } });
    expect((await send({ dealId }, { token: pageless.token })).status).toBe(403);
  });

  test('sending an email returns 404 for a template neither visible nor used there, and for an unknown deal', async () => {
    const hidden = await addTemplate(server, admin, { name: 'Hidden' });
    expect((await send({ dealId }, { id: hidden })).status).toBe(404);
    expect((await send({ dealId: ABSENT_ID })).status).toBe(404);
    expect((await send({ dealershipId: ABSENT_ID })).status).toBe(404);
    expect((await send({ dealId }, { id: ABSENT_ID })).status).toBe(404);
  });

  test('a template that a contact names may be used without access to it', async () => {
    const weekly = await addTemplate(server, admin, { name: 'WEEKLY' });
    expect((await server.call(`GET /email-templates/${weekly}`, { token: clerk.token })).status).toBe(404);
    const { status, body } = await send({ dealId }, { id: weekly });
    expect(status).toBe(202);
    expect(body.to).toEqual(['wendy@dealer.example']);
  });

  test('sending an email lists the names of usable templates, the default first', async () => {
    const own = await openOffice();
    await addTemplate(own.server, own.admin, { name: 'Weekly' });
    await addTemplate(own.server, own.admin, { name: 'Unrelated' });
    await addTemplate(own.server, own.admin, { name: 'Sketch', status: 'draft' });
    const listTemplates = async (token: string) =>
      (await own.server.call(`GET /deals/${own.dealId}/templates`, { token })).body.items;
    const forClerk = await listTemplates(own.clerk.token);
    expect(
      forClerk.map(({ name, isDefault }: { name: string; isDefault: boolean }) => [name, isDefault]),
    ).toEqual([
      ['Daily', true],
      ['Weekly', false],
    ]);
    expect(Object.keys(forClerk[0])).toEqual(['_id', 'name', 'isDefault']);
    const forAdmin = (await listTemplates(own.admin.token)).map(({ name }: { name: string }) => name);
    expect(forAdmin).toEqual(expect.arrayContaining(['Daily', 'Unrelated', 'Weekly']));
    expect(forAdmin).not.toContain('Sketch');
    await own.close();
  });

  test('sending an email reports a draft, an inactive dealership, a missing value and a missing mail server', async () => {
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

  test('sending an email reports missing recipients with the names', async () => {
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

  test('sending an email once sent, is outdated as soon as a contained field of the deal is edited', async () => {
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
    await server.db
      .updateTable('emails')
      .set({ status: 'sent', sent_at: new Date().toISOString() })
      .where('id', '=', body._id)
      .execute();
    expect((await deal()).body.isChangedSinceSent).toBe(true);
    const corrected = await send({ dealId: _id });
    await server.db
      .updateTable('emails')
      .set({ status: 'sent', sent_at: new Date().toISOString() })
      .where('id', '=', corrected.body._id)
      .execute();
    expect(await edit({ notes: 'not in the mail' })).toBe(false);
    expect(await edit({ customerName: 'Ulf' })).toBe(true);
  });

  describe('the mail state of a row', () => {
    const MAIL = ['emailStatus', 'lastEmailedAt', 'isChangedSinceSent'] as const;
    const mailed = async (customerName: string) => {
      const { _id } = await addDeal(server, clerk, dealershipId, { customerName });
      const read = async () => (await server.call(`GET /deals/${_id}`, { token: clerk.token })).body;
      return {
        _id,
        /** Returns the state of a row from every route that contains it, which must be equal. */
        async state() {
          const deal = await read();
          const listed = await server.call(`GET /deals?search=${customerName}`, { token: clerk.token });
          const [one, other] = [deal, listed.body.items[0]].map((row) =>
            Object.fromEntries(MAIL.map((field) => [field, row[field]])),
          );
          expect(other).toEqual(one);
          return one!;
        },
        async edit(changes: object) {
          const body = { version: (await read()).version, ...changes };
          await server.call(`PATCH /deals/${_id}`, { token: clerk.token, body });
        },
        send: async (id = templateId) =>
          (await send({ dealId: _id }, { id, token: admin.token })).body._id as string,
      };
    };
    /** Ends a message as a worker does. */
    const end = async (id: string, status: 'sent' | 'failed' | 'retrying' | 'sending') => {
      const sentAt = status === 'sent' ? new Date().toISOString() : null;
      await server.db.updateTable('emails').set({ status, sent_at: sentAt }).where('id', '=', id).execute();
      return sentAt;
    };

    test('the mail state of a row preserves the last delivery while a correction waits, is cancelled and fails', async () => {
      const row = await mailed('Olga');
      const lastEmailedAt = await end(await row.send(), 'sent');
      await row.edit({ customerName: 'Olga B' });
      const changed = { lastEmailedAt, isChangedSinceSent: true };
      expect(await row.state()).toEqual({ ...changed, emailStatus: 'sent' });
      const calledBack = await row.send();
      expect(await row.state()).toEqual({ ...changed, emailStatus: 'queued' });
      await server.call(`POST /email/logs/${calledBack}/cancel`, { token: admin.token });
      expect(await row.state()).toEqual({ ...changed, emailStatus: 'sent' });
      const correction = await row.send();
      for (const emailStatus of ['sending', 'retrying', 'failed'] as const) {
        await end(correction, emailStatus);
        expect(await row.state()).toEqual({ ...changed, emailStatus });
      }
      const delivered = await end(correction, 'sent');
      expect(await row.state()).toEqual({
        emailStatus: 'sent',
        lastEmailedAt: delivered,
        isChangedSinceSent: false,
      });
    });

    test('the mail state of a row is cancelled when no other message counts, and queued while an older message is', async () => {
      const row = await mailed('Pia');
      const first = await row.send();
      await server.call(`POST /email/logs/${first}/cancel`, { token: admin.token });
      expect(await row.state()).toMatchObject({ emailStatus: 'cancelled', lastEmailedAt: null });
      await row.send();
      await end(await row.send(), 'failed');
      expect(await row.state()).toMatchObject({ emailStatus: 'queued', lastEmailedAt: null });
    });

    test('the mail state of a row remains changed when a later message contains other fields, or an older version', async () => {
      const other = await addTemplate(server, admin, {
        name: 'Greeting',
        variables: [],
        document: { blocks: [] },
        subject: 'Hello',
      });
      const row = await mailed('Quin');
      const late = await row.send();
      await row.edit({ customerName: 'Quin B' });
      await end(await row.send(), 'sent');
      expect(await row.state()).toMatchObject({ isChangedSinceSent: false });
      await end(late, 'sent');
      expect(await row.state()).toMatchObject({ isChangedSinceSent: true });
      await end(await row.send(other), 'sent');
      expect(await row.state()).toMatchObject({ isChangedSinceSent: true });
      await end(await row.send(), 'sent');
      expect(await row.state()).toMatchObject({ isChangedSinceSent: false });
    });

    test('the mail state of a row is published to viewers of the row and its column, for any sender', async () => {
      const url = await server.app.listen({ port: 0 });
      const limited = async (columnVisibility: object) => {
        const person = await server.person();
        const body = { dataEntry: { columnVisibility } };
        await changePermissions(server, admin, person, body);
        return person;
      };
      const people = [
        office.other,
        await limited({ viewAllColumns: false, visibleColumns: ['customerName', 'notes'] }),
        await limited({ restrictedDealerships: [dealershipId] }),
      ];
      const row = await mailed('Sara');
      const last = await addDeal(server, clerk, await addDealership(server, admin), { customerName: 'Last' });
      const streams = await Promise.all(people.map(({ token }) => openLiveStream(url, token)));
      const begun = streams.map(({ reader }) =>
        readUntil(reader, (output) => output.includes('permissions')),
      );
      await Promise.all(begun);
      const id = await row.send();
      await server.call(`POST /email/logs/${id}/cancel`, { token: admin.token });
      await server.call(`PATCH /deals/${last._id}`, { token: clerk.token, body: { version: 1, notes: 'n' } });
      const isLast = (output: string) =>
        output.includes(`"recordId":"${last._id}","action":"updated"`) && output.endsWith('\n\n');
      const outputs = await Promise.all(streams.map(({ reader }) => readUntil(reader, isLast)));
      for (const { stop } of streams) stop();
      const event = `"entity":"deal","recordId":"${row._id}","action":"updated","version":null`;
      expect(outputs.map((output) => output.includes(event))).toEqual([true, false, false]);
    });

    test('the mail state of a row sorts rows by their last delivery', async () => {
      const [earlier, later] = [await mailed('Rita Sort'), await mailed('Rolf Sort')];
      await end(await earlier.send(), 'sent');
      await end(await later.send(), 'sent');
      await later.send();
      const { body } = await server.call('GET /deals?search=Sort&sort=lastEmailedAt&order=desc', {
        token: clerk.token,
      });
      expect(body.items.map(({ _id }: { _id: string }) => _id)).toEqual([later._id, earlier._id]);
    });
  });

  test('sending an email queues the final text, the log entry and the job; the deal shows it', async () => {
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
    // A later change of the template does not affect queued messages.
    expect((await server.call(`GET /email/logs/${body._id}`, { token: clerk.token })).body).toMatchObject({
      text: 'Dear Bea\n',
      html: expect.stringContaining('Dear Bea'),
    });
  });

  test.each(['\u0000', '\ud83d'])('sending an email rejects a value with %j', async (half) => {
    expect(await send({ dealId, variables: { customer: `Bo${half}` } })).toMatchObject({
      status: 400,
      body: { errors: { 'variables.customer': expect.any(String) } },
    });
  });

  test('sending an email does not truncate the subject inside an emoji', async () => {
    const customer = `${'x'.repeat(293)}😀 tail`;
    expect(await send({ dealId, variables: { customer } })).toMatchObject({
      status: 202,
      body: { subject: `About ${'x'.repeat(293)}😀` },
    });
  });

  test('what the sender adds to one message is in the preview, the stored message and both of its forms, from each route', async () => {
    const note = { text: 'PS <b>: see {{customerName}}\r\n', place: 'below' };
    const shown = (await office.preview({ dealId, templateId, note })).body;
    expect(shown.text).toMatch(/\n\nPS <b>: see \{\{customerName\}\}\n$/);
    const contentOf = async (id: string) =>
      (await server.call(`GET /email/logs/${id}`, { token: clerk.token })).body;
    const stored = await contentOf((await send({ dealId, note })).body._id);
    expect(stored.text).toBe(shown.text);
    expect(stored.html).toContain('PS &lt;b&gt;: see {{customerName}}</p>');
    const body = { note: { text: 'Hi' }, again: true };
    const byDeal = await server.call(`POST /deals/${dealId}/email`, { token: clerk.token, body });
    expect((await contentOf(byDeal.body._id)).text).toMatch(/^Hi\n\n/);
    for (const text of ['', ' ', 'x'.repeat(2001), 'a\u0000b'])
      expect((await send({ dealId, note: { text } })).body.errors, text).toHaveProperty(['note.text']);
  });

  test('a template of sent messages can be deleted; they preserve its name', async () => {
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

  test('a test is sent to oneself at once without effect on the deal', async () => {
    const deal = await addDeal(server, clerk, dealershipId, { customerName: 'Tess' });
    const { status, body } = await send({ dealId: deal._id, to: [clerk.email.toUpperCase()] });
    expect(status).toBe(200);
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

  test('a send with an Idempotency-Key stores its response in the transaction, before the first attempt', async () => {
    const reply = await send({ dealId, to: [clerk.email] }, { headers: { 'idempotency-key': 'test-1' } });
    expect(reply).toMatchObject({ status: 202, body: { status: 'queued' } });
    const path = `GET /email/logs/${reply.body._id}`;
    await expect.poll(async () => (await server.call(path, { token: clerk.token })).body.status).toBe('sent');
  });

  test('a rejected test returns the server’s response', async () => {
    mail.next({ code: 550, text: 'not today' });
    expect(await send({ dealId, to: [clerk.email] })).toMatchObject(refused(/550.*not today/));
  });
});
