import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { addDeal, addDealership, changePermissions, emailValues } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';
import type { Space } from '../../platform/disk-space.ts';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { notify } from '../../platform/notify.ts';
import { createDiskWatch, diskNotice } from './disk-watch.service.ts';

let kim: Person;
const server = await testApp();
const ada = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, ada);
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => server.close());
beforeEach(async () => {
  kim = await server.person({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
});

const list = async (person: Person) =>
  (await server.call('GET /notifications', { token: person.token })).body;
const read = (person: Person, ids?: string[], until?: string) =>
  server.call('POST /notifications/read', {
    token: person.token,
    body: { ...(ids && { ids }), ...(until && { until }) },
  });
const add = (person: Person, changes: object = {}) => addDeal(server, person, dealershipId, changes);
const share = async (ids: string[], person: Person) => {
  const body = { ids, sharedWith: [{ userId: person.id, permissions: 'view' }] };
  const reply = await server.call('POST /deals/bulk/share', { token: ada.token, body });
  expect(reply.status).toBe(200);
};
const transfer = (ids: string[], targetUserId: string) =>
  server.call('POST /deals/bulk/owner', { token: ada.token, body: { ids, targetUserId } });
/** Returns an instant this many seconds from now. */
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

test('notifications require a session, and reject invalid ids', async () => {
  expect(await server.call('GET /notifications')).toMatchObject({ status: 401 });
  expect(await server.call('POST /notifications/read', { body: {} })).toMatchObject({ status: 401 });
  expect(await read(kim, ['mine'])).toMatchObject({ status: 400 });
});

test('settings are those of the caller, on by default, and audited when they change', async () => {
  const settings = (person?: Person) => server.call('GET /notifications/settings', { token: person?.token });
  const change = (body: object, person?: Person) =>
    server.call('PUT /notifications/settings', { token: person?.token, body });
  expect(await settings()).toMatchObject({ status: 401 });
  expect(await change({ mentionMail: false })).toMatchObject({ status: 401 });
  for (const body of [{}, { mentionMail: 'no' }, { mentionMail: false, userId: ada.id }])
    expect(await change(body, kim), JSON.stringify(body)).toMatchObject({ status: 400 });
  // This server sends no mail of its own.
  expect((await settings(kim)).body).toEqual({ mentionMail: true, isMailOn: false });
  const off = { mentionMail: false, isMailOn: false };
  expect(await change({ mentionMail: false }, kim)).toMatchObject({ status: 200, body: off });
  expect((await settings(kim)).body).toEqual(off);
  expect((await settings(ada)).body).toMatchObject({ mentionMail: true });
  await change({ mentionMail: false }, kim);
  const entries = await server.db
    .selectFrom('audit_entries')
    .where('record_id', '=', kim.id)
    .select(['action', 'actor_id', 'before', 'after'])
    .execute();
  expect(entries).toEqual([
    {
      action: 'user.updated',
      actor_id: kim.id,
      before: { mentionMail: true },
      after: { mentionMail: false },
    },
  ]);
});

test('notifications are empty at first', async () => {
  expect(await list(kim)).toEqual({ items: [], total: 0, unread: 0, nextDueAt: null });
});

describe('changes by others', () => {
  test('a shared row notifies with its buyer and the author', async () => {
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

  test('many rows transferred at once give one notification, and none to the person who did it', async () => {
    const ids = [await add(ada), await add(ada), await add(ada)].map(({ _id }) => _id);
    await share(ids, kim);
    expect(await transfer(ids, kim.id)).toMatchObject({ status: 200 });
    expect((await list(kim)).items).toMatchObject([
      { kind: 'transferred', count: 3 },
      { kind: 'shared', count: 3 },
    ]);
    await transfer(ids, ada.id);
    expect((await list(ada)).items).toEqual([]);
  });

  test('a change that is rolled back sends no notification', async () => {
    const refused = new Error('refused');
    const work = server.db.transaction().execute(async (tx) => {
      await notify(tx, 'shared', ada.id, [{ userId: kim.id, recordId: newId() }]);
      throw refused;
    });
    await expect(work).rejects.toBe(refused);
    expect(await server.db.selectFrom('notifications').where('user_id', '=', kim.id).execute()).toEqual([]);
  });

  test('a row that is no longer visible is omitted', async () => {
    const row = await add(ada);
    await share([row._id], kim);
    const body = { dataEntry: { columnVisibility: { restrictedRows: [row._id] } } };
    await changePermissions(server, ada, kim, body);
    expect(await list(kim)).toMatchObject({ items: [], unread: 0 });
  });

  test('many rows are listed by the first that is visible, and omitted when none is', async () => {
    const ids = [await add(ada), await add(ada, { customerName: 'Bea' }), await add(ada)].map(
      ({ _id }) => _id,
    );
    await share(ids, kim);
    const hide = (restrictedRows: string[]) =>
      server.call(`PUT /permissions/user/${kim.id}`, {
        token: ada.token,
        body: { dataEntry: { columnVisibility: { restrictedRows } } },
      });
    const { recordId } = (await list(kim)).items[0];
    await hide(ids.filter((id) => id === recordId));
    const [item] = (await list(kim)).items;
    expect(item).toMatchObject({ kind: 'shared', count: 3, isRead: false });
    expect(ids.filter((id) => id !== recordId)).toContain(item.recordId);
    await hide(ids);
    expect(await list(kim)).toMatchObject({ items: [], unread: 0 });
  });
});

describe('a disk that is almost full', () => {
  const GB = 1e9;
  test.each([
    [{ free: 11 * GB, total: 100 * GB }, null],
    [{ free: 9 * GB, total: 100 * GB }, 'diskLow'],
    [{ free: 2 * GB, total: 4 * GB }, null],
    [{ free: 0.9 * GB, total: 4 * GB }, 'diskAlmostFull'],
  ])('a disk with %j is reported as %s', (space, kind) => {
    expect(diskNotice(space)).toBe(kind);
  });

  test('a disk that is almost full notifies active administrators once a day for each of the two limits', async () => {
    const former = await server.person({ role: 'admin' });
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', former.id).execute();
    const watch = createDiskWatch({ db: server.db, log: createLog('silent'), folder: '/' });
    const kindsOf = async (person: Person) =>
      (await server.db.selectFrom('notifications').where('user_id', '=', person.id).select('kind').execute())
        .map(({ kind }) => kind)
        .filter((kind) => kind.startsWith('disk'));
    const [low, almostFull] = [9, 0.9].map((free) => ({ free: free * GB, total: 100 * GB })) as [
      Space,
      Space,
    ];

    await watch.check({ free: 50 * GB, total: 100 * GB });
    expect(await kindsOf(ada)).toEqual([]);
    await Promise.all([watch.check(low), watch.check(low)]);
    expect(await kindsOf(ada)).toEqual(['diskLow']);
    await watch.check(almostFull);
    expect(await kindsOf(ada)).toEqual(['diskLow', 'diskAlmostFull']);
    await server.db
      .updateTable('notifications')
      .set({ occurred_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('user_id', '=', ada.id)
      .where('kind', '=', 'diskLow')
      .execute();
    await watch.check(low);
    expect((await kindsOf(ada)).toSorted()).toEqual(['diskAlmostFull', 'diskLow', 'diskLow']);
    expect([await kindsOf(kim), await kindsOf(former)]).toEqual([[], []]);
    expect((await list(ada)).items).toContainEqual(
      expect.objectContaining({ kind: 'diskAlmostFull', byName: null, name: '' }),
    );
  });
});

test('a failed email notifies its sender only', async () => {
  const email = emailValues(kim.id, dealershipId, { subject: 'About Ann', status: 'failed' });
  await server.db.transaction().execute(async (tx) => {
    await tx.insertInto('emails').values(email).execute();
    await notify(tx, 'emailFailed', null, [{ userId: kim.id, recordId: email.id }]);
  });
  expect((await list(kim)).items).toMatchObject([{ kind: 'emailFailed', name: 'About Ann', byName: null }]);
  const kinds = (await list(ada)).items.map((item: { kind: string }) => item.kind);
  expect(kinds).not.toContain('emailFailed');
});

describe('follow-ups', () => {
  test('follow-ups appear at their due time; the next due time is returned', async () => {
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

  test('follow-ups remain read until another time is set', async () => {
    const row = await add(kim, { followUpAt: inSeconds(-60) });
    expect(await read(kim, [row._id])).toMatchObject({ status: 204 });
    expect(await list(kim)).toMatchObject({ items: [{ kind: 'followUp', isRead: true }], unread: 0 });
    const body = { version: row.version, followUpAt: inSeconds(-30) };
    await server.call(`PATCH /deals/${row._id}`, { token: kim.token, body });
    expect((await list(kim)).items).toMatchObject([{ isRead: false }, { isRead: true }]);
  });

  test('follow-ups remain read after many newer notifications and many days, as long as the row has that time', async () => {
    const [row, changed] = [
      await add(kim, { followUpAt: inSeconds(-60) }),
      await add(kim, { followUpAt: inSeconds(-60) }),
    ];
    await read(kim);
    const longAgo = sql<string>`now() - interval '91 days'`;
    await server.db
      .updateTable('notifications')
      .set({ read_at: longAgo })
      .where('user_id', '=', kim.id)
      .execute();
    const body = { version: changed.version, followUpAt: inSeconds(-30) };
    await server.call(`PATCH /deals/${changed._id}`, { token: kim.token, body });
    // Of rows that no longer exist: they are not listed.
    await server.db
      .insertInto('notifications')
      .values(
        Array.from({ length: 60 }, () => ({
          id: newId(),
          user_id: kim.id,
          kind: 'shared',
          record_id: newId(),
        })),
      )
      .execute();
    await read(kim);
    expect(await list(kim)).toMatchObject({ unread: 0 });
    const kept = await server.db
      .selectFrom('notifications')
      .where('user_id', '=', kim.id)
      .where('kind', '=', 'followUp')
      .select('record_id')
      .execute();
    expect(new Set(kept.map(({ record_id }) => record_id))).toEqual(new Set([row._id, changed._id]));
    expect(kept).toHaveLength(2);
  });

  test('the bell hides due follow-ups from a user who may not see the follow-up column', async () => {
    await add(kim, { followUpAt: inSeconds(-60) });
    const visibleColumns = ['customerName', 'status', 'owner', 'dealershipId'];
    const body = { dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns } } };
    await changePermissions(server, ada, kim, body);
    expect(await list(kim)).toMatchObject({ items: [], nextDueAt: null });
  });
});

test('marking some leaves the others unread, marking all none; other users are unaffected', async () => {
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

test('marking all until a time leaves newer ones unread', async () => {
  await share([(await add(ada))._id], kim);
  await server.db
    .updateTable('notifications')
    .set({ occurred_at: sql`now() - interval '1 minute'` })
    .where('user_id', '=', kim.id)
    .execute();
  const { items } = await list(kim);
  await add(kim, { followUpAt: inSeconds(-1) });
  await share([(await add(ada))._id], kim);
  expect((await list(kim)).unread).toBe(3);
  expect(await read(kim, undefined, items[0].at)).toMatchObject({ status: 204 });
  const { items: later } = await list(kim);
  expect(later.map(({ isRead }: { isRead: boolean }) => isRead)).toEqual([false, false, true]);
});

test('a page that was loading meanwhile is notified once it is connected', async () => {
  const isNotification = (output: string) => output.includes('"entity":"notification"');
  const row = await add(ada);
  const open = await openLiveStream(url, kim.token);
  await share([row._id], kim);
  await readUntil(open.reader, isNotification);
  const late = await openLiveStream(url, kim.token, '?recent=1');
  expect(await readUntil(late.reader, isNotification)).toContain(kim.id);
  open.stop();
  late.stop();
});

test('open pages are notified at once, but not those of other users', async () => {
  const mine = await openLiveStream(url, kim.token);
  const theirs = await openLiveStream(url, ada.token);
  try {
    const row = await add(ada);
    await share([row._id], kim);
    await readUntil(mine.reader, (output) => output.includes('"entity":"notification"'));
    const marker = await add(ada);
    const output = await readUntil(theirs.reader, (text) => text.includes(marker._id));
    expect(output).not.toContain('"entity":"notification"');
  } finally {
    mine.stop();
    theirs.stop();
  }
});
