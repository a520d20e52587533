import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership, newestAudit } from '../../../test/builders.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const owner = await server.person({ name: 'Ola Owner', permissions: { dataEntry: { canAddRows: true } } });
const lead = await server.person({
  name: 'Tia Lead',
  permissions: {
    features: { bulkEdit: true },
    dataEntry: { canAddRows: true, canChangeOwnership: true, canDeleteRows: true },
  },
});
const kim = await server.person({ name: 'Kim Novak', permissions: { dataEntry: { canDeleteRows: true } } });
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const add = async (by: Person): Promise<string> => (await addDeal(server, by, dealershipId))._id;
const entry = (person: Pick<Person, 'id'>, permissions = 'view') => ({ userId: person.id, permissions });
const get = async (id: string, by: Person) =>
  (await server.call(`GET /deals/${id}`, { token: by.token })).body;
const share = (id: string, sharedWith: unknown, by: Person) =>
  server.call(`PUT /deals/${id}/sharing`, { token: by.token, body: { sharedWith } });
const patch = (id: string, body: object, by: Person) =>
  server.call(`PATCH /deals/${id}`, { token: by.token, body });
const post = (route: string, body: object, by: Person) =>
  server.call(`POST /deals/bulk/${route}`, { token: by.token, body });

describe('sharing a row', () => {
  test('sharing a row accepts the levels view and write', async () => {
    expect((await share(await add(owner), [entry(kim, 'read')], owner)).status).toBe(400);
  });

  test('sharing a row is allowed for its owner and administrators', async () => {
    const id = await add(owner);
    for (const person of [kim, lead]) {
      expect(await share(id, [entry(person, 'write')], person)).toMatchObject({
        status: 403,
        body: { details: 'NOT_ROW_OWNER' },
      });
    }
    expect(await get(id, admin)).toMatchObject({ version: 1, sharedWith: [] });
    expect((await share(id, [entry(kim)], owner)).status).toBe(200);
    expect((await share(id, [], admin)).body).toMatchObject({ version: 3, updatedByName: 'Ada Admin' });
  });

  test('sharing a row allows editing at the write level only, and deleting with that flag', async () => {
    const id = await add(owner);
    await share(id, [entry(kim)], owner);
    const refused = await patch(id, { version: 2, notes: 'mine' }, kim);
    expect(refused).toMatchObject({ status: 403, body: { details: 'NOT_ROW_OWNER' } });
    await share(id, [entry(kim, 'write')], owner);
    expect(await get(id, kim)).toMatchObject({
      sharedWith: [{ ...entry(kim, 'write'), user: { _id: kim.id, name: 'Kim Novak' } }],
      abilities: { edit: true, delete: true, share: 'NOT_ROW_OWNER', transfer: 'NO_OWNER_CHANGE' },
    });
    expect((await patch(id, { version: 3, notes: 'mine' }, kim)).body).toMatchObject({ notes: 'mine' });
    await share(id, [], owner);
    expect((await patch(id, { version: 5, notes: 'still' }, kim)).status).toBe(403);
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'deal.shared',
      actor_id: owner.id,
      before: { sharedWith: [entry(kim, 'write')] },
      after: { sharedWith: [] },
    });
  });

  test('sharing a row is no conflict for a user who edits the row meanwhile', async () => {
    const id = await add(owner);
    await share(id, [entry(kim)], admin);
    expect((await patch(id, { version: 1, notes: 'typed before' }, owner)).status).toBe(200);
  });

  test('sharing a row is refused in a change of cells', async () => {
    const id = await add(owner);
    const reply = await patch(id, { version: 1, sharedWith: [entry(kim, 'write')] }, owner);
    expect(reply.body.errors).toEqual({ sharedWith: 'Share the row to change who sees it' });
  });
});

describe('rows in bulk', () => {
  test('rows in bulk are shared by their owner without the feature bulkEdit', async () => {
    const ids = [await add(owner), await add(owner)];
    expect((await post('share', { ids, sharedWith: [entry(kim)] }, owner)).body.total).toBe(2);
    expect((await post('owner', { ids, targetUserId: kim.id }, owner)).status).toBe(403);
  });

  test('rows in bulk are shared all or none: a row of another user prevents it', async () => {
    const [own, foreign] = [await add(lead), await add(owner)];
    const sharedWith = [entry(kim, 'write')];
    expect((await post('share', { ids: [own, foreign], sharedWith }, lead)).status).toBe(403);
    expect((await post('share', { ids: [own, ABSENT_ID], sharedWith }, lead)).status).toBe(404);
    expect(await get(own, lead)).toMatchObject({ version: 1, sharedWith: [] });
    expect((await post('share', { ids: [own], sharedWith }, lead)).body).toMatchObject({
      total: 1,
      items: [{ _id: own, version: 2, sharedWith }],
    });
  });

  test('rows in bulk are transferred by their owner with canChangeOwnership, or by an administrator', async () => {
    const [own, foreign] = [await add(lead), await add(owner)];
    const bulkOnly = await server.person({
      permissions: { features: { bulkEdit: true }, dataEntry: { canAddRows: true } },
    });
    const theirs = await add(bulkOnly);
    const to = { targetUserId: kim.id, reason: 'On leave' };
    expect(await post('owner', { ids: [theirs], ...to }, bulkOnly)).toMatchObject({
      status: 403,
      body: { details: 'NO_OWNER_CHANGE' },
    });
    expect((await post('owner', { ids: [own, foreign], ...to }, lead)).status).toBe(403);
    expect(await get(own, lead)).toMatchObject({ owner: lead.id, version: 1 });
    expect((await post('owner', { ids: [own], ...to, keepSharing: true }, lead)).body).toMatchObject({
      items: [{ owner: kim.id, ownerName: 'Kim Novak', version: 2, sharedWith: [entry(lead, 'write')] }],
    });
    expect((await post('owner', { ids: [foreign, theirs], ...to }, admin)).body.total).toBe(2);
    expect(await newestAudit(server, foreign)).toMatchObject({
      action: 'deal.transferred',
      before: { owner: owner.id },
      after: { owner: kim.id, reason: 'On leave' },
    });
    expect((await get(foreign, kim)).abilities).toMatchObject({ edit: true, share: true });
  });

  test('rows in bulk that are deleted return 404', async () => {
    const id = await add(lead);
    await server.call(`DELETE /deals/${id}`, { token: lead.token });
    expect((await post('share', { ids: [id], sharedWith: [entry(kim)] }, lead)).status).toBe(404);
  });
});

describe('undoing a share', () => {
  const countNotifications = async (person: Person): Promise<number> =>
    (await server.call('GET /notifications', { token: person.token })).body.items.length;
  const shareStep = (ids: string[], version: number, change: object, by: Person) =>
    post('share', { ids, versions: Object.fromEntries(ids.map((id) => [id, version])), ...change }, by);

  test('undoing a share is removed from the new people in rows without later changes, without another notification', async () => {
    const [one, two, gone] = [await add(lead), await add(lead), await add(lead)];
    const ids = [one, two, gone];
    const lee = await server.person({ name: 'Lee Mayer' });
    await post('share', { ids, sharedWith: [entry(kim), entry(lee, 'write')] }, lead);
    await patch(two, { version: 2, notes: 'Ada' }, admin);
    await server.call(`DELETE /deals/${gone}`, { token: admin.token });
    const before = await countNotifications(lee);

    const back = await shareStep(ids, 2, { sharedWith: [entry(kim, 'write')], unshare: [lee.id] }, lead);
    expect(back).toMatchObject({ status: 200, body: { total: 1, items: [{ _id: one, version: 3 }] } });
    expect((await get(one, lead)).sharedWith).toMatchObject([entry(kim, 'write')]);
    expect((await get(two, lead)).sharedWith).toHaveLength(2);
    expect(await newestAudit(server, one)).toMatchObject({
      action: 'deal.shared',
      actor_id: lead.id,
      version: 3,
      before: { sharedWith: expect.arrayContaining([entry(kim), entry(lee, 'write')]) },
      after: { sharedWith: [entry(kim, 'write')] },
    });
    expect((await patch(one, { version: 3, notes: 'mine' }, lee)).status).toBe(403);

    expect((await shareStep([one], 3, { sharedWith: [entry(lee, 'write')] }, lead)).body.total).toBe(1);
    expect((await get(one, lead)).sharedWith).toHaveLength(2);
    expect(await countNotifications(lee)).toBe(before);
  });

  test('undoing a share does not need bulkEdit; only the owner of each row and administrators may do it', async () => {
    const [one, other] = [await add(owner), await add(owner)];
    const sharedWith = [entry(kim)];
    for (const id of [one, other]) await share(id, sharedWith, owner);
    const end = { sharedWith: [], unshare: [kim.id] };
    expect(await shareStep([one], 2, end, kim)).toMatchObject({
      status: 403,
      body: { details: 'NOT_ROW_OWNER' },
    });
    expect((await shareStep([one, other], 2, end, owner)).body.items).toMatchObject([
      { version: 3, sharedWith: [] },
      { version: 3, sharedWith: [] },
    ]);
  });

  test('undoing a share does not return to an inactive user, with a message', async () => {
    const id = await add(lead);
    const left = await server.person({ name: 'Lou Left' });
    await server.call(`PUT /users/${left.id}`, {
      token: admin.token,
      body: { name: 'Lou Left', email: left.email, isActive: false },
    });
    expect(await shareStep([id], 1, { sharedWith: [entry(left)] }, lead)).toMatchObject({
      status: 400,
      body: {
        errors: {
          'sharedWith.0.userId': 'Lou Left is no longer active. Share the rows again with the others.',
        },
      },
    });
    expect((await get(id, lead)).version).toBe(1);
  });

  test('undoing a share changes nothing if none of them has a share', async () => {
    const id = await add(lead);
    const reply = await post('share', { ids: [id], sharedWith: [], unshare: [kim.id, lead.id] }, lead);
    expect(reply.body.items).toMatchObject([{ _id: id, version: 1 }]);
  });

  test('undoing a share requires at least one user, and each only once', async () => {
    const id = await add(lead);
    expect((await post('share', { ids: [id], sharedWith: [] }, lead)).body.errors).toEqual({
      sharedWith: 'Please select a user',
    });
    const both = { ids: [id], sharedWith: [entry(kim)], unshare: [kim.id] };
    expect((await post('share', both, lead)).body.errors).toEqual({
      unshare: 'Each person can be named once',
    });
  });
});
