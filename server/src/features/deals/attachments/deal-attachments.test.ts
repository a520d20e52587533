import { createHash, randomBytes } from 'node:crypto';
import type { DealAttachment } from '@forecourt/contract/deal-attachments';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../../test/app.ts';
import { blockWrites } from '../../../../test/block-inserts.ts';
import { addDeal, addDealership, changePermissions, newestAudit } from '../../../../test/builders.ts';
import { DOT } from '../../../../test/images.ts';
import { openLiveStream, readUntil } from '../../../../test/live-stream.ts';
import { uploadFile, type SentFile } from '../../../../test/uploads.ts';
import { createFileStore } from '../../../platform/files/file-store.ts';
import { moveNext } from '../../../platform/files/move-content.queries.ts';
import type { Context } from '../../../platform/http/context.ts';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import { createDealPurge } from '../trash/deleted-deals.service.ts';
import { createDealAttachments } from './deal-attachments.service.ts';

const MB = 1024 * 1024;

let kim: Person;
let bob: Person;
/** A row of Kim's. */
let dealId: string;
const server = await testApp();
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, ada);
afterAll(() => server.close());
beforeEach(async () => {
  kim = await server.person({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
  bob = await server.person({ name: 'Bob Burr' });
  dealId = (await addDeal(server, kim, dealershipId))._id;
});

const upload = (content: Buffer | string, file: SentFile = {}, by: Pick<Person, 'token'> = kim) =>
  uploadFile(server, by, `/deals/${dealId}/attachments`, content, file);
const added = async (content: Buffer | string = 'words', file: SentFile = {}, by: Person = kim) => {
  const reply = await upload(content, file, by);
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body as DealAttachment;
};
const list = (by: Person | undefined, id = dealId) =>
  server.call(`GET /deals/${id}/attachments`, { token: by?.token });
const namesOf = async (by: Person) =>
  ((await list(by)).body.items as DealAttachment[]).map(({ name }) => name);
const remove = (by: Person, attachmentId: string, id = dealId) =>
  server.call(`DELETE /deals/${id}/attachments/${attachmentId}`, { token: by.token });
const download = (by: Person, attachmentId: string, id = dealId) =>
  fetch(`${url}/api/deals/${id}/attachments/${attachmentId}`, {
    headers: { authorization: `Bearer ${by.token}` },
  });
const copy = (by: Person, attachmentId: string, id = dealId) =>
  server.call('POST /email/attachments/copy', { token: by.token, body: { dealId: id, attachmentId } });
const hideRowFrom = (person: Person) =>
  changePermissions(server, ada, person, { dataEntry: { columnVisibility: { restrictedRows: [dealId] } } });
const markOf = async (by: Person, query = '') => {
  const { body } = await server.call(`GET /deals/marks${query}`, { token: by.token });
  return (body.items as { dealId: string }[]).find((row) => row.dealId === dealId);
};
/** The container of old office documents and of installers, which differ by an id in it. */
function compoundFile(id: string): Buffer {
  const file = Buffer.alloc(1024);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.write(id, 512 + 80, 'hex');
  return file;
}
const storedFiles = async () =>
  (await server.db.selectFrom('deal_attachments').select('id').execute()).length;

test.each<[string, Buffer | string, SentFile, string]>([
  ['an empty one', '', {}, 'The file is empty'],
  ['a byte more than 20 MB', Buffer.alloc(20 * MB + 1), {}, 'Must be at most 20 MB'],
  ['one without a name', 'x', { filename: '' }, 'The name of the file must have 1 to 200 characters'],
  ['another field', 'x', { field: 'image' }, 'A file is required'],
  ...(
    [
      ['for Windows', Buffer.from('MZ')],
      ['for Linux', Buffer.from('\x7fELF')],
      ['for macOS', Buffer.from('cffaedfe', 'hex')],
      ['for Java', Buffer.from('cafebabe00000034', 'hex')],
      ['that is an installer for Windows', compoundFile('84100c0000000000c000000000000046')],
    ] as const
  ).map(([kind, content]): [string, Buffer, SentFile, string] => [
    `a program ${kind}, called a photo`,
    Buffer.concat([content, Buffer.alloc(200)]),
    { filename: 'photo.jpg', type: 'image/jpeg' },
    'Programs cannot be attached',
  ]),
])('an upload to a row rejects %s', async (_what, content, file, message) => {
  expect(await upload(content, file)).toMatchObject({ status: 400, body: { errors: { file: message } } });
  expect((await list(kim)).body.total).toBe(0);
});

test('an attachment of a row does not exist for somebody who does not see the row, and on a deleted row', async () => {
  const { _id } = await added();
  await hideRowFrom(bob);
  expect(await list(bob)).toMatchObject({ status: 404 });
  expect((await download(bob, _id)).status).toBe(404);
  expect(await upload('x', {}, bob)).toMatchObject({ status: 404 });
  expect(await remove(bob, _id)).toMatchObject({ status: 404 });
  expect(await copy(bob, _id)).toMatchObject({ status: 404 });
  const other = await addDeal(server, kim, dealershipId);
  expect((await download(ada, _id, other._id)).status).toBe(404);
  expect(await remove(ada, _id, other._id)).toMatchObject({ status: 404 });
  expect(await copy(ada, _id, other._id)).toMatchObject({ status: 404 });
  await server.call(`DELETE /deals/${dealId}`, { token: ada.token });
  expect(await list(kim)).toMatchObject({ status: 404 });
  expect((await download(kim, _id)).status).toBe(404);
});

test('users who see the row can read it, users who may change the row can add and remove it', async () => {
  const before = await storedFiles();
  const { _id } = await added();
  expect(await namesOf(bob)).toEqual(['file.bin']);
  expect(await (await download(bob, _id)).text()).toBe('words');
  expect(await upload('x', {}, bob)).toMatchObject({ status: 403, body: { details: 'NOT_ROW_OWNER' } });
  expect(await remove(bob, _id)).toMatchObject({ status: 403 });
  await server.call(`PUT /deals/${dealId}/sharing`, {
    token: kim.token,
    body: { sharedWith: [{ userId: bob.id, permissions: 'write' }] },
  });
  expect(await upload('x', { filename: 'Second' }, bob)).toMatchObject({ status: 201 });
  expect(await namesOf(bob)).toEqual(['file.bin', 'Second']);
  expect(await remove(bob, _id)).toMatchObject({ status: 204 });
  expect(await remove(bob, _id)).toMatchObject({ status: 404 });
  expect(await namesOf(kim)).toEqual(['Second']);
  expect(await storedFiles()).toBe(before + 1);
});

test.each<[string, string, Buffer, string]>([
  ['a photo', 'photo.png', DOT, 'image/png'],
  ['a photo that is called a text', 'photo.txt', DOT, 'image/png'],
  ['a contract', 'Contract.pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'application/pdf'],
  ['a page that is called a photo', 'photo.png', Buffer.from('<script>alert(1)</script>'), 'text/plain'],
  ['bytes', 'a.bin', Buffer.from([0, 1, 2, 255]), 'application/octet-stream'],
  ['bytes that would be a text but for a zero', 'a.bin', Buffer.from('a\0b'), 'application/octet-stream'],
  [
    'a document of an old word processor',
    'Letter.doc',
    compoundFile('0609020000000000c000000000000046'),
    'application/x-cfb',
  ],
])('an upload to a row recognises %s by its content', async (_what, filename, content, type) => {
  expect(await added(content, { filename, type: 'image/png' })).toEqual({
    _id: expect.any(String),
    name: filename,
    type,
    size: content.length,
    createdBy: kim.id,
    createdByName: 'Kim Novak',
    createdAt: expect.any(String),
  });
});

test('a download returns the same 20 MB, as a file that no browser opens as a page', async () => {
  const content = Buffer.alloc(20 * MB, createHash('sha512').update('seed').digest());
  const { _id } = await added(content, { filename: 'Größe %221%22.bin' });
  const reply = await download(kim, _id);
  expect(Buffer.from(await reply.arrayBuffer()).equals(content)).toBe(true);
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; .*Gr%C3%B6%C3%9Fe%20%221%22.bin$/);
  expect(reply.headers.get('content-security-policy')).toContain('sandbox');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a download is complete when the file moves from the database to the data folder meanwhile', async () => {
  const chunks = Array.from({ length: 8 }, () => randomBytes(200_000));
  const { _id } = await added(Buffer.concat(chunks));
  // As an earlier release stored it.
  await sql`update deal_attachments set digest = null where id = ${_id}`.execute(server.db);
  for (const [position, content] of chunks.entries())
    await sql`insert into deal_attachment_chunks (attachment_id, position, content)
      values (${_id}, ${position}, ${content})`.execute(server.db);
  const files = createFileStore(server.dataDir);
  const limits = { FILES_PER_PERSON: Infinity, FILES_TOTAL: Infinity };
  const attachments = createDealAttachments({ loadOne: async () => ({}) } as never, limits, files);
  const file = await attachments.open({ db: server.db } as Context, dealId, _id);
  const read: Buffer[] = [];
  for await (const piece of await file.open()) {
    if (read.length === 0) while (await moveNext(server.db, (tx, content) => files.add(tx, content)));
    read.push(piece as Buffer);
  }
  expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true);
});

test('a row has at most 30 files, also when they arrive at the same time', async () => {
  await server.db
    .insertInto('deal_attachments')
    .values(
      Array.from({ length: 28 }, () => ({
        id: newId(),
        deal_id: dealId,
        name: 'a',
        type: 'text/plain',
        size: 1,
        created_by: kim.id,
      })),
    )
    .execute();
  const replies = await Promise.all(Array.from({ length: 4 }, () => upload('x')));
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201, 201, 400, 400,
  ]);
  expect(replies.find(({ status }) => status === 400)!.body.errors.file).toBe(
    'A row may have at most 30 files',
  );
});

test('an upload that is repeated with its key adds one file', async () => {
  const file = { filename: 'Contract.pdf', idempotencyKey: newId() };
  const first = await added('words', file);
  expect(await added('words', file)).toEqual(first);
  expect(await namesOf(kim)).toEqual(['Contract.pdf']);
});

test('attachments are counted by row, those of the row with the newest file first', async () => {
  const first = await addDeal(server, kim, dealershipId);
  const uploadTo = (id: string) => uploadFile(server, kim, `/deals/${id}/attachments`, 'words');
  const order = async () =>
    (await server.call('GET /deals/marks', { token: bob.token })).body.items
      .map((row: { dealId: string }) => row.dealId)
      .filter((id: string) => [dealId, first._id].includes(id));
  for (const id of [first._id, dealId]) await uploadTo(id);
  expect(await order()).toEqual([dealId, first._id]);
  await uploadTo(first._id);
  expect(await order()).toEqual([first._id, dealId]);
});

test('attachments are counted by row for users who see it, beside the comments', async () => {
  expect(await markOf(bob)).toBeUndefined();
  const { _id } = await added();
  await added('other words');
  expect(await markOf(bob)).toEqual({ dealId, comments: 0, unread: 0, files: 2 });
  const { month } = (await server.call(`GET /deals/${dealId}`, { token: kim.token })).body;
  expect(await markOf(bob, `?month=${month}`)).toMatchObject({ files: 2 });
  expect(await markOf(bob, '?month=2020-01')).toBeUndefined();
  await server.call(`POST /deals/${dealId}/comments`, { token: kim.token, body: { body: 'Signed' } });
  await remove(kim, _id);
  expect(await markOf(bob)).toEqual({ dealId, comments: 1, unread: 1, files: 1 });
  await hideRowFrom(bob);
  expect(await markOf(bob)).toBeUndefined();
  await server.call(`DELETE /deals/${dealId}`, { token: ada.token });
  expect(await markOf(kim)).toBeUndefined();
});

test('an attachment of a row is audited, announced and in the history, and does not change the version of the row', async () => {
  const { reader, stop } = await openLiveStream(url, bob.token);
  const first = await readUntil(reader, (text) => text.includes('event: permissions'));
  const { _id } = await added('words', { filename: 'Contract.pdf' });
  const announced = `"entity":"deal-attachments","recordId":"${dealId}"`;
  expect(await readUntil(reader, (text) => text.includes(announced), first)).not.toContain('Contract.pdf');
  stop();
  expect(await newestAudit(server, dealId)).toMatchObject({
    action: 'deal-attachments.added',
    entity: 'deal-attachments',
    actor_id: kim.id,
    after: { attachmentId: _id, name: 'Contract.pdf', type: 'text/plain', size: 5 },
  });
  await remove(kim, _id);
  expect(await newestAudit(server, dealId)).toMatchObject({
    action: 'deal-attachments.removed',
    before: { attachmentId: _id, name: 'Contract.pdf', type: 'text/plain', size: 5 },
  });
  const history = await server.call(`GET /deals/${dealId}/history`, { token: bob.token });
  expect(history.body.items.slice(0, 2)).toMatchObject([
    { action: 'attachmentRemoved', byName: 'Kim Novak', changes: [{ before: 'Contract.pdf', after: null }] },
    { action: 'attachmentAdded', version: null, changes: [{ field: 'attachment', after: 'Contract.pdf' }] },
  ]);
  expect((await server.call(`GET /deals/${dealId}`, { token: kim.token })).body.version).toBe(1);
});

test('a copy of it becomes a file of the sender, of at most 10 MB', async () => {
  const { _id } = await added(DOT, { filename: 'photo.png' });
  const { status, body } = await copy(bob, _id);
  expect([status, body]).toMatchObject([201, { name: 'photo.png', type: 'image/png', size: DOT.length }]);
  expect(body._id).not.toBe(_id);
  const file = await server.db
    .selectFrom('email_attachments')
    .where('id', '=', body._id)
    .select(['digest', 'created_by'])
    .executeTakeFirstOrThrow();
  // The content is stored once for both.
  const source = server.db.selectFrom('deal_attachments').where('id', '=', _id).select('digest');
  expect(file).toEqual({ ...(await source.executeTakeFirstOrThrow()), created_by: bob.id });
  expect(await copy(bob, (await added(Buffer.alloc(10 * MB, 'a')))._id)).toMatchObject({ status: 201 });
  const large = await added(Buffer.alloc(10 * MB + 1, 'a'));
  expect(await copy(bob, large._id)).toMatchObject({
    status: 400,
    body: { errors: { file: 'Must be at most 10 MB' } },
  });
});

test('an attachment of a row is removed with the purge of its row', async () => {
  const before = await storedFiles();
  await added();
  await server.call(`DELETE /deals/${dealId}`, { token: ada.token });
  await sql`
    update deals set deleted_at = deleted_at - interval '31 days' where id = ${dealId}`.execute(server.db);
  await createDealPurge({ db: server.db, log: createLog('silent'), redact: async () => {} }).purge();
  expect(await storedFiles()).toBe(before);
  const rows = await server.db
    .selectFrom('deal_attachments')
    .where('deal_id', '=', dealId)
    .select('id')
    .execute();
  expect(rows).toEqual([]);
});

describe('the space of files', () => {
  const CHUNK = 10_000;
  let small: TestApp;
  let admin: Person;
  let dealer: string;
  beforeAll(async () => {
    small = await testApp({ FILES_PER_PERSON: 10 * CHUNK, FILES_TOTAL: 15 * CHUNK });
    admin = await small.person({ role: 'admin', name: 'Ada Admin' });
    dealer = await addDealership(small, admin);
  });
  afterAll(() => small.close());
  beforeEach(() => small.db.deleteFrom('deal_attachments').execute());

  const clerk = (name: string) => small.person({ name, permissions: { dataEntry: { canAddRows: true } } });
  const add = (by: Person, deal: { _id: string }, chunks: number) =>
    uploadFile(small, by, `/deals/${deal._id}/attachments`, deal._id.padEnd(chunks * CHUNK, 'x'));
  const spaceOf = async (by: Person, deal: { _id: string }) =>
    (await small.call(`GET /deals/${deal._id}/attachments`, { token: by.token })).body.space;
  const spaceInJobs = async () => (await small.call('GET /jobs', { token: admin.token })).body.space;

  test('the space of files of one person is limited, on all rows together; from 90 % on the person and the administrators are told', async () => {
    const cleo = await clerk('Cleo Clerk');
    const [one, other] = [await addDeal(small, cleo, dealer), await addDeal(small, cleo, dealer)];
    expect((await add(cleo, one, 8)).status).toBe(201);
    expect([await spaceOf(cleo, one), await spaceInJobs()]).toEqual([null, []]);
    const { body: last } = await add(cleo, other, 1);
    const space = { name: 'Cleo Clerk', used: 9 * CHUNK, limit: 10 * CHUNK };
    expect([await spaceOf(cleo, one), await spaceInJobs()]).toEqual([space, [space]]);
    expect(await add(cleo, other, 2)).toMatchObject({
      status: 400,
      body: { errors: { file: expect.stringMatching(/^Your files would take more than/) } },
    });
    expect((await add(cleo, other, 1)).status).toBe(201);
    expect((await add(cleo, other, 1)).status).toBe(400);
    const removal = `DELETE /deals/${other._id}/attachments/${last._id}`;
    expect((await small.call(removal, { token: cleo.token })).status).toBe(204);
    expect((await add(cleo, one, 1)).status).toBe(201);
  });

  test('the space of files of all people is limited, and does not reveal whose files they are', async () => {
    const [cleo, bob] = [await clerk('Cleo Clerk'), await clerk('Bob Burr')];
    const [hers, his] = [await addDeal(small, cleo, dealer), await addDeal(small, bob, dealer)];
    expect((await add(cleo, hers, 8)).status).toBe(201);
    expect((await add(bob, his, 6)).status).toBe(201);
    const space = { name: null, used: 14 * CHUNK, limit: 15 * CHUNK };
    expect([await spaceOf(bob, his), await spaceInJobs()]).toEqual([space, [space]]);
    expect(await add(bob, his, 2)).toMatchObject({
      status: 400,
      body: { errors: { file: expect.stringMatching(/^All files would take more than/) } },
    });
  });

  test('the space of files is not exceeded by files that are attached at once to different rows', async () => {
    const cleo = await clerk('Cleo Clerk');
    const rows = await Promise.all([1, 2, 3, 4].map(() => addDeal(small, cleo, dealer)));
    const event = sql`insert on deal_attachments for each row`;
    const replies = await blockWrites(small.db, 'hold_attachments', event, async (untilBlocked) => {
      const adding = rows.map((row) => add(cleo, row, 4));
      await untilBlocked(4);
      return adding;
    }).then((adding) => Promise.all(adding));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(2);
  });
});
