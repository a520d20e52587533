import type { HistoryEntry } from '@forecourt/contract/deals';
import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership } from '../../../../test/builders.ts';

const DEAL_STATUS = '01930000-0000-7000-8000-000000000003';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk', permissions: { dataEntry: { canAddRows: true } } });
const harbour = await addDealership(server, admin, { name: 'Harbour Cars' });
const valley = await addDealership(server, admin, { name: 'Valley Cars' });
afterAll(() => server.close());

const history = (id: string, by: Person = admin) =>
  server.call(`GET /deals/${id}/history`, { token: by.token });
const patch = (id: string, body: object) => server.call(`PATCH /deals/${id}`, { token: admin.token, body });
const restricted = (columnVisibility: object) =>
  server.person({ permissions: { dataEntry: { columnVisibility } } as never });
const json = (entries: HistoryEntry[]) => JSON.stringify(entries);

/** Adds a row of Cleo's that Ada then changes, shares and transfers. */
async function story(): Promise<string> {
  const { _id: id } = await addDeal(server, clerk, harbour, { notes: 'Rang', saleAmount: 100 });
  await patch(id, { version: 1, dealershipId: valley, notes: 'Rang back' });
  await server.call(`PUT /deals/${id}/sharing`, {
    token: admin.token,
    body: { sharedWith: [{ userId: admin.id, permissions: 'write' }] },
  });
  await server.call('POST /deals/bulk/owner', {
    token: admin.token,
    body: { ids: [id], targetUserId: admin.id, reason: 'On leave' },
  });
  return id;
}

test('the history of a row returns the author, the fields and the values before and after of each change, newest first, with names', async () => {
  const { body } = await history(await story());
  expect(body.total).toBe(4);
  const [transferred, shared, updated, created] = body.items as HistoryEntry[];
  expect(transferred).toMatchObject({
    action: 'transferred',
    byName: 'Ada Admin',
    reason: 'On leave',
    version: 4,
    changes: expect.arrayContaining([{ field: 'owner', before: 'Cleo Clerk', after: 'Ada Admin' }]),
  });
  expect(shared).toMatchObject({
    action: 'shared',
    changes: [{ field: 'sharedWith', after: [{ name: 'Ada Admin', permissions: 'write' }] }],
  });
  expect(updated!.changes).toEqual(
    expect.arrayContaining([
      { field: 'dealershipId', before: 'Harbour Cars', after: 'Valley Cars' },
      { field: 'notes', before: 'Rang', after: 'Rang back' },
    ]),
  );
  expect(created).toMatchObject({ action: 'created', byName: 'Cleo Clerk', version: 1 });
  expect(created!.changes).toContainEqual({ field: 'saleAmount', before: null, after: 100 });
});

test('the history of a row has only columns visible to the reader, and no entry without such a column', async () => {
  const id = await story();
  const reader = await restricted({ viewAllColumns: false, visibleColumns: ['customerName', 'notes'] });
  const { body } = await history(id, reader);
  expect(body.items.map(({ action }: HistoryEntry) => action)).toEqual(['updated', 'created']);
  expect(body.items[0].changes).toEqual([{ field: 'notes', before: 'Rang', after: 'Rang back' }]);
  // `\b`, since ids and times may contain the same digits.
  const kept = /Harbour|Valley|"after":100\b|sharedWith/;
  expect(json(body.items)).not.toMatch(kept);
  expect(json((await history(id)).body.items)).toMatch(/"after":100\b/);
});

test('the history of a row omits names of hidden records, and shares', async () => {
  const id = await story();
  await patch(id, { version: 4, status: 'Deal' });
  await patch(id, { version: 5, status: 'Called' });
  const reader = await restricted({ restrictedDealerships: [harbour], restrictedStatuses: [DEAL_STATUS] });
  const { body } = await history(id, reader);
  expect(json(body.items)).not.toMatch(/Harbour|"Deal"|sharedWith/);
  expect(body.items[0].changes).toEqual([{ field: 'status', before: null, after: 'Called' }]);
  const move = body.items
    .flatMap(({ changes }: HistoryEntry) => changes)
    .find(
      ({ field, before }: HistoryEntry['changes'][number]) => field === 'dealershipId' && before === null,
    );
  expect(move).toMatchObject({ after: 'Valley Cars' });
});

test('the history of a row omits every name that a hidden status has had', async () => {
  const id = await story();
  const { body: lost } = await server.call('POST /status-configurations', {
    token: admin.token,
    body: { name: 'Lost to Rival', color: '#112233' },
  });
  await patch(id, { version: 4, status: 'Lost to Rival' });
  await patch(id, { version: 5, status: 'Called' });
  for (const [version, name] of [
    [1, 'Lost to Broker'],
    [2, 'Archived'],
  ] as const) {
    const body = { name, color: '#112233', version };
    const reply = await server.call(`PUT /status-configurations/${lost._id}`, { token: admin.token, body });
    expect(reply.status).toBe(200);
    await patch(id, { version: version * 2 + 4, status: name });
    await patch(id, { version: version * 2 + 5, status: 'Called' });
  }
  const named = (await history(id)).body.items;
  for (const name of ['Lost to Rival', 'Lost to Broker', 'Archived']) expect(json(named)).toContain(name);
  const reader = await restricted({ restrictedStatuses: [lost._id] });
  const { body } = await history(id, reader);
  expect(json(body.items)).not.toMatch(/Lost to|Archived/);
  expect(json(body.items)).toContain('Called');
});

test('the history of a row lists that a row was deleted and restored', async () => {
  const id = await story();
  await server.call(`DELETE /deals/${id}`, { token: admin.token });
  expect((await history(id)).status).toBe(404);
  await server.call('POST /deals/bulk/restore', { token: admin.token, body: { ids: [id] } });
  const { body } = await history(id);
  expect(body.items.slice(0, 2)).toMatchObject([
    { action: 'restored', changes: [] },
    { action: 'deleted', changes: [] },
  ]);
});

test('the history of a row has the comments with their texts, and nothing of the text of a deleted one', async () => {
  const { _id: id } = await addDeal(server, clerk, harbour);
  const comment = async (body: string): Promise<string> =>
    (await server.call(`POST /deals/${id}/comments`, { token: clerk.token, body: { body } })).body._id;
  const [kept, gone] = [await comment('Rang'), await comment('secret words')];
  const body = { body: 'Rang twice', version: 1 };
  await server.call(`PATCH /deals/${id}/comments/${kept}`, { token: clerk.token, body });
  await server.call(`DELETE /deals/${id}/comments/${gone}`, { token: admin.token });
  const { items } = (await history(id)).body as { items: HistoryEntry[] };
  expect(items.slice(0, 4)).toMatchObject([
    { version: null, action: 'commentRemoved', byName: 'Ada Admin', changes: [] },
    {
      action: 'commentEdited',
      byName: 'Cleo Clerk',
      changes: [{ field: 'comment', before: 'Rang', after: 'Rang twice' }],
    },
    { action: 'commentAdded', changes: [] },
    { action: 'commentAdded', changes: [{ field: 'comment', before: null, after: 'Rang' }] },
  ]);
  expect(json(items)).not.toContain('secret words');
  expect(new Set(items.map(({ _id }) => _id)).size).toBe(items.length);
});
