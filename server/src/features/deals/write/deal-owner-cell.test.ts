import { afterAll, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, newestAudit } from '../../../../test/builders.ts';
import { newId } from '../../../platform/ids.ts';

/** May transfer own rows. */
const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dataEntry = { canAddRows: true, canEditRows: true, canChangeOwnership: true };
const lead = await server.person({
  name: 'Lia Lead',
  permissions: { dataEntry, features: { bulkEdit: true } },
});
const clerk = await server.person({
  name: 'Kim Clerk',
  permissions: { dataEntry: { ...dataEntry, canChangeOwnership: false } },
});
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const patch = (id: string, body: object, by: Person) =>
  server.call(`PATCH /deals/${id}`, { token: by.token, body });
const ownRow = async (by: Person): Promise<string> => (await addDeal(server, by, dealershipId))._id;

test('a change of the owner is refused to users who may not transfer rows, and ignored if unchanged', async () => {
  const id = await ownRow(clerk);
  expect(await patch(id, { version: 1, owner: admin.id }, clerk)).toMatchObject({
    status: 403,
    body: { details: 'NO_OWNER_CHANGE' },
  });
  expect(await patch(id, { version: 1, owner: clerk.id, notes: 'Rang' }, clerk)).toMatchObject({
    status: 200,
    body: { owner: clerk.id, notes: 'Rang', version: 2 },
  });
  const other = await ownRow(admin);
  expect((await patch(other, { version: 1, owner: lead.id }, lead)).status).toBe(403);
});

test('a change of the owner needs only canChangeOwnership for an own row, in the cell and in bulk', async () => {
  const dataEntry = { canAddRows: true, canChangeOwnership: true };
  const kim = await server.person({ permissions: { dataEntry } });
  const [one, two, three] = [await ownRow(kim), await ownRow(kim), await ownRow(kim)];
  const transferTo = (ids: string[]) =>
    server.call('POST /deals/bulk/owner', { token: kim.token, body: { ids, targetUserId: lead.id } });
  expect((await patch(one, { version: 1, owner: lead.id }, kim)).body.owner).toBe(lead.id);
  expect((await transferTo([two])).body.items).toMatchObject([{ owner: lead.id }]);
  expect(await transferTo([three, three])).toMatchObject({ status: 403, body: { details: 'NO_BULK_EDIT' } });
  expect(await transferTo([one])).toMatchObject({ status: 403, body: { details: 'NOT_ROW_OWNER' } });
});

test('a change of the owner accepts active users, and a refusal changes no other field', async () => {
  const id = await ownRow(lead);
  expect(await patch(id, { version: 1, owner: newId(), notes: 'Rang' }, lead)).toMatchObject({
    status: 400,
    body: { errors: { owner: 'Choose an active person' } },
  });
  expect((await patch(id, { version: 1, owner: '' }, lead)).body.errors).toEqual({
    owner: 'Choose an active person',
  });
  const left = await server.person({ name: 'Lou Left' });
  await server.db.updateTable('users').set({ is_active: false }).where('id', '=', left.id).execute();
  expect((await patch(id, { version: 1, owner: left.id }, lead)).body.errors).toEqual({
    owner: 'Lou Left is no longer active. Choose an active person',
  });
  const { body } = await server.call(`GET /deals/${id}`, { token: admin.token });
  expect(body).toMatchObject({ owner: lead.id, notes: '', version: 1 });
});

test('transfers the row like the bulk call, after the other fields, and with the same audit entry', async () => {
  const id = await ownRow(lead);
  const { body } = await patch(id, { version: 1, owner: clerk.id, notes: 'For Kim' }, lead);
  expect(body).toMatchObject({ owner: clerk.id, ownerName: 'Kim Clerk', notes: 'For Kim', version: 3 });
  expect(await newestAudit(server, id)).toMatchObject({
    action: 'deal.transferred',
    actor_id: lead.id,
    before: { owner: lead.id },
    after: { owner: clerk.id, reason: '' },
  });
});

test('a change of the owner is a conflict when another user transferred the row meanwhile', async () => {
  const id = await ownRow(lead);
  await patch(id, { version: 1, owner: clerk.id }, admin);
  expect(await patch(id, { version: 1, owner: lead.id }, admin)).toMatchObject({
    status: 409,
    body: {
      details: 'owner',
      current: { owner: clerk.id },
      conflicts: [{ field: 'owner', byName: 'Ada Admin' }],
    },
  });
});
