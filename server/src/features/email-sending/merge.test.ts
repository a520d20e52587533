import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../test/app.ts';
import {
  addDeal,
  addDealership,
  addTemplate,
  changePermissions,
  newestAudit,
} from '../../../test/builders.ts';
import { addAttachment, uploadFile } from '../../../test/uploads.ts';
import { createFileStore } from '../../platform/files/file-store.ts';
import { newId } from '../../platform/ids.ts';
import { configure, contact, countEmails, openOffice, refused } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, templateId, dealershipId } = office;
afterAll(() => office.close());

const lead = await server.person({ name: 'Lea Lead', permissions: { features: { bulkEdit: true } } });
await configure(server, admin, lead, mail.port);
const deals = [];
for (const customerName of ['Bob', 'Cid', 'Dee'])
  deals.push(await addDeal(server, clerk, dealershipId, { customerName }));
const ids = deals.map(({ _id }) => _id);

type Reviewed = { deals: { _id: string; earlier: unknown }[] };

const review = (body: object, token = lead.token) =>
  server.call('POST /deals/bulk/email/review', { token, body });
const merge = (body: object, { token = lead.token, headers = {} } = {}) =>
  server.call('POST /deals/bulk/email', { token, body, headers });

describe('a merge', () => {
  test('a merge is previewed with one message for each deal, in their order, without writing anything', async () => {
    const before = await countEmails(server);
    const { status, body } = await review({ ids });
    expect(status).toBe(200);
    expect(body.items.map((item: { subject: string }) => item.subject)).toEqual([
      'About Bob',
      'About Cid',
      'About Dee',
    ]);
    expect(body.items[0]).toEqual({
      deals: [{ _id: ids[0], customerName: 'Bob', earlier: null }],
      dealershipName: 'Harbour New Cars',
      templateName: 'Daily',
      to: ['sam@dealer.example'],
      cc: ['pat@dealer.example'],
      subject: 'About Bob',
      problems: [],
      emptyVariables: [],
      files: [],
      filesProblem: null,
    });
    expect(await countEmails(server)).toBe(before);
  });

  test('a merge uses each dealership’s own default template, or one for all', async () => {
    const weekly = await addTemplate(server, admin, { name: 'Weekly' });
    const elsewhere = await addDealership(server, admin, {
      name: 'Inland',
      defaultEmailTemplateId: weekly,
      contacts: [contact('Wim', { templateName: 'Weekly' })],
    });
    const { _id } = await addDeal(server, clerk, elsewhere, { customerName: 'Eve' });
    const names = async (body: object) =>
      (await review(body)).body.items.map((item: { templateName: string }) => item.templateName);
    expect(await names({ ids: [ids[0], _id] })).toEqual(['Daily', 'Weekly']);
    expect(await names({ ids: [ids[0]], templateId })).toEqual(['Daily']);
  });

  test('a merge returns the problems of each, and then sends none of them', async () => {
    const lonely = await addDealership(server, admin, { name: 'Lonely', defaultEmailTemplateId: templateId });
    const { _id } = await addDeal(server, clerk, lonely, { customerName: 'Flo' });
    const { body } = await review({ ids: [ids[0], _id] });
    expect(body.items.map((item: { problems: string[] }) => item.problems)).toEqual([
      [],
      ['Lonely has no active contact for Daily. Nobody is in To.'],
    ]);
    const before = await countEmails(server);
    expect(await merge({ ids: [ids[0], _id] })).toMatchObject(refused(/^Lonely has no active contact/));
    expect(await countEmails(server)).toBe(before);
  });

  test('a merge is sent once despite retries, and tracked and cancelled as one', async () => {
    const headers = { 'idempotency-key': 'merge-once' };
    const first = await merge({ ids }, { headers });
    expect(first).toMatchObject({ status: 202, body: { total: 3, counts: { queued: 3 } } });
    const { _id } = first.body;
    expect((await merge({ ids }, { headers })).body._id).toBe(_id);
    const entries = await server.call(`GET /email/logs?batchId=${_id}`, { token: lead.token });
    expect(entries.body.items).toHaveLength(3);
    const [entry] = entries.body.items;
    expect(entry).toMatchObject({ batchId: _id, senderId: lead.id, status: 'queued' });
    expect(await newestAudit(server, entry._id)).toMatchObject({
      action: 'email.created',
      actor_id: lead.id,
    });

    await server.call(`POST /email/logs/${entry._id}/cancel`, { token: lead.token });
    const batch = (path = '', token = lead.token, method = 'POST') =>
      server.call(`${method} /email/batches/${_id}${path}`, { token });
    expect((await batch('', lead.token, 'GET')).body.counts).toEqual({ queued: 2, cancelled: 1 });
    expect((await batch('', clerk.token, 'GET')).status).toBe(404);
    expect((await batch('/cancel', clerk.token)).status).toBe(404);
    expect((await batch('/cancel', admin.token)).body).toEqual({ _id, total: 3, counts: { cancelled: 3 } });
    expect(await newestAudit(server, entries.body.items[2]._id)).toMatchObject({
      action: 'email.updated',
      actor_id: admin.id,
      before: { status: 'queued' },
      after: { status: 'cancelled' },
    });
  });

  test('a merge retries only its failed messages', async () => {
    const { body } = await merge({ ids });
    await server.db
      .updateTable('emails')
      .set({ status: 'failed', answer: '550 no', next_attempt_at: null })
      .where('batch_id', '=', body._id)
      .where('subject', '<>', 'About Bob')
      .execute();
    const again = await server.call(`POST /email/batches/${body._id}/retry`, { token: lead.token });
    expect(again.body.counts).toEqual({ queued: 3 });
    const { body: listed } = await server.call(`GET /email/logs?batchId=${body._id}`, { token: lead.token });
    const waits = listed.items.map((item: { cancellableUntil: string | null }) => item.cancellableUntil);
    // The first attempt is not accelerated for waiting requests.
    expect(waits.filter((until: string | null) => until !== null)).toHaveLength(1);
  });

  test('a repeated merge must be confirmed', async () => {
    const before = await countEmails(server);
    expect((await review({ ids })).body.items.map((item: Reviewed) => item.deals[0]!.earlier)).toEqual([
      expect.objectContaining({ senderName: 'Lea Lead', subject: 'About Bob' }),
      expect.objectContaining({ senderName: 'Lea Lead', subject: 'About Cid' }),
      expect.objectContaining({ senderName: 'Lea Lead', subject: 'About Dee' }),
    ]);
    expect(await merge({ ids })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SENT', details: expect.stringContaining('about Bob before') },
    });
    expect(await countEmails(server)).toBe(before);
    // A colleague has sent those that the caller did not confirm.
    expect(await merge({ ids, again: [ids[0], ids[2]] })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SENT', details: expect.stringContaining('about Cid before') },
    });
    expect(await countEmails(server)).toBe(before);
    expect((await merge({ ids, again: ids })).status).toBe(202);
    expect(await countEmails(server)).toBe(before + 3);
  });

  test('a merge of an earlier message the subject is returned only to users who see it in the history', async () => {
    const customer = {
      key: 'customer',
      label: 'Customer',
      category: 'deal',
      defaultValue: '',
      description: '',
      linkedData: 'deal.customerName',
      required: false,
    };
    const note = await addTemplate(server, admin, {
      name: 'Note',
      subject: 'Note on {{customer}}',
      document: { blocks: [] },
      variables: [customer],
    });
    const quay = await addDealership(server, admin, {
      name: 'Quay',
      defaultEmailTemplateId: note,
      contacts: [contact('Quin', { templateName: 'Note' })],
    });
    const { _id } = await addDeal(server, clerk, quay, { customerName: 'Bea' });
    expect((await merge({ ids: [_id] })).status).toBe(202);
    const narrow = await server.person({ name: 'Nora Narrow' });
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['dealershipId', 'lastEmailedAt'] };
    const rights = { features: { bulkEdit: true }, dataEntry: { columnVisibility } };
    await changePermissions(server, admin, narrow, rights);
    await configure(server, admin, narrow, mail.port);
    /** Returns what each route reveals of the message sent by Lea Lead. */
    const readSubjects = async ({ token }: Person) => {
      const [previewed, reviewed, refusal] = await Promise.all([
        office.preview({ dealId: _id, templateId: note }, token),
        review({ ids: [_id] }, token),
        merge({ ids: [_id] }, { token }),
      ]);
      const answers = [previewed.body.earlier, reviewed.body.items[0].deals[0].earlier, refusal.body.current];
      expect(answers).toEqual(
        Array.from({ length: 3 }, () => expect.objectContaining({ createdAt: expect.any(String) })),
      );
      return {
        names: answers.map(({ senderName }) => senderName),
        text: JSON.stringify([previewed, reviewed, refusal]),
        subjects: answers.map(({ subject }) => subject),
      };
    };
    const hidden = await readSubjects(narrow);
    expect(hidden.names).toEqual(['Lea Lead', 'Lea Lead', 'Lea Lead']);
    expect(hidden.text).not.toContain('Bea');
    for (const reader of [lead, admin])
      expect((await readSubjects(reader)).subjects).toEqual(['Note on Bea', 'Note on Bea', 'Note on Bea']);
  });

  test('a merge of two concurrent users, one gets ALREADY_SENT', async () => {
    const { _id } = await addDeal(server, clerk, dealershipId, { customerName: 'Gus' });
    const send = ({ token }: Person) => merge({ ids: [_id] }, { token });
    const statuses = (await Promise.all([send(admin), send(lead)])).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([202, 409]);
  });

  test('a merge requires the bulk edit permission, uses only visible rows, and accepts at most 500', async () => {
    expect((await review({ ids }, clerk.token)).status).toBe(403);
    expect((await merge({ ids }, { token: clerk.token })).status).toBe(403);
    const { _id: past } = await addDeal(server, admin, dealershipId, { month: '2024-01' });
    const narrow = await server.person({
      permissions: { features: { bulkEdit: true }, dataEntry: { canAccessAllMonths: false } },
    });
    expect((await review({ ids: [past] }, narrow.token)).status).toBe(404);
    const many = Array.from({ length: 501 }, () => ids[0]);
    expect(await merge({ ids: many })).toMatchObject({
      status: 400,
      body: { errors: { ids: 'At most 500 rows at once' } },
    });
    expect((await merge({ ids: [] })).body.errors).toEqual({ ids: 'Choose at least one row' });
  });
});

describe('the files of each row', () => {
  const MB = 1024 * 1024;
  let rows: string[];
  let withFiles: string;
  beforeAll(async () => {
    rows = [];
    for (const customerName of ['Hal', 'Ida', 'Jo'])
      rows.push((await addDeal(server, clerk, dealershipId, { customerName }))._id);
    withFiles = rows[0]!;
    await upload(withFiles, 'Contract.pdf', '%PDF-1.7 signed');
    await upload(withFiles, 'Licence.txt', 'licence');
    await upload(rows[1]!, 'Photo.png', 'p'.repeat(600_000));
  });

  const upload = async (dealId: string, filename: string, content: string) => {
    const reply = await uploadFile(server, clerk, `/deals/${dealId}/attachments`, content, { filename });
    expect(reply.status).toBe(201);
  };
  /** Adds files of these sizes, without their content. */
  const addSizes = (dealId: string, ...sizes: number[]) =>
    server.db
      .insertInto('deal_attachments')
      .values(
        sizes.map((size) => ({
          id: newId(),
          deal_id: dealId,
          name: 'Scan.pdf',
          type: 'application/pdf',
          size,
          created_by: clerk.id,
        })),
      )
      .execute();
  const addRow = async (customerName: string) =>
    (await addDeal(server, clerk, dealershipId, { customerName }))._id as string;
  const sentFiles = async (batchId: string) =>
    server.db
      .selectFrom('emails')
      .leftJoin('email_attachment_uses', 'email_attachment_uses.email_id', 'emails.id')
      .leftJoin('email_attachments', 'email_attachments.id', 'email_attachment_uses.attachment_id')
      .where('emails.batch_id', '=', batchId)
      .orderBy('emails.subject')
      .orderBy('email_attachment_uses.position')
      .select([
        'emails.subject',
        'email_attachments.name',
        'email_attachments.digest',
        'email_attachments.type',
      ])
      .execute();
  const countCopies = async () =>
    (await server.db.selectFrom('email_attachments').select('id').execute()).length;

  test('the files of each row are listed by the review with each message', async () => {
    const { body } = await review({ ids: rows });
    expect(
      body.items.map(({ files, filesProblem }: Reviewed & { files: object; filesProblem: unknown }) => [
        files,
        filesProblem,
      ]),
    ).toEqual([
      [
        [
          { name: 'Contract.pdf', size: 15 },
          { name: 'Licence.txt', size: 7 },
        ],
        null,
      ],
      [[{ name: 'Photo.png', size: 600_000 }], null],
      [[], null],
    ]);
  });

  test('the files of each row are attached to the message about that row only, as copies, once despite retries', async () => {
    const own = (await addAttachment(server, lead, 'for all', { filename: 'Terms.txt' })).body._id;
    const before = await countCopies();
    const headers = { 'idempotency-key': 'merge-files' };
    const request = { ids: rows, rowFiles: true, attachments: [own] };
    const first = await merge(request, { headers });
    expect(first).toMatchObject({ status: 202, body: { total: 3 } });
    expect((await merge(request, { headers })).body).toEqual(first.body);
    expect(await countCopies()).toBe(before + 3);
    const sent = await sentFiles(first.body._id);
    expect(sent.map(({ subject, name, type }) => [subject, name, type])).toEqual([
      ['About Hal', 'Terms.txt', 'text/plain'],
      ['About Hal', 'Contract.pdf', 'application/pdf'],
      ['About Hal', 'Licence.txt', 'text/plain'],
      ['About Ida', 'Terms.txt', 'text/plain'],
      ['About Ida', 'Photo.png', 'image/png'],
      ['About Jo', 'Terms.txt', 'text/plain'],
    ]);
    const contentOf = async ({ digest }: (typeof sent)[number]) =>
      String(await createFileStore(server.dataDir).read({ digest, content: null }));
    expect(await contentOf(sent[1]!)).toBe('%PDF-1.7 signed');
    expect(await contentOf(sent[4]!)).toBe('p'.repeat(600_000));

    const listed = await server.call(`GET /email/logs?batchId=${first.body._id}&search=hal`, {
      token: lead.token,
    });
    expect(listed.body.items).toMatchObject([{ attachmentCount: 3 }]);
    const { _id } = listed.body.items[0];
    const { body } = await server.call(`GET /email/logs/${_id}`, { token: lead.token });
    expect(body.attachments.map(({ name }: { name: string }) => name)).toEqual([
      'Terms.txt',
      'Contract.pdf',
      'Licence.txt',
    ]);
    expect(await newestAudit(server, _id)).toMatchObject({
      after: { attachments: ['Terms.txt', 'Contract.pdf', 'Licence.txt'] },
    });
    expect(await newestAudit(server, body.attachments[1]._id)).toMatchObject({
      action: 'email-attachment.created',
      actor_id: lead.id,
      after: { name: 'Contract.pdf', size: 15 },
    });
  });

  test('the files of each row stay away without the tick', async () => {
    const { body } = await merge({ ids: [withFiles], again: true });
    expect((await sentFiles(body._id)).map(({ name }) => name)).toEqual([null]);
  });

  test('the files of each row of all its rows are in a digest', async () => {
    const table = { key: 'deals', label: 'Deals', category: 'deal', defaultValue: '', description: '' };
    const templateId = await addTemplate(server, admin, {
      name: 'Daily table',
      subject: 'Our deals',
      document: { blocks: [{ type: 'paragraph', content: [{ type: 'variable', key: 'deals' }] }] },
      variables: [{ ...table, linkedData: 'deals.table', required: false }],
    });
    const shore = await addDealership(server, admin, {
      name: 'Shore',
      contacts: [contact('Sue', { templateName: 'Daily table' })],
    });
    const both = [];
    for (const customerName of ['Kit', 'Lou']) {
      const { _id } = await addDeal(server, clerk, shore, { customerName });
      await upload(_id, `${customerName}.txt`, customerName);
      both.push(_id);
    }
    const { status, body } = await merge({ ids: both, per: 'dealership', templateId, rowFiles: true });
    expect([status, body]).toMatchObject([202, { total: 1 }]);
    expect((await sentFiles(body._id)).map(({ name }) => name)).toEqual(['Kit.txt', 'Lou.txt']);
  });

  test.each<[string, string, number[], string]>([
    ['too large', 'Max', [6 * MB, 5 * MB], '2 with 11 MB'],
    ['too many', 'Ned', Array.from({ length: 21 }, () => MB / 4), '21 with 5.3 MB'],
  ])(
    'the files of each row that are %s for a message are refused with the row before anything is sent',
    async (_what, customerName, sizes, size) => {
      const id = await addRow(customerName);
      await addSizes(id, ...sizes);
      const before = [await countEmails(server), await countCopies()];
      const problem = `The files of ${customerName} are too large for an email: ${size}. It may have at most 20 files and 10 MB.`;
      const { body } = await review({ ids: [withFiles, id] });
      expect(body.items).toMatchObject([{ filesProblem: null }, { problems: [], filesProblem: problem }]);
      const request = { ids: [withFiles, id], rowFiles: true, again: true };
      expect(await merge(request)).toMatchObject({
        status: 400,
        body: { code: 'SEND_REFUSED', details: problem },
      });
      expect([await countEmails(server), await countCopies()]).toEqual(before);
    },
  );

  test('the files of each row that are too large together with uploaded ones, or in all, are refused', async () => {
    const own = (await addAttachment(server, lead, Buffer.alloc(2 * MB, 'a'), { filename: 'Terms.txt' })).body
      ._id;
    const id = await addRow('Oda');
    await addSizes(id, 9 * MB);
    const before = await countEmails(server);
    expect(
      await merge({ ids: [withFiles, id], rowFiles: true, again: true, attachments: [own] }),
    ).toMatchObject({
      status: 400,
      body: {
        errors: {
          attachments:
            'Together with the files of Oda these are more than an email may have: 20 files and 10 MB',
        },
      },
    });
    const many = [];
    for (let each = 0; each < 11; each += 1) {
      many.push(await addRow(`Pia ${each}`));
      await addSizes(many.at(-1)!, 10 * MB);
    }
    expect(await merge({ ids: many, rowFiles: true })).toMatchObject({
      status: 400,
      body: {
        errors: {
          rowFiles:
            'The files of these rows have 110 MB: at most 100 MB can be sent at once. Tick fewer emails.',
        },
      },
    });
    expect(await countEmails(server)).toBe(before);
  });

  test('the files of each row are not sent by somebody who does not see the row', async () => {
    const narrow = await server.person({ permissions: { features: { bulkEdit: true } } });
    await configure(server, admin, narrow, mail.port);
    await changePermissions(server, admin, narrow, {
      features: { bulkEdit: true },
      dataEntry: { columnVisibility: { restrictedRows: [withFiles] } },
    });
    const before = await countCopies();
    const request = { ids: [withFiles, rows[1]], rowFiles: true, again: true };
    expect(await merge(request, { token: narrow.token })).toMatchObject({ status: 404 });
    expect(await review({ ids: request.ids }, narrow.token)).toMatchObject({ status: 404 });
    expect(await countCopies()).toBe(before);
  });
});
