import type { ClosedStatement, StatementEntry } from '@forecourt/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate, newestAudit } from '../../../test/builders.ts';
import { readMail } from '../../../test/smtp.ts';
import { configure, contact, countEmails, openOffice, refused } from './office.fixture.ts';

const office = await openOffice({ UNDO_SEND_SECONDS: 0 });
const { server, mail, admin, clerk, dealershipId } = office;
afterAll(() => office.close());

const call = (route: string, by: Person = admin, body?: object) =>
  server.call(route, { token: by.token, body });
const send = (body: object, by: Person = admin) => call('POST /statements/send', by, { templateId, ...body });

const variable = (key: string, linkedData: string) => ({
  key,
  label: key,
  category: 'other',
  defaultValue: '',
  description: '',
  linkedData,
  required: true,
});
const templateId = await addTemplate(server, admin, {
  name: 'Statement',
  subject: '{{number}} for {{month}}: {{total}}',
  variables: ['number', 'month', 'total'].map((key) => variable(key, `statement.${key}`)),
  document: { blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'Attached.' }] }] },
});
const lead = await server.person({
  name: 'Lee Lead',
  permissions: { features: { closeMonths: true } } as never,
});

const MONTH = '2024-01';
let statements: StatementEntry[];
const idOf = (name: string): string => statements.find(({ recipientName }) => recipientName === name)!._id;
const read = async (id: string): Promise<ClosedStatement> => (await call(`GET /statements/${id}`)).body;
const notesOf = async (id: string) =>
  (await read(id)).notes.map(({ kind, text, byName }) => ({ kind, text, byName }));

async function close(month: string): Promise<void> {
  for (const { key, count } of (await call(`GET /months/${month}`)).body.checks)
    if (count > 0)
      await call(`POST /months/${month}/waive`, admin, { check: key, rows: count, reason: 'Agreed' });
  const { status, body } = await call(`POST /months/${month}/close`);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

beforeAll(async () => {
  await configure(server, admin, lead, mail.port);
  await call('PUT /settings/user/company/commission.newSales', admin, { value: 2 });
  const coast = await addDealership(server, admin, { name: 'Coast', contacts: [contact('Cora')] });
  const lonely = await addDealership(server, admin, { name: 'Lonely' });
  for (const [at, saleAmount] of [
    [dealershipId, 1100],
    [coast, 550.55],
    [lonely, 10],
  ] as const)
    await addDeal(server, admin, at, { month: MONTH, status: 'Deal', customerName: 'Bob', saleAmount });
  await close(MONTH);
  statements = (await call(`GET /statements?month=${MONTH}`)).body.items;
});

describe('statements by email', () => {
  test('account statements are sent as PDF to the contacts of each dealership, and the others are returned with the reason', async () => {
    const [harbour, coast, lonely] = ['Harbour New Cars', 'Coast', 'Lonely'].map(idOf);
    const reply = await send({ ids: [harbour, lonely, coast, coast] });
    expect(reply).toMatchObject({
      status: 202,
      body: {
        total: 2,
        counts: { queued: 2 },
        refused: [
          {
            statementId: lonely,
            dealershipName: 'Lonely',
            problems: ['Lonely has no active contact for Statement. Nobody is in To.'],
          },
        ],
      },
    });
    await mail.whenArrived(2);
    const received = await Promise.all(mail.accepted.map(readMail));
    const toHarbour = received.find(({ subject }) => subject === '2024-01-002 for January 2024: $1,100.00')!;
    expect(toHarbour.to!.map(({ address }) => address)).toEqual([
      'sam@dealer.example',
      'wendy@dealer.example',
    ]);
    expect(toHarbour.cc!.map(({ address }) => address)).toEqual(['pat@dealer.example']);
    const [file, ...more] = toHarbour.attachments;
    expect(more).toEqual([]);
    expect(file).toMatchObject({
      filename: 'Account statement 2024-01-002 Harbour New Cars.pdf',
      mimeType: 'application/pdf',
    });
    const { rawPayload } = await server.app.inject({
      url: `/api/statements/${harbour}.pdf`,
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(Buffer.from(file!.content as ArrayBuffer)).toEqual(rawPayload);

    expect(await notesOf(harbour!)).toEqual([
      {
        kind: 'sent',
        text: 'sam@dealer.example, wendy@dealer.example, pat@dealer.example',
        byName: 'Ada Admin',
      },
    ]);
    expect(await notesOf(lonely!)).toEqual([]);
    expect(await newestAudit(server, coast!)).toMatchObject({
      action: 'statement.sent',
      after: { name: '2024-01-001', text: 'cora@dealer.example' },
    });
    const batch = await call(`GET /email/batches/${reply.body._id}`);
    expect(batch.body.total).toBe(2);
  });

  test('account statements are not sent again unless the request names them, also by two requests in the same moment', async () => {
    const [harbour, coast] = ['Harbour New Cars', 'Coast'].map(idOf);
    const before = await countEmails(server);
    for (const again of [undefined, false, [harbour]])
      expect(await send({ ids: [coast, harbour], again })).toMatchObject({
        status: 409,
        body: {
          code: 'ALREADY_SENT',
          details: expect.stringMatching(
            /^Ada Admin has sent 2024-01-00\d to .* before\. Nothing was sent now\.$/,
          ),
          current: { senderName: 'Ada Admin' },
        },
      });
    expect(await countEmails(server)).toBe(before);
    expect((await send({ ids: [coast, harbour], again: [coast, harbour] })).body.total).toBe(2);
    expect((await send({ ids: [coast], again: true })).body.total).toBe(1);

    const month = '2024-02';
    await addDeal(server, admin, dealershipId, { month, status: 'Deal', customerName: 'Eve', saleAmount: 5 });
    await close(month);
    const [{ _id }] = (await call(`GET /statements?month=${month}&kind=account`)).body.items;
    const replies = await Promise.all([send({ ids: [_id] }), send({ ids: [_id] })]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202, 409]));
    expect(await notesOf(_id)).toHaveLength(1);
  });

  test('account statements are queued with their notes or not at all', async () => {
    const before = await countEmails(server);
    await sql`create function refuse_notes() returns trigger language plpgsql as 'begin raise exception ''no''; end'`.execute(
      server.db,
    );
    await sql`create trigger refuse_notes before insert on statement_notes execute function refuse_notes()`.execute(
      server.db,
    );
    try {
      expect((await send({ ids: [idOf('Coast')], again: true })).status).toBe(500);
    } finally {
      await sql`drop trigger refuse_notes on statement_notes`.execute(server.db);
    }
    expect(await countEmails(server)).toBe(before);
  });

  test('statements of a person, and superseded ones, return 400 about their place in the request', async () => {
    const month = '2024-03';
    await addDeal(server, admin, dealershipId, {
      month,
      status: 'Deal',
      customerName: 'Zed',
      saleAmount: 50,
    });
    await close(month);
    const [{ _id: superseded }] = (await call(`GET /statements?month=${month}&kind=account`)).body.items;
    expect((await call(`POST /months/${month}/reopen`, admin, { reason: 'Wrong rate' })).status).toBe(200);
    const before = await countEmails(server);
    const reply = await send({ ids: [idOf('Coast'), superseded, idOf('Ada Admin')], again: true });
    expect(reply).toMatchObject({
      status: 400,
      body: {
        errors: {
          'ids.1': '2024-03-001 is superseded: its month was reopened',
          'ids.2': '2024-01-001 is the statement of a person',
        },
      },
    });
    expect(await countEmails(server)).toBe(before);
  });

  test('account statements are refused with a template about deals, and with a draft', async () => {
    const ids = [idOf('Coast')];
    const aboutDeals = await addTemplate(server, admin, { name: 'About a deal' });
    expect(await send({ ids, again: true, templateId: aboutDeals })).toMatchObject(
      refused('About a deal is about deals: it contains Customer. Choose another template.'),
    );
    const draft = await addTemplate(server, admin, {
      name: 'Draft',
      subject: 'Hello',
      status: 'draft',
      variables: [],
      document: { blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] },
    });
    expect(await send({ ids, again: true, templateId: draft })).toMatchObject(refused(/^Draft is a draft/));
  });

  test('statements by email require the right to close months, and a template that the sender may use', async () => {
    const ids = [idOf('Coast')];
    expect((await send({ ids, again: true }, clerk)).status).toBe(403);
    expect((await send({ ids, again: true }, lead)).status).toBe(404);
    const { body: coast } = await call(`GET /dealerships/${(await read(ids[0]!)).recipientId}`);
    const { name, address, defaultEmailTemplateId, version } = coast;
    const changed = await call(`PUT /dealerships/${coast._id}`, admin, {
      name,
      address,
      defaultEmailTemplateId,
      version,
      contacts: [contact('Cora', { templateName: 'Statement' }), contact('Carl')],
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect((await send({ ids, again: true }, lead)).body.total).toBe(1);
    expect((await notesOf(ids[0]!)).at(-1)).toEqual({
      kind: 'sent',
      text: 'cora@dealer.example',
      byName: 'Lee Lead',
    });
  });
});
