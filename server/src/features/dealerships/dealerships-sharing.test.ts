import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, addTemplate, newestAudit } from '../../../test/builders.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const kim = await server.person({ name: 'Kim Novak' });
const lee = await server.person({ name: 'Lee Marvin' });
const editor = await server.person({
  name: 'Ed Editor',
  permissions: { dealershipConfiguration: { viewDealerships: true, editDealerships: true } },
});
const gone = await server.person({ name: 'Gus Gone' });
await server.db.updateTable('users').set({ is_active: false }).where('id', '=', gone.id).execute();
const templateId = await addTemplate(server, admin);
afterAll(() => server.close());

async function add(by = admin, changes: object = {}): Promise<string> {
  const body = {
    name: 'Harbour New Cars',
    address: '1 Pier Street',
    defaultEmailTemplateId: templateId,
    ...changes,
  };
  const reply = await server.call('POST /dealerships', { token: by.token, body });
  expect(reply.status).toBe(201);
  return reply.body._id;
}
const entry = (person: Pick<Person, 'id'>, permissions = 'read') => ({ userId: person.id, permissions });
const get = async (id: string, by = admin) =>
  (await server.call(`GET /dealerships/${id}`, { token: by.token })).body;
const share = (id: string, sharedWith: unknown, by = admin, more: object = {}) =>
  server.call(`PUT /dealerships/${id}/sharing`, { token: by.token, body: { sharedWith, ...more } });
const put = (id: string, body: object, by: Person) =>
  server.call(`PUT /dealerships/${id}`, { token: by.token, body });
/** Returns the stored shares, independent of visibility. */
const stored = async (id: string) => {
  const row = await server.db
    .selectFrom('dealerships')
    .where('id', '=', id)
    .select(['version', 'owner_id'])
    .executeTakeFirstOrThrow();
  const shares = await server.db
    .selectFrom('shares')
    .where('record_id', '=', id)
    .orderBy('user_id')
    .select(['user_id', 'level'])
    .execute();
  return { ...row, shares };
};

describe('sharing a dealership', () => {
  test.each([
    ['a list that is none', 'all', 'sharedWith'],
    ['a level of deals', [{ userId: ABSENT_ID, permissions: 'view' }], 'sharedWith.0.permissions'],
    ['a level that is none', [{ userId: ABSENT_ID, permissions: 'owner' }], 'sharedWith.0.permissions'],
    ['an unknown field', [{ userId: ABSENT_ID, permissions: 'read', role: 'admin' }], 'sharedWith.0.role'],
    ['somebody unknown', [{ userId: ABSENT_ID, permissions: 'read' }], 'sharedWith.0.userId'],
  ])('sharing a dealership rejects %s and changes nothing', async (_what, sharedWith, field) => {
    const id = await add();
    const before = await stored(id);
    const reply = await share(id, sharedWith);
    expect(reply).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
    expect(await stored(id)).toEqual(before);
  });

  test('sharing a dealership rejects the owner, an inactive user and a duplicate, naming the entry', async () => {
    const id = await add();
    expect((await share(id, [entry(kim), entry(admin)])).body.errors).toEqual({
      'sharedWith.1.userId': 'Ada Admin is the owner',
    });
    expect((await share(id, [entry(kim), entry(gone)])).body.errors).toEqual({
      'sharedWith.1.userId': 'Gus Gone is no longer active. Choose an active person',
    });
    expect((await share(id, [entry(kim), entry(kim, 'write')])).body.errors).toEqual({
      sharedWith: 'Each person can be named once',
    });
    expect(await stored(id)).toMatchObject({ version: 1, shares: [] });
  });

  test('sharing a dealership replaces the list, increments the version and is audited with the levels before and after', async () => {
    const id = await add();
    const first = await share(id, [entry(kim), entry(lee, 'write')]);
    expect(first).toMatchObject({ status: 200, body: { _id: id, version: 2 } });
    expect(first.body.sharedWith).toEqual([
      {
        ...entry(kim),
        sharedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
        user: { _id: kim.id, name: 'Kim Novak', email: kim.email },
      },
      expect.objectContaining(entry(lee, 'write')),
    ]);
    expect((await share(id, [entry(kim, 'admin')])).body).toMatchObject({
      version: 3,
      sharedWith: [entry(kim, 'admin')],
    });
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'dealership.shared',
      actor_id: admin.id,
      version: 3,
      before: { sharedWith: [entry(kim), entry(lee, 'write')] },
      after: { sharedWith: [entry(kim, 'admin')] },
    });
    expect((await share(id, [])).body).toMatchObject({ version: 4, sharedWith: [] });
  });

  test('sharing a dealership without a difference changes nothing', async () => {
    const id = await add();
    const { body } = await share(id, [entry(kim)]);
    expect((await share(id, body.sharedWith)).body).toEqual(body);
  });

  test('sharing a dealership preserves the share of a user deactivated since, while their entry is unchanged', async () => {
    const id = await add();
    const leaver = await server.person({ name: 'Liz Leaver' });
    await share(id, [entry(leaver)]);
    await server.db.updateTable('users').set({ is_active: false }).where('id', '=', leaver.id).execute();
    expect((await share(id, [entry(leaver), entry(kim)])).body.sharedWith).toHaveLength(2);
    expect((await share(id, [entry(leaver, 'write'), entry(kim)])).status).toBe(400);
    expect((await share(id, [entry(kim)])).body.sharedWith).toHaveLength(1);
  });

  test('sharing a dealership twice concurrently: an outdated list is rejected, and no share is overwritten', async () => {
    const id = await add();
    const replies = await Promise.all(
      [kim, lee].map((person) => share(id, [entry(person)], admin, { version: 1 })),
    );
    const [won, lost] = replies.sort((a, b) => a.status - b.status);
    expect([won!.status, lost!.status]).toEqual([200, 409]);
    expect(lost!.body).toMatchObject({ code: 'CONFLICT', current: { sharedWith: won!.body.sharedWith } });
    expect((await get(id)).sharedWith).toEqual(won!.body.sharedWith);
  });
});

describe('a share', () => {
  const refused = { edit: 'NO_DEALERSHIP_EDIT', toggle: 'NO_DEALERSHIP_TOGGLE' };
  const never = {
    delete: 'NO_DEALERSHIP_DELETE',
    share: 'NO_DEALERSHIP_SHARE',
    transfer: 'NO_DEALERSHIP_TRANSFER',
  };
  test.each([
    ['read', { ...refused, ...never }, 403],
    ['write', { edit: true, toggle: true, ...never }, 200],
    ['admin', { edit: true, toggle: true, ...never }, 200],
  ])('a share of a dealership gives the abilities of its level: %s', async (level, abilities, status) => {
    const id = await add();
    expect((await server.call(`GET /dealerships/${id}`, { token: kim.token })).status).toBe(404);
    await share(id, [entry(kim, level), entry(lee)]);
    const seen = await get(id, kim);
    expect(seen.abilities).toEqual(abilities);
    expect(seen.sharedWith).toEqual([
      { ...entry(kim, level), sharedAt: expect.any(String), user: { _id: kim.id, name: 'Kim Novak' } },
    ]);
    expect((await server.call('GET /dealerships', { token: kim.token })).body.items).toContainEqual(seen);
    const { contacts, defaultEmailTemplateId } = seen;
    const renamed = await put(
      id,
      { name: 'Renamed', address: 'There', contacts, defaultEmailTemplateId },
      kim,
    );
    expect(renamed.status).toBe(status);
    expect((await server.call(`DELETE /dealerships/${id}`, { token: kim.token })).status).toBe(403);
    expect((await get(id)).name).toBe(status === 200 ? 'Renamed' : 'Harbour New Cars');
  });

  test('ownership allows editing without a permission', async () => {
    const id = await add();
    await server.call('POST /dealerships/transfer-ownership', {
      token: admin.token,
      body: { resourceIds: [id], targetUserId: lee.id },
    });
    expect(await get(id, lee)).toMatchObject({ owner: lee.id, abilities: { edit: true, toggle: true } });
  });

  test('a restriction takes precedence: the dealership is hidden everywhere', async () => {
    const id = await add();
    const barred = await server.person({
      permissions: {
        dealershipConfiguration: { viewDealerships: true, editDealerships: true },
        dataEntry: { columnVisibility: { restrictedDealerships: [id] } } as never,
      },
    });
    await share(id, [entry(barred, 'admin')]);
    expect((await server.call(`GET /dealerships/${id}`, { token: barred.token })).status).toBe(404);
    const { body: list } = await server.call('GET /dealerships', { token: barred.token });
    expect(list.items.map((item: { _id: string }) => item._id)).not.toContain(id);
    const { body: options } = await server.call('GET /deals/options', { token: barred.token });
    expect(options.dealerships.map((item: { _id: string }) => item._id)).not.toContain(id);
    const toggle = await server.call('POST /dealerships/bulk/active', {
      token: barred.token,
      body: { ids: [id], active: false },
    });
    expect(toggle.status).toBe(404);
  });
});

describe('sharedWith and owner in an ordinary save', () => {
  const body = (record: object, changes: object = {}) => ({ ...record, ...changes });

  test('sharedWith and owner in an ordinary save are applied for administrators, new dealerships included', async () => {
    const id = await add(admin, { sharedWith: [entry(kim)] });
    expect(await get(id)).toMatchObject({ version: 1, sharedWith: [entry(kim)] });
    const reply = await put(id, body(await get(id), { name: 'Both', sharedWith: [entry(lee)] }), admin);
    expect(reply.body).toMatchObject({ name: 'Both', version: 2, sharedWith: [entry(lee)] });
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'dealership.updated',
      before: { name: 'Harbour New Cars', sharedWith: [entry(kim)] },
      after: { name: 'Both', sharedWith: [entry(lee)] },
    });
  });

  test('sharedWith and owner in an ordinary save may only be sent back unchanged by others, or are rejected by name', async () => {
    const id = await add();
    await share(id, [entry(kim, 'write'), entry(lee)]);
    const seen = await get(id, kim);
    expect((await put(id, seen, kim)).body).toEqual(seen);
    const before = await stored(id);
    for (const sharedWith of [[], [entry(kim, 'admin')], [entry(kim, 'write'), entry(lee)]]) {
      expect(await put(id, body(seen, { sharedWith, name: 'Smuggled' }), kim)).toMatchObject({
        status: 403,
        body: { errors: { sharedWith: expect.any(String) } },
      });
    }
    expect(await put(id, body(seen, { owner: kim.id }), kim)).toMatchObject({
      status: 400,
      body: { errors: { owner: expect.any(String) } },
    });
    expect(await stored(id)).toEqual(before);
    expect((await put(id, body(seen, { name: 'Mine' }), kim)).body).toMatchObject({ name: 'Mine' });
    expect((await stored(id)).shares).toEqual(before.shares);
  });

  test('sharedWith and owner in an ordinary save are unchanged when omitted', async () => {
    const id = await add();
    await share(id, [entry(kim)]);
    const { sharedWith: _left, owner: _out, ...rest } = await get(id);
    expect((await put(id, { ...rest, name: 'Other' }, admin)).body).toMatchObject({
      name: 'Other',
      sharedWith: [entry(kim)],
    });
  });

  test('sharedWith and owner in an ordinary save of a user who may add but not share are rejected when not empty', async () => {
    const reply = await server.call('POST /dealerships', {
      token: editor.token,
      body: {
        name: 'Smuggled',
        address: 'There',
        defaultEmailTemplateId: templateId,
        sharedWith: [entry(kim)],
      },
    });
    expect(reply).toMatchObject({ status: 403, body: { details: 'NO_DEALERSHIP_SHARE' } });
    const rows = await server.db
      .selectFrom('dealerships')
      .where('name', '=', 'Smuggled')
      .select('id')
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('sharing in bulk', () => {
  const bulk = (dealershipIds: string[], sharedWith: unknown, by = admin) =>
    server.call('POST /dealerships/bulk-share', { token: by.token, body: { dealershipIds, sharedWith } });

  test('sharing dealerships in bulk requires at least one user', async () => {
    expect((await bulk([await add()], [])).body.errors).toEqual({ sharedWith: 'Please select a user' });
  });

  test('sharing dealerships in bulk changes all of them or none', async () => {
    const ids = [await add(), await add()];
    expect((await bulk([...ids, ABSENT_ID], [entry(kim)])).status).toBe(404);
    expect((await bulk(ids, [entry(kim), entry(gone)])).body.errors).toEqual({
      'sharedWith.1.userId': 'Gus Gone is no longer active. Choose an active person',
    });
    for (const id of ids) expect(await stored(id)).toMatchObject({ version: 1, shares: [] });
  });

  test('sharing dealerships in bulk adds the named users or changes their level, and leaves the others', async () => {
    const [first, second] = [await add(), await add()];
    await share(first, [entry(lee, 'write'), entry(kim)]);
    const { body } = await bulk([first, second, second], [entry(kim, 'admin')]);
    expect(body.dealerships).toHaveLength(2);
    expect((await get(first)).sharedWith).toMatchObject([entry(kim, 'admin'), entry(lee, 'write')]);
    expect((await get(second)).sharedWith).toMatchObject([entry(kim, 'admin')]);
    expect(await newestAudit(server, first)).toMatchObject({
      action: 'dealership.shared',
      version: 3,
      before: { sharedWith: [entry(kim), entry(lee, 'write')] },
      after: { sharedWith: [entry(kim, 'admin'), entry(lee, 'write')] },
    });
    await bulk([first, second], [entry(kim, 'admin')]);
    expect([(await get(first)).version, (await get(second)).version]).toEqual([3, 2]);
  });

  test('sharing dealerships in bulk skips the owner of one of them', async () => {
    const [theirs, other] = [await add(editor), await add()];
    expect((await bulk([theirs, other], [entry(editor, 'write')])).status).toBe(200);
    expect((await stored(theirs)).shares).toEqual([]);
    expect((await stored(other)).shares).toHaveLength(1);
  });
});

describe('a transfer', () => {
  const transfer = (resourceIds: string[], body: object, by = admin) =>
    server.call('POST /dealerships/transfer-ownership', { token: by.token, body: { resourceIds, ...body } });

  test('a transfer of dealerships is for administrators, to active users, of all or none', async () => {
    const id = await add(editor);
    const before = await stored(id);
    expect((await transfer([id], { targetUserId: kim.id }, editor)).status).toBe(403);
    const refused = 'Choose an active person';
    for (const [targetUserId, message] of [
      [gone.id, `Gus Gone is no longer active. ${refused}`],
      [ABSENT_ID, refused],
    ] as const) {
      expect((await transfer([id], { targetUserId })).body.errors).toEqual({ targetUserId: message });
    }
    expect((await transfer([id, ABSENT_ID], { targetUserId: kim.id })).status).toBe(404);
    expect(await stored(id)).toEqual(before);
  });

  test('a transfer of dealerships leaves the former owner no share, or an edit share when requested', async () => {
    const [left, kept] = [await add(editor), await add(editor)];
    for (const id of [left, kept]) await share(id, [entry(kim), entry(lee)]);
    const to = { targetUserId: kim.id, reason: 'Ed is away <b>' };
    expect((await transfer([left], to)).body).toMatchObject({
      total: 1,
      items: [{ owner: kim.id, version: 3 }],
    });
    expect((await get(left)).sharedWith).toMatchObject([entry(lee)]);
    await transfer([kept], { ...to, keepSharing: true });
    expect((await get(kept)).sharedWith).toMatchObject([entry(editor, 'write'), entry(lee)]);
    expect(await newestAudit(server, kept)).toMatchObject({
      action: 'dealership.transferred',
      version: 3,
      before: { owner: editor.id, sharedWith: [entry(kim), entry(lee)] },
      after: { owner: kim.id, reason: 'Ed is away <b>' },
    });
  });

  test('a transfer of dealerships to the current owner changes nothing', async () => {
    const id = await add(editor);
    expect((await transfer([id], { targetUserId: editor.id })).body.items[0].version).toBe(1);
  });
});
