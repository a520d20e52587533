import type { DealershipTimelineEntry } from '@forecourt/contract/dealership-timeline';
import { afterAll, expect, test } from 'vitest';
import type { Person } from '../../../test/app.ts';
import { addDeal, addDealership, addTemplate } from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';
import { contact, openOffice } from './office.fixture.ts';

const office = await openOffice();
const { server, admin, clerk, other, dealershipId, templateId, send } = office;
afterAll(() => office.close());

const viewer = await server.person({
  name: 'Vera Viewer',
  permissions: { dealershipConfiguration: { viewDealerships: true } },
});
const timeline = (id: string, { token }: Partial<Person> = admin) =>
  server.call(`GET /dealerships/${id}/timeline`, { token });
const entriesOf = async (id: string, by?: Person): Promise<DealershipTimelineEntry[]> =>
  (await timeline(id, by)).body.items;
const changesOf = async (id: string, by?: Person) =>
  (await entriesOf(id, by)).flatMap((entry) => (entry.kind === 'change' ? [entry.change] : []));
const emailsOf = async (id: string, by?: Person) =>
  (await entriesOf(id, by)).flatMap((entry) => (entry.kind === 'email' ? [entry.email] : []));

test('the timeline of a dealership needs a session, an id and a visible dealership', async () => {
  expect((await timeline(dealershipId, {})).status).toBe(401);
  expect((await timeline('x')).status).toBe(404);
  expect((await timeline(newId())).status).toBe(404);
  expect((await timeline(dealershipId, clerk)).status).toBe(404);
  const columnVisibility = { restrictedDealerships: [dealershipId] };
  const blind = await server.person({
    permissions: {
      dealershipConfiguration: { viewDealerships: true },
      dataEntry: { columnVisibility },
    } as never,
  });
  expect((await timeline(dealershipId, blind)).status).toBe(404);
});

test('the timeline of a dealership lists the changes of fields and contacts; owner and shares for administrators only', async () => {
  const weekly = await addTemplate(server, admin, { name: 'Weekly' });
  const [sam, pat, ned] = [contact('Sam'), contact('Pat'), contact('Ned')];
  const place = { name: 'Bay Cars', address: '2 Bay Road', defaultEmailTemplateId: templateId };
  const id = await addDealership(server, admin, { ...place, contacts: [sam, pat] });
  const changed = { ...sam, includeInCc: true };
  const body = { ...place, address: '3 Bay Road', defaultEmailTemplateId: weekly, contacts: [changed, ned] };
  await server.call(`PUT /dealerships/${id}`, { token: admin.token, body });
  await server.call('POST /dealerships/bulk/active', {
    token: admin.token,
    body: { ids: [id], active: false },
  });
  const sharedWith = [{ userId: clerk.id, permissions: 'write' }];
  await server.call(`PUT /dealerships/${id}/sharing`, { token: admin.token, body: { sharedWith } });
  await server.call('POST /dealerships/transfer-ownership', {
    token: admin.token,
    body: { resourceIds: [id], targetUserId: other.id, reason: 'On leave' },
  });

  const all = await changesOf(id);
  expect(all.map(({ action }) => action)).toEqual(['transferred', 'shared', 'updated', 'updated', 'created']);
  expect(new Set(all.map(({ _id }) => _id)).size).toBe(all.length);
  const [transferred, shared, state, updated, created] = all;
  expect(transferred).toMatchObject({ byName: 'Ada Admin', reason: 'On leave' });
  expect(transferred!.changes).toContainEqual({ field: 'owner', before: 'Ada Admin', after: 'Otto Other' });
  expect(shared!.changes).toEqual([
    { field: 'sharedWith', before: [], after: [{ name: 'Cleo Clerk', permissions: 'write' }] },
  ]);
  expect(state!.changes).toEqual([{ field: 'active', before: true, after: false }]);
  expect(updated!.changes).toEqual([
    { field: 'address', before: '2 Bay Road', after: '3 Bay Road' },
    { field: 'template', before: 'Daily', after: 'Weekly' },
    { field: 'contact', before: sam, after: changed },
    { field: 'contact', before: null, after: ned },
    { field: 'contact', before: pat, after: null },
  ]);
  expect(created!.changes).toContainEqual({ field: 'name', before: null, after: 'Bay Cars' });

  const seen = await changesOf(id, viewer);
  expect(seen.map(({ action }) => action)).toEqual(['updated', 'updated', 'created']);
  // Vera sees no templates.
  expect(JSON.stringify(seen)).not.toMatch(/Otto|Cleo|sharedWith|"Weekly"|On leave/);
});

test('the timeline of a dealership has the emails of one’s Email History about visible rows, without tests', async () => {
  const row = await addDeal(server, clerk, dealershipId, { customerName: 'Mel Mail' });
  const message = (await send({ dealId: row._id })).body._id;
  await send({ dealershipId, to: [clerk.email] });
  expect((await emailsOf(dealershipId)).map(({ _id }) => _id)).toEqual([message]);
  expect(await emailsOf(dealershipId, viewer)).toEqual([]);

  const bySender = (sender: Person) =>
    server.db.updateTable('emails').set({ sender_id: sender.id }).where('id', '=', message).execute();
  await bySender(viewer);
  expect((await emailsOf(dealershipId, viewer)).map(({ subject }) => subject)).toEqual(['About Mel Mail']);
  const restricted = await server.person({
    permissions: {
      dealershipConfiguration: { viewDealerships: true },
      dataEntry: { columnVisibility: { restrictedRows: [row._id] } },
    } as never,
  });
  await bySender(restricted);
  expect(await emailsOf(dealershipId, restricted)).toEqual([]);
  expect(JSON.stringify(await entriesOf(dealershipId, restricted))).not.toContain('Mel Mail');
});
