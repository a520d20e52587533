import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import { newId } from '../../platform/ids.ts';
import { notify } from '../../platform/notify.ts';

let server: TestApp;
let ada: Person;
let kim: Person;
let dealershipId: string;
let url: string;
beforeAll(async () => {
  server = await testApp();
  ada = await server.person({ role: 'admin', name: 'Ada Admin' });
  dealershipId = await addDealership(server, ada);
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(async () => {
  kim = await server.person({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
});

const list = async (person: Person) =>
  (await server.call('GET /notifications', { token: person.token })).body;
const read = (person: Person, ids?: string[]) =>
  server.call('POST /notifications/read', { token: person.token, body: ids ? { ids } : {} });
const add = (person: Person, changes: object = {}) => addDeal(server, person, dealershipId, changes);
const share = async (ids: string[], person: Person) => {
  const body = { ids, sharedWith: [{ userId: person.id, permissions: 'view' }] };
  const reply = await server.call('POST /deals/bulk/share', { token: ada.token, body });
  expect(reply.status).toBe(200);
};
const handOver = (ids: string[], targetUserId: string) =>
  server.call('POST /deals/bulk/owner', { token: ada.token, body: { ids, targetUserId } });
/** An instant so many seconds from now. */
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

test('are for whoever is signed in, and refuse what is no id', async () => {
  expect(await server.call('GET /notifications')).toMatchObject({ status: 401 });
  expect(await server.call('POST /notifications/read', { body: {} })).toMatchObject({ status: 401 });
  expect(await read(kim, ['mine'])).toMatchObject({ status: 400 });
});

test('without any there are none', async () => {
  expect(await list(kim)).toEqual({ items: [], total: 0, unread: 0, nextDueAt: null });
});

describe('what others do', () => {
  test('a row that is shared is told with its buyer and who did it', async () => {
    const row = await add(ada, { customerName: 'Ann Example' });
    const body = { sharedWith: [{ userId: kim.id, permissions: 'write' }] };
    await server.call(`PUT /deals/${row._id}/sharing`, { token: ada.token, body });
    expect((await list(kim)).items).toMatchObject([
      {
        kind: 'shared',
        name: 'Ann Example',
        byName: 'Ada Admin',
        count: 1,
        recordId: row._id,
        isRead: false,
      },
    ]);
  });

  test('many rows at once are one piece of news, told to nobody for what they did themselves', async () => {
    const ids = [await add(ada), await add(ada), await add(ada)].map(({ _id }) => _id);
    await share(ids, kim);
    expect(await handOver(ids, kim.id)).toMatchObject({ status: 200 });
    expect((await list(kim)).items).toMatchObject([
      { kind: 'handedOver', count: 3 },
      { kind: 'shared', count: 3 },
    ]);
    await handOver(ids, ada.id);
    expect((await list(ada)).items).toEqual([]);
  });

  test('what was rolled back was never told', async () => {
    const refused = new Error('refused');
    const work = server.db.transaction().execute(async (tx) => {
      await notify(tx, 'shared', ada.id, [{ userId: kim.id, recordId: newId() }]);
      throw refused;
    });
    await expect(work).rejects.toBe(refused);
    expect(await server.db.selectFrom('notifications').where('user_id', '=', kim.id).execute()).toEqual([]);
  });

  test('a row that its reader does not see any more is not told of', async () => {
    const row = await add(ada);
    await share([row._id], kim);
    const body = { dataEntry: { columnVisibility: { restrictedRows: [row._id] } } };
    await server.call(`PUT /permissions/user/${kim.id}`, { token: ada.token, body });
    expect(await list(kim)).toMatchObject({ items: [], unread: 0 });
  });
});

test('an email that failed is told to its sender alone', async () => {
  const failed = newId();
  await server.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('emails')
      .values({
        id: failed,
        sender_id: kim.id,
        dealership_id: dealershipId,
        template_name: 'Daily',
        template_version: 1,
        from_name: 'Kim',
        from_address: kim.email,
        to_addresses: [],
        cc_addresses: [],
        subject: 'About Ann',
        html: '',
        body_text: '',
        message_id: failed,
        status: 'failed',
        search_text: '',
      })
      .execute();
    await notify(tx, 'emailFailed', null, [{ userId: kim.id, recordId: failed }]);
  });
  expect((await list(kim)).items).toMatchObject([{ kind: 'emailFailed', name: 'About Ann', byName: null }]);
  expect((await list(ada)).items).toEqual([]);
});

describe('follow-ups', () => {
  test('are told when their time has come, by the clock; the next one is named', async () => {
    const next = inSeconds(3600);
    const due = await add(kim, { customerName: 'Due Dan', followUpAt: inSeconds(-60) });
    await add(kim, { customerName: 'Later Lou', followUpAt: next });
    await add(kim, { customerName: 'Closed Cy', followUpAt: inSeconds(-60), status: 'Deal' });
    await add(ada, { customerName: 'Not mine', followUpAt: inSeconds(-60) });
    expect(await list(kim)).toMatchObject({
      items: [{ kind: 'followUp', name: 'Due Dan', recordId: due._id, isRead: false }],
      unread: 1,
      nextDueAt: next,
    });
  });

  test('once read they stay read, until another time is set', async () => {
    const row = await add(kim, { followUpAt: inSeconds(-60) });
    expect(await read(kim, [row._id])).toMatchObject({ status: 204 });
    expect(await list(kim)).toMatchObject({ items: [{ kind: 'followUp', isRead: true }], unread: 0 });
    const body = { version: row.version, followUpAt: inSeconds(-30) };
    await server.call(`PATCH /deals/${row._id}`, { token: kim.token, body });
    expect((await list(kim)).items).toMatchObject([{ isRead: false }, { isRead: true }]);
  });

  test('are not told to somebody to whom their column does not exist', async () => {
    await add(kim, { followUpAt: inSeconds(-60) });
    const visibleColumns = ['customerName', 'status', 'owner', 'dealershipId'];
    const body = { dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns } } };
    await server.call(`PUT /permissions/user/${kim.id}`, { token: ada.token, body });
    expect(await list(kim)).toMatchObject({ items: [], nextDueAt: null });
  });
});

test('reading some leaves the others, and reading all leaves none; nobody reads for somebody else', async () => {
  await share([(await add(ada))._id], kim);
  await share([(await add(ada))._id], kim);
  await add(kim, { followUpAt: inSeconds(-60) });
  const { items } = await list(kim);
  expect(items).toHaveLength(3);
  await read(ada, [items[0]._id]);
  await read(ada);
  expect((await list(kim)).unread).toBe(3);
  await read(kim, [items.find(({ kind }: { kind: string }) => kind === 'shared')._id]);
  expect((await list(kim)).unread).toBe(2);
  await read(kim);
  expect((await list(kim)).unread).toBe(0);
});

test('a page that was loading meanwhile hears of it once it is connected', async () => {
  const isNews = (said: string) => said.includes('"entity":"notification"');
  const row = await add(ada);
  const open = await openLiveStream(url, kim.token);
  await share([row._id], kim);
  await readUntil(open.reader, isNews);
  const late = await openLiveStream(url, kim.token, '?recent=1');
  expect(await readUntil(late.reader, isNews)).toContain(kim.id);
  open.stop();
  late.stop();
});

test('open pages hear of it within a moment, those of other people do not', async () => {
  const mine = await openLiveStream(url, kim.token);
  const theirs = await openLiveStream(url, ada.token);
  try {
    const row = await add(ada);
    await share([row._id], kim);
    await readUntil(mine.reader, (said) => said.includes('"entity":"notification"'));
    const marker = await add(ada);
    const said = await readUntil(theirs.reader, (heard) => heard.includes(marker._id));
    expect(said).not.toContain('"entity":"notification"');
  } finally {
    mine.stop();
    theirs.stop();
  }
});
