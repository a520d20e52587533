import { afterAll, describe, expect, test } from 'vitest';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { configure, contact, countEmails, openOffice, refused } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk } = office;
afterAll(() => office.close());

const variable = (key: string, linkedData: string, changes: object = {}) => ({
  key,
  label: key,
  category: 'deals',
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
  ...changes,
});
const paragraph = (...content: object[]) => ({ blocks: [{ type: 'paragraph', content }] });

const lead = await server.person({ name: 'Lea Lead', permissions: { features: { bulkEdit: true } } });
await configure(server, admin, lead, mail.port);
const digestId = await addTemplate(server, admin, {
  name: 'Digest',
  subject: '{{count}} deals for {{dealership}}',
  document: paragraph(
    { type: 'text', text: 'Sold today:' },
    { type: 'variable', key: 'deals' },
    { type: 'text', text: 'Thank you' },
  ),
  variables: [
    variable('deals', 'deals.table', { required: true }),
    variable('count', 'deals.count'),
    variable('dealership', 'dealership.name', { category: 'dealership' }),
  ],
});
const dealership = (name: string, contacts: object[]) =>
  addDealership(server, admin, { name, defaultEmailTemplateId: digestId, contacts });
const pier = await dealership('Pier', [contact('Pia', { templateName: 'Digest' })]);
const quay = await dealership('Quay', [contact('Quin', { templateName: 'Digest' })]);
const rows = [
  await addDeal(server, clerk, pier, { customerName: 'Ann', dealNumber: 'D-1', saleAmount: 1234.5 }),
  await addDeal(server, clerk, quay, { customerName: 'Bob' }),
  await addDeal(server, clerk, pier, { customerName: '{{count}} <b>', deliveryDate: '2026-12-01' }),
];
const ids = rows.map(({ _id }) => _id);

const asLead = (route: string, body?: object) => server.call(route, { token: lead.token, body });
const review = (body: object) => asLead('POST /deals/bulk/email/review', { per: 'dealership', ...body });
const send = (body: object) => asLead('POST /deals/bulk/email', { per: 'dealership', ...body });
/** Returns the message of a merge to one dealership, as shown to its reader. */
async function entryTo(dealershipName: string, batchId: string, token = lead.token) {
  const { body } = await server.call(`GET /email/logs?batchId=${batchId}`, { token });
  return body.items.find((entry: { dealershipName: string }) => entry.dealershipName === dealershipName);
}

describe('a digest for each dealership', () => {
  test('a digest for each dealership is previewed with a line for each dealership, its deals and recipients', async () => {
    const before = await countEmails(server);
    const { status, body } = await review({ ids });
    expect(status).toBe(200);
    expect(body.items).toEqual([
      {
        deals: [
          { _id: ids[0], customerName: 'Ann', earlier: null },
          { _id: ids[2], customerName: '{{count}} <b>', earlier: null },
        ],
        dealershipName: 'Pier',
        templateName: 'Digest',
        to: ['pia@dealer.example'],
        cc: [],
        subject: '2 deals for Pier',
        problems: [],
        emptyVariables: [],
        files: [],
        filesProblem: null,
      },
      expect.objectContaining({
        deals: [{ _id: ids[1], customerName: 'Bob', earlier: null }],
        dealershipName: 'Quay',
        to: ['quin@dealer.example'],
      }),
    ]);
    expect(await countEmails(server)).toBe(before);
  });

  test('a digest for each dealership contains a table of its deals without empty columns', async () => {
    const { body } = await send({ ids });
    expect(body).toMatchObject({ total: 2, counts: { queued: 2 } });
    const pier = await entryTo('Pier', body._id);
    const quay = await entryTo('Quay', body._id);
    expect(pier).toMatchObject({
      deals: [
        { _id: ids[0], customerName: 'Ann' },
        { _id: ids[2], customerName: '{{count}} <b>' },
      ],
    });
    expect(quay.deals).toEqual([{ _id: ids[1], customerName: 'Bob' }]);
    const { html, text } = (await asLead(`GET /email/logs/${pier._id}`)).body;
    expect(text).toBe(
      'Sold today:\n\n' +
        '- Customer: Ann, Deal number: D-1, Status: Entered, Amount: $1,234.50\n' +
        '- Customer: {{count}} <b>, Delivery: 1 December 2026, Status: Entered\n\n' +
        'Thank you\n',
    );
    const cells = [...html.matchAll(/<t([hd]) [^>]*>([^<]*)<\/t\1>/g)].map(([, , cell]) => cell);
    const lines = [
      ['Customer', 'Deal number', 'Delivery', 'Status', 'Amount'],
      ['Ann', 'D-1', '', 'Entered', '$1,234.50'],
      ['{{count}} &lt;b&gt;', '', '1 December 2026', 'Entered', ''],
    ];
    expect(cells).toEqual(lines.flat());
    expect(html).toContain('Sold today:</p><div');
    expect(await newestAudit(server, pier._id)).toMatchObject({
      action: 'email.created',
      after: { dealIds: [ids[0], ids[2]] },
    });
    await asLead(`POST /email/batches/${body._id}/cancel`);
    expect((await asLead(`GET /email/batches/${body._id}`)).body.counts).toEqual({ cancelled: 2 });
  });

  test('a digest for each dealership contains no column hidden from its sender', async () => {
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['customerName', 'dealershipId'] };
    const narrow = await server.person({
      permissions: { features: { bulkEdit: true }, dataEntry: { columnVisibility } } as never,
    });
    await configure(server, admin, narrow, mail.port);
    const { body } = await server.call('POST /deals/bulk/email', {
      token: narrow.token,
      body: { ids, per: 'dealership' },
    });
    const { _id } = await entryTo('Pier', body._id, narrow.token);
    const message = await server.call(`GET /email/logs/${_id}`, { token: narrow.token });
    expect(message.body.text).toContain('- Customer: Ann\n');
    await server.call(`POST /email/batches/${body._id}/cancel`, { token: narrow.token });
  });
});

describe('a template unsuitable for a digest', () => {
  test('a template unsuitable for a digest without a table of deals, or with data of one deal, is rejected by the review and not sent', async () => {
    const single = await addTemplate(server, admin, { name: 'Single' });
    const both = await addTemplate(server, admin, {
      name: 'Both',
      document: paragraph({ type: 'variable', key: 'deals' }, { type: 'variable', key: 'customer' }),
      variables: [
        variable('deals', 'deals.table'),
        variable('customer', 'deal.customerName', { label: 'Customer' }),
      ],
    });
    const problemsWith = async (templateId: string) =>
      (
        await server.call('POST /deals/bulk/email/review', {
          token: admin.token,
          body: { ids: [ids[1]], per: 'dealership', templateId },
        })
      ).body.items[0].problems;
    expect(await problemsWith(single)).toEqual([
      'Single has no table of deals. Add the variable to it, or send one email for each deal.',
    ]);
    expect(await problemsWith(both)).toEqual([
      'Both is about one deal: it contains Customer. Choose another template, or send one email for each deal.',
    ]);
    const before = await countEmails(server);
    expect(
      await server.call('POST /deals/bulk/email', {
        token: admin.token,
        body: { ids: [ids[1]], per: 'dealership', templateId: both },
      }),
    ).toMatchObject(refused(/^Both is about one deal/));
    expect(await countEmails(server)).toBe(before);
  });
});

describe('rows of a digest', () => {
  const rowOf = async (id: string) => (await asLead(`GET /deals/${id}`)).body;

  test('each show their mail, and whether they changed since', async () => {
    const { body } = await send({ ids });
    await server.db
      .updateTable('emails')
      .set({ status: 'sent', sent_at: new Date().toISOString() })
      .where('batch_id', '=', body._id)
      .execute();
    for (const id of ids)
      expect(await rowOf(id)).toMatchObject({ emailStatus: 'sent', isChangedSinceSent: false });
    const { version } = await rowOf(ids[0]!);
    const patch = { version, saleAmount: 99 };
    expect((await server.call(`PATCH /deals/${ids[0]}`, { token: clerk.token, body: patch })).status).toBe(
      200,
    );
    expect(await rowOf(ids[0]!)).toMatchObject({ isChangedSinceSent: true });
    expect(await rowOf(ids[2]!)).toMatchObject({ isChangedSinceSent: false });
    // Notes are not in the table.
    await server.call(`PATCH /deals/${ids[2]}`, { token: clerk.token, body: { notes: 'Nice' } });
    expect(await rowOf(ids[2]!)).toMatchObject({ isChangedSinceSent: false });
  });

  test('a repetition must be confirmed, and the review names the rows', async () => {
    const fresh = await addDeal(server, clerk, (await rowOf(ids[0]!)).dealershipId, { customerName: 'New' });
    const { body } = await review({ ids: [fresh._id, ids[2]] });
    expect(body.items[0].deals).toEqual([
      { _id: fresh._id, customerName: 'New', earlier: null },
      {
        _id: ids[2],
        customerName: '{{count}} <b>',
        earlier: expect.objectContaining({ senderName: 'Lea Lead', subject: '2 deals for Pier' }),
      },
    ]);
    expect(await send({ ids: [fresh._id, ids[2]] })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_SENT', details: expect.stringContaining('about {{count}} <b> before') },
    });
    expect((await send({ ids: [fresh._id, ids[2]], again: true })).body.total).toBe(1);
  });

  test('hidden from a reader are absent in the history', async () => {
    const { body } = await send({ ids: [ids[0], ids[2]], again: true });
    await server.db
      .updateTable('deals')
      .set({ deleted_at: new Date().toISOString() })
      .where('id', '=', ids[0]!)
      .execute();
    const entry = await entryTo('Pier', body._id);
    expect(entry.deals).toEqual([{ _id: ids[2], customerName: '{{count}} <b>' }]);
    expect((await asLead(`GET /email/logs?dealId=${ids[2]}`)).body.items[0]._id).toBe(entry._id);
  });
});
