import type { DealComment } from '@forecourt/contract/deal-comments';
import { MAX_LISTED_COMMENTS } from '@forecourt/contract/deal-limits';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, changePermissions, newestAudit } from '../../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../../test/live-stream.ts';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import { createDealPurge } from '../trash/deleted-deals.service.ts';

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

const post = (by: Person | undefined, body: object, headers = {}, id = dealId) =>
  server.call(`POST /deals/${id}/comments`, { token: by?.token, body, headers });
const add = async (by: Person, body: string, ...mentioned: Person[]) => {
  const reply = await post(by, { body, mentions: mentioned.map(({ id }) => id) });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body as DealComment & { withoutAccess: object[] };
};
const list = async (by: Person, id = dealId) =>
  (await server.call(`GET /deals/${id}/comments`, { token: by.token })).body.items as DealComment[];
const patch = (by: Person, id: string, body: object) =>
  server.call(`PATCH /deals/${dealId}/comments/${id}`, { token: by.token, body });
const remove = (by: Person, id: string) =>
  server.call(`DELETE /deals/${dealId}/comments/${id}`, { token: by.token });
const read = (by: Person, commentId: string) =>
  server.call(`PUT /deals/${dealId}/comments/read`, { token: by.token, body: { commentId } });
const countOf = async (by: Person, query = '') => {
  const { body } = await server.call(`GET /deals/marks${query}`, { token: by.token });
  return (body.items as { dealId: string; comments: number; unread: number; files: number }[]).find(
    (row) => row.dealId === dealId,
  );
};
const notificationsOf = async (by: Person): Promise<string[]> => {
  const { body } = await server.call('GET /notifications', { token: by.token });
  return (body.items as { kind: string; byName: string; isRead: boolean }[]).map(
    ({ kind, byName, isRead }) => `${isRead ? 'read ' : ''}${kind} by ${byName}`,
  );
};
const hideRowFrom = (person: Person) =>
  changePermissions(server, ada, person, { dataEntry: { columnVisibility: { restrictedRows: [dealId] } } });

test('comments reject an empty text, a long one, and mentions of nobody', async () => {
  for (const body of [
    {},
    { body: ' \n ' },
    // A space without width.
    { body: '\u200b' },
    { body: 'x'.repeat(2001) },
    { body: 'Rang', mentions: ['bob'] },
    { body: 'Rang', deal: dealId },
  ])
    expect(await post(kim, body), JSON.stringify(body)).toMatchObject({ status: 400 });
  expect(await post(kim, { body: '😀'.repeat(2000) })).toMatchObject({ status: 201 });
  const former = await server.person({ name: 'Fay Former' });
  await server.db.updateTable('users').set({ is_active: false }).where('id', '=', former.id).execute();
  expect(await post(kim, { body: 'Rang', mentions: [bob.id, former.id] })).toMatchObject({
    status: 400,
    body: { errors: { 'mentions.1': 'Fay Former is no longer active. Choose an active person' } },
  });
});

test('comments of a row do not exist for somebody who does not see the row, and on a deleted row', async () => {
  const { _id } = await add(kim, 'Rang');
  await hideRowFrom(bob);
  expect(await post(bob, { body: 'Rang' })).toMatchObject({ status: 404 });
  expect(await read(bob, _id)).toMatchObject({ status: 404 });
  expect(await remove(bob, _id)).toMatchObject({ status: 404 });
  expect(await countOf(bob)).toBeUndefined();
  expect(await post(kim, { body: 'Rang' }, {}, newId())).toMatchObject({ status: 404 });
  const other = await addDeal(server, kim, dealershipId);
  expect(await server.call(`DELETE /deals/${other._id}/comments/${_id}`, { token: ada.token })).toMatchObject(
    { status: 404 },
  );
  await server.call(`DELETE /deals/${dealId}`, { token: ada.token });
  expect(await post(kim, { body: 'Rang' })).toMatchObject({ status: 404 });
  expect(await countOf(kim)).toBeUndefined();
});

test('comments of a row are listed oldest first with author, mentions and abilities, and do not change the version of the row', async () => {
  await add(kim, '  Rang @Bob Burr\nno answer ', bob);
  await add(bob, 'I try tomorrow');
  expect(await list(bob)).toEqual([
    expect.objectContaining({
      body: 'Rang @Bob Burr\nno answer',
      author: kim.id,
      authorName: 'Kim Novak',
      mentions: [{ _id: bob.id, name: 'Bob Burr' }],
      editedAt: null,
      version: 1,
      abilities: { edit: 'NOT_COMMENT_AUTHOR', delete: 'NOT_COMMENT_AUTHOR' },
    }),
    expect.objectContaining({ body: 'I try tomorrow', abilities: { edit: true, delete: true } }),
  ]);
  expect((await list(ada))[0]!.abilities).toEqual({ edit: 'NOT_COMMENT_AUTHOR', delete: true });
  const { body } = await server.call(`GET /deals/${dealId}`, { token: kim.token });
  expect(body.version).toBe(1);
});

test('comments of a row are listed up to a number, the newest ones', async () => {
  await sql`insert into deal_comments (id, deal_id, author_id, body)
    select ('01930000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${dealId}, ${kim.id}, 'Comment ' || n
    from generate_series(1, ${MAX_LISTED_COMMENTS}::integer + 1) as n`.execute(server.db);
  const bodies = (await list(bob)).map(({ body }) => body);
  expect(bodies).toHaveLength(MAX_LISTED_COMMENTS);
  expect([bodies[0], bodies.at(-1)]).toEqual(['Comment 2', `Comment ${MAX_LISTED_COMMENTS + 1}`]);
});

test('comments of a row are changed by their author only, in the newest version', async () => {
  const { _id } = await add(kim, 'Rang');
  expect(await patch(bob, _id, { body: 'No', version: 1 })).toMatchObject({
    status: 403,
    body: { details: 'NOT_COMMENT_AUTHOR' },
  });
  expect(await patch(ada, _id, { body: 'No', version: 1 })).toMatchObject({ status: 403 });
  expect(await patch(kim, _id, { body: 'Rang twice', version: 1 })).toMatchObject({
    status: 200,
    body: { body: 'Rang twice', version: 2, editedAt: expect.any(String) },
  });
  expect(await patch(kim, _id, { body: 'Rang once', version: 1 })).toMatchObject({
    status: 409,
    body: { current: { body: 'Rang twice', version: 2 } },
  });
  expect(await patch(kim, newId(), { body: 'No', version: 1 })).toMatchObject({ status: 404 });
  expect(await newestAudit(server, dealId)).toMatchObject({
    action: 'deal-comments.edited',
    entity: 'deal-comments',
    actor_id: kim.id,
    before: { commentId: _id, body: 'Rang' },
    after: { commentId: _id, body: 'Rang twice' },
  });
});

test('comments get a new version by a change only, also of the mentions alone', async () => {
  const eve = await server.person({ name: 'Eve Adams' });
  const { _id } = await add(kim, 'Ask Bob or Eve', bob);
  const change = async (version: number, ...mentioned: Person[]) => {
    const mentions = mentioned.map(({ id }) => id);
    const { body } = await patch(kim, _id, { body: 'Ask Bob or Eve', mentions, version });
    return [body.version, body.mentions?.map(({ name }: { name: string }) => name)];
  };
  expect(await change(1, bob)).toEqual([1, ['Bob Burr']]);
  expect(await change(1, eve)).toEqual([2, ['Eve Adams']]);
  expect(await change(2)).toEqual([3, []]);
});

test('comments of a row keep a mention of somebody who left, and get no new one of them', async () => {
  const [leaver, other] = [await server.person(), await server.person({ name: 'Olga Other' })];
  const { _id } = await add(kim, 'Rang', leaver);
  await server.db
    .updateTable('users')
    .set({ is_active: false })
    .where('id', 'in', [leaver.id, other.id])
    .execute();
  const change = { body: 'Rang twice', version: 1 };
  expect(await patch(kim, _id, { ...change, mentions: [leaver.id, other.id] })).toMatchObject({
    status: 400,
    body: { errors: { 'mentions.1': 'Olga Other is no longer active. Choose an active person' } },
  });
  expect(await patch(kim, _id, { ...change, mentions: [leaver.id] })).toMatchObject({
    status: 200,
    body: { mentions: [{ _id: leaver.id }] },
  });
});

test('comments of a row are deleted by their author and by administrators', async () => {
  const [first, second] = [await add(kim, 'One'), await add(kim, 'Two')];
  expect(await remove(bob, first._id)).toMatchObject({ status: 403 });
  expect(await remove(kim, first._id)).toMatchObject({ status: 204 });
  expect(await remove(ada, second._id)).toMatchObject({ status: 204 });
  expect(await remove(ada, second._id)).toMatchObject({ status: 404 });
  expect(await list(kim)).toEqual([]);
  expect(await newestAudit(server, dealId)).toMatchObject({
    action: 'deal-comments.removed',
    actor_id: ada.id,
    before: { body: 'Two' },
  });
  // The row is still there: the values of its entries cannot be removed.
  const redact = { recordId: dealId, reason: 'Try' };
  expect(await server.call('POST /audit-logs/redact', { token: ada.token, body: redact })).toMatchObject({
    status: 409,
  });
});

test('comments write an audit entry in the same transaction', async () => {
  const { _id } = await add(kim, 'Rang @Bob Burr', bob);
  expect(await newestAudit(server, dealId)).toMatchObject({
    action: 'deal-comments.added',
    entity: 'deal-comments',
    actor_id: kim.id,
    version: null,
    after: { commentId: _id, body: 'Rang @Bob Burr', mentions: [bob.id] },
  });
});

test('a repeated request with the same key adds one comment', async () => {
  const headers = { 'idempotency-key': newId() };
  const first = await post(kim, { body: 'Once' }, headers);
  expect(await post(kim, { body: 'Once' }, headers)).toMatchObject({ status: 201, body: first.body });
  expect(await list(kim)).toHaveLength(1);
});

describe('a mention of somebody without access', () => {
  test('a mention of somebody without access names who does not see the row, and not who sees it without a share', async () => {
    const eve = await server.person({ name: 'Eve Adams' });
    await hideRowFrom(eve);
    const { withoutAccess } = await add(kim, '@Bob Burr @Eve Adams @Kim Novak', bob, eve, kim, ada);
    expect(withoutAccess).toEqual([{ _id: eve.id, name: 'Eve Adams' }]);
    expect(await notificationsOf(eve)).toEqual([]);
    expect(await notificationsOf(bob)).not.toEqual([]);
  });

  test('a mention of somebody without access does not name the author, who may have no share either', async () => {
    expect((await add(bob, 'A note to @Bob Burr', bob)).withoutAccess).toEqual([]);
  });
});

describe('notifications', () => {
  test('notifications about comments go to mentioned users, the owner and former commenters who see the row, and not to the author', async () => {
    const [eve, zoe] = [await server.person({ name: 'Eve Adams' }), await server.person({ name: 'Zoe' })];
    await add(eve, 'First');
    await add(zoe, 'Second');
    await hideRowFrom(zoe);
    await add(ada, 'Look, @Bob Burr', bob);
    expect(await notificationsOf(bob)).toEqual(['commentMention by Ada Admin']);
    expect(await notificationsOf(eve)).toEqual(['comment by Ada Admin']);
    expect(await notificationsOf(kim)).toEqual(['comment by Ada Admin']);
    expect(await notificationsOf(ada)).not.toContain('comment by Ada Admin');
    const stored = await server.db
      .selectFrom('notifications')
      .where('user_id', '=', zoe.id)
      .where('created_by', '=', ada.id)
      .selectAll()
      .execute();
    expect(stored).toEqual([]);
  });

  test('notifications about comments of several unread comments there is one, of the newest', async () => {
    await add(ada, 'One');
    await add(bob, 'Two');
    expect(await notificationsOf(kim)).toEqual(['comment by Bob Burr']);
  });

  test('notifications about comments of a mention there is one, also for the owner, beside that of unread comments', async () => {
    await add(ada, 'Look, @Kim Novak', kim);
    expect(await notificationsOf(kim)).toEqual(['commentMention by Ada Admin']);
    await add(bob, 'One');
    await add(bob, '@Kim Novak', kim);
    expect(await notificationsOf(kim)).toEqual(['commentMention by Bob Burr', 'comment by Bob Burr']);
  });

  test('notifications about comments of a changed text go to newly mentioned users', async () => {
    const { _id } = await add(kim, 'Hello');
    await patch(kim, _id, { body: 'Hello @Bob Burr', mentions: [bob.id], version: 1 });
    await patch(kim, _id, { body: 'Hello, @Bob Burr', mentions: [bob.id], version: 2 });
    expect(await notificationsOf(bob)).toEqual(['commentMention by Kim Novak']);
  });

  test('notifications about comments name the newest comment that they are about, until it is deleted', async () => {
    const commentsOf = async (by: Person) => {
      const { body } = await server.call('GET /notifications', { token: by.token });
      return (body.items as { kind: string; commentId: string }[]).map((one) => [one.kind, one.commentId]);
    };
    const first = await add(ada, 'One, @Bob Burr', bob);
    const second = await add(ada, 'Two');
    expect(await commentsOf(kim)).toEqual([['comment', second._id]]);
    expect(await commentsOf(bob)).toEqual([['commentMention', first._id]]);
    await patch(ada, second._id, { body: 'Two, @Bob Burr', mentions: [bob.id], version: 1 });
    expect(await commentsOf(bob)).toEqual([['commentMention', second._id]]);
    for (const { _id } of [first, second])
      await server.call(`DELETE /deals/${dealId}/comments/${_id}`, { token: ada.token });
    expect(await commentsOf(bob)).toEqual([['commentMention', null]]);
  });

  test('notifications about comments are read with the comments of their row, and others stay unread', async () => {
    const other = await addDeal(server, kim, dealershipId);
    await post(bob, { body: 'First' }, {}, other._id);
    await post(ada, { body: 'Elsewhere' }, {}, other._id);
    await server.call(`PUT /deals/${dealId}/sharing`, {
      token: kim.token,
      body: { sharedWith: [{ userId: bob.id, permissions: 'view' }] },
    });
    await add(bob, 'First');
    await add(kim, 'Hello');
    const { _id } = await add(kim, 'Hello @Bob Burr', bob);
    expect(await read(bob, _id)).toMatchObject({ status: 204 });
    expect((await notificationsOf(bob)).toSorted()).toEqual([
      'comment by Ada Admin',
      'read comment by Kim Novak',
      'read commentMention by Kim Novak',
      'shared by Kim Novak',
    ]);
  });

  test('notifications about comments stay unread if another comment was written before an earlier one was read', async () => {
    const first = await add(kim, 'Hello @Bob Burr', bob);
    const second = await add(ada, 'Call him, @Bob Burr', bob);
    await add(bob, 'A comment of his own');
    await read(bob, first._id);
    expect(await notificationsOf(bob)).toContain('commentMention by Ada Admin');
    await read(bob, second._id);
    expect(await notificationsOf(bob)).toContain('read commentMention by Ada Admin');
  });

  test('notifications about comments are published to the open pages of their user, also when one is renewed or the comments are read', async () => {
    const { reader, stop } = await openLiveStream(url, bob.token);
    let text = await readUntil(reader, (output) => output.includes('event: permissions'));
    const published = async (act: () => Promise<unknown>) => {
      const { length } = text;
      await act();
      const isPublished = (output: string) => output.slice(length).includes('"entity":"notification"');
      text = await readUntil(reader, isPublished, text);
    };
    const { _id } = await add(kim, 'A comment without a notification');
    // Events of earlier tests may come until then.
    text = await readUntil(reader, (output) => output.includes(dealId), text);
    const { length: begun } = text;
    await published(() => read(bob, _id));
    await published(() => add(kim, 'Hello @Bob Burr', bob));
    await published(() => add(kim, 'Hello again @Bob Burr', bob));
    stop();
    expect(text.slice(begun).match(/"entity":"notification"/g)).toHaveLength(3);
  });
});

describe('unread comments', () => {
  const month = async () =>
    (await server.call('GET /deals/options', { token: kim.token })).body.currentMonth as string;

  test('unread comments are counted by row: those of others that were not read', async () => {
    const first = await add(kim, 'One');
    const second = await add(kim, 'Two');
    expect(await countOf(kim)).toEqual({ dealId, comments: 2, unread: 0, files: 0 });
    expect(await countOf(bob)).toEqual({ dealId, comments: 2, unread: 2, files: 0 });
    expect(await countOf(bob, `?month=${await month()}`)).toMatchObject({ unread: 2 });
    expect(await countOf(bob, '?month=2020-01')).toBeUndefined();
    await read(bob, second._id);
    expect(await countOf(bob)).toMatchObject({ comments: 2, unread: 0 });
    // Reading an older comment later marks nothing as unread.
    await read(bob, first._id);
    await add(kim, 'Three');
    expect(await countOf(bob)).toMatchObject({ comments: 3, unread: 1 });
  });

  test('unread comments are counted for each user and row, those of the row with the newest comment first', async () => {
    const other = await addDeal(server, kim, dealershipId);
    await post(kim, { body: 'Elsewhere' }, {}, other._id);
    const { _id } = await add(kim, 'One');
    const counted = async (by: Person) => {
      const { body } = await server.call('GET /deals/marks', { token: by.token });
      return (body.items as { dealId: string; comments: number; unread: number }[])
        .filter((row) => [dealId, other._id].includes(row.dealId))
        .map((row) => [row.dealId, row.comments, row.unread]);
    };
    await read(ada, _id);
    await read(kim, _id);
    // A comment of another row, which is newer than those of this one.
    await server.call(`PUT /deals/${other._id}/comments/read`, {
      token: bob.token,
      body: { commentId: _id },
    });
    expect(await counted(bob)).toEqual([
      [dealId, 1, 1],
      [other._id, 1, 0],
    ]);
    await post(kim, { body: 'Elsewhere again' }, {}, other._id);
    expect(await counted(bob)).toEqual([
      [other._id, 2, 1],
      [dealId, 1, 1],
    ]);
  });

  test('unread comments do not include those from before the user was added, and later ones cannot be marked as read', async () => {
    await add(kim, 'One');
    const zoe = await server.person();
    await server.db
      .updateTable('users')
      .set({ created_at: new Date(Date.now() + 60_000) })
      .where('id', '=', zoe.id)
      .execute();
    expect(await countOf(zoe)).toMatchObject({ comments: 1, unread: 0 });
    expect(await read(bob, 'ffffffff-ffff-7fff-bfff-ffffffffffff')).toMatchObject({ status: 204 });
    await add(kim, 'Two');
    expect(await countOf(bob)).toMatchObject({ unread: 1 });
  });
});

test('publish a live event with ids only, to users who see the row', async () => {
  await hideRowFrom(bob);
  const streams = await Promise.all(
    [ada, bob].map(async ({ token }) => {
      const stream = await openLiveStream(url, token);
      const first = await readUntil(stream.reader, (text) => text.includes('event: permissions'));
      return { ...stream, first };
    }),
  );
  await add(kim, 'secret words');
  const other = await addDeal(server, kim, dealershipId, { customerName: 'Seen by Bob' });
  const [seen, hidden] = await Promise.all(
    streams.map(({ reader, first }) => readUntil(reader, (text) => text.includes(other._id), first)),
  );
  for (const { stop } of streams) stop();
  expect(seen).toContain(`"entity":"deal-comments","recordId":"${dealId}","action":"updated","version":null`);
  expect(seen).not.toContain('secret words');
  expect(hidden).not.toContain(dealId);
});

test('comments of a row are deleted with their row, and their audit entries are redacted', async () => {
  await add(kim, 'Rang');
  await server.call(`DELETE /deals/${dealId}`, { token: ada.token });
  await server.db
    .updateTable('deals')
    .set({ deleted_at: new Date(Date.now() - 31 * 24 * 3_600_000) })
    .where('id', '=', dealId)
    .execute();
  const redacted: string[] = [];
  await createDealPurge({
    db: server.db,
    log: createLog('silent'),
    redact: async (_tx, ids) => void redacted.push(...ids),
  }).purge();
  expect(redacted).toContain(dealId);
  const left = server.db.selectFrom('deal_comments').where('deal_id', '=', dealId).selectAll();
  expect(await left.execute()).toEqual([]);
});
