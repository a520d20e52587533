import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { configure, contact, countEmails, openOffice, refused } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, templateId, dealershipId } = office;
afterAll(() => office.close());

let lead: Person;
let ids: string[];
beforeAll(async () => {
  lead = await server.person({ name: 'Lea Lead', permissions: { features: { bulkEdit: true } } });
  await configure(server, admin, lead, mail.port);
  const deals = [];
  for (const customerName of ['Bob', 'Cid', 'Dee'])
    deals.push(await addDeal(server, clerk, dealershipId, { customerName }));
  ids = deals.map(({ _id }) => _id);
});

type Reviewed = { deals: { _id: string; earlier: unknown }[] };

const review = (body: object, token = lead.token) =>
  server.call('POST /deals/bulk/email/review', { token, body });
const merge = (body: object, { token = lead.token, headers = {} } = {}) =>
  server.call('POST /deals/bulk/email', { token, body, headers });

describe('a merge', () => {
  test('is shown before it goes: one message for each deal, in their order, and nothing is written', async () => {
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
    });
    expect(await countEmails(server)).toBe(before);
  });

  test('takes each dealership’s own default template, or one for all', async () => {
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

  test('tells what is in the way of each, and then sends none of them', async () => {
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

  test('goes out once, whatever is repeated, and is followed and called back as one', async () => {
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

  test('what of it has failed is tried again: the same messages, and no others', async () => {
    const { body } = await merge({ ids });
    await server.db
      .updateTable('emails')
      .set({ status: 'failed', answer: '550 no', next_attempt_at: null })
      .where('batch_id', '=', body._id)
      .where('subject', '<>', 'About Bob')
      .execute();
    const again = await server.call(`POST /email/batches/${body._id}/retry`, { token: lead.token });
    expect(again.body.counts).toEqual({ queued: 3 });
    const one = await server.call(`GET /email/logs?batchId=${body._id}`, { token: lead.token });
    const retry = () => server.call(`POST /email/logs/${one.body.items[0]._id}/retry`, { token: lead.token });
    expect(await retry()).toMatchObject({ status: 409, body: { current: { status: 'queued' } } });
  });

  test('a second time has to be meant', async () => {
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
    expect((await merge({ ids, again: true })).status).toBe(202);
    expect(await countEmails(server)).toBe(before + 3);
  });

  test('of two people at once, one is told that the other was first', async () => {
    const { _id } = await addDeal(server, clerk, dealershipId, { customerName: 'Gus' });
    const send = ({ token }: Person) => merge({ ids: [_id] }, { token });
    const statuses = (await Promise.all([send(admin), send(lead)])).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([202, 409]);
  });

  test('needs the right to change many rows, sees only what its sender sees, and takes at most 500', async () => {
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
