import type { ResponseBody } from '@forecourt/contract/api';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp, type Person } from '../../../../test/app.ts';
import { addDealership, auditedActions, changePermissions, emailValues } from '../../../../test/builders.ts';
import { uploadFile } from '../../../../test/uploads.ts';
import { newId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { createAuditService } from '../../audit/audit.service.ts';
import { createDealPurge } from '../trash/deleted-deals.service.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, admin, { name: 'Harbour Used Cars' });
await server.call('PUT /settings/user/company/commission.usedSales', {
  token: admin.token,
  body: { value: 5 },
});
const itemIds: Record<string, string> = {};
for (const [name, price] of Object.entries({ Paint: 300, Film: 450 }))
  itemIds[name] = (
    await server.call('POST /item-configurations', { token: admin.token, body: { name, price } })
  ).body._id;
afterAll(() => server.close());

const newClerk = (dataEntry: object = {}, features: object = { bulkEdit: true }, name = 'Cleo Clerk') =>
  server.person({
    name,
    permissions: {
      dataEntry: {
        canAddRows: true,
        canEditRows: true,
        canDeleteRows: true,
        canAccessAllMonths: true,
        canChangeOwnership: true,
        ...dataEntry,
      },
      features,
    } as never,
  });

const call = (route: string, by: Person, body?: object, headers: Record<string, string> = {}) =>
  server.call(route, { token: by.token, ...(body && { body }), headers });
async function done(route: string, by: Person, body?: object) {
  const reply = await call(route, by, body);
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body;
}
const read = (id: string, by: Person = admin) => done(`GET /deals/${id}`, by);
async function addRow(by: Person, values: object = {}): Promise<string> {
  return (await done('POST /deals', by, { dealershipId, customerName: 'Lee Hart', ...values }))._id;
}
const patch = async (id: string, by: Person, body: object) =>
  done(`PATCH /deals/${id}`, by, { version: (await read(id)).version, ...body });
const merge = (by: Person, body: object): Promise<ResponseBody<'POST /deals/merge'>> =>
  done('POST /deals/merge', by, body);
const preview = (by: Person, body: object): Promise<ResponseBody<'POST /deals/merge/preview'>> =>
  done('POST /deals/merge/preview', by, body);
const revert = (set: string, by: Person): Promise<ResponseBody<'POST /changes/:id/revert'>> =>
  done(`POST /changes/${set}/revert`, by, {});
const share = (id: string, owner: Person, by: Person) =>
  done(`PUT /deals/${id}/sharing`, owner, { sharedWith: [{ userId: by.id, permissions: 'write' }] });
const items = (...names: string[]) => names.map((name) => ({ itemId: itemIds[name], quantity: 1 }));

async function addEmail(by: Person, dealIds: string[], version = 1): Promise<string> {
  const email = emailValues(by.id, dealershipId, { status: 'sent', sent_at: new Date() });
  await server.db.insertInto('emails').values(email).execute();
  await server.db
    .insertInto('email_deals')
    .values(dealIds.map((deal_id) => ({ deal_id, email_id: email.id, deal_version: version })))
    .execute();
  return email.id;
}

/** Returns everything that is stored about rows, except versions and times of the write. */
async function stored(ids: readonly string[]) {
  const { rows } = await sql<Record<string, unknown>>`
    select deals.id, to_jsonb(deals) - '{version,field_versions,updated_at,updated_by,deleted_at,deleted_by,closed_at}'::text[] as row,
      deleted_at is not null as is_deleted,
      (select jsonb_agg(to_jsonb(deal_items) order by position) from deal_items where deal_id = deals.id) as items,
      (select jsonb_agg(body order by id) from deal_comments where deal_id = deals.id) as comments,
      (select jsonb_agg(name order by id) from deal_attachments where deal_id = deals.id) as files,
      (select jsonb_agg(to_jsonb(email_deals) order by email_id) from email_deals where deal_id = deals.id) as emails,
      (select jsonb_agg(kind order by kind) from notifications where record_id = deals.id) as notifications,
      (select survivor_id from deal_merges where deal_id = deals.id) as survivor,
      (select jsonb_object_agg(user_id, level) from shares where entity = 'deal' and record_id = deals.id) as shares
    from deals where id = any(${[...ids]}::uuid[]) order by id`.execute(server.db);
  return rows;
}

describe('a merge', () => {
  test('a person merges three rows, takes it back, and takes that back, and each time all that belongs to the rows is where it should be', async () => {
    const clerk = await newClerk();
    const colleague = await newClerk({}, {}, 'Olga Other');
    const survivor = await addRow(clerk, { notes: 'Rang', items: items('Paint'), costAmount: 100 });
    const second = await addRow(clerk, {
      customerNumber: '(0412) 345 678',
      notes: 'Called back',
      items: items('Film'),
      followUpAt: '2026-12-01T09:30:00.000Z',
    });
    const third = await addRow(clerk, { customerEmail: 'lee@buyer.example', vehicle: 'Ute' });
    const ids = [survivor, second, third];
    for (const id of ids) {
      await done(`POST /deals/${id}/comments`, clerk, { body: `About ${id}`, mentions: [colleague.id] });
      await uploadFile(server, clerk, `/deals/${id}/attachments`, `File of ${id}`, {
        filename: `${id}.txt`,
      });
    }
    await done(`PUT /deals/${second}/sharing`, clerk, {
      sharedWith: [{ userId: colleague.id, permissions: 'write' }],
    });
    const both = await addEmail(clerk, [survivor, second], 1);
    const own = await addEmail(clerk, [third], 1);
    const before = await stored(ids);

    const body = { survivor, others: [second, third], values: { notes: second } };
    const seen = await preview(clerk, body);
    expect(seen.rows.map(({ _id }) => _id)).toEqual(ids);
    expect(seen).toMatchObject({ moved: { comments: 2, attachments: 2, emails: 2 }, losesAccess: false });
    expect(seen.choices).toEqual(
      expect.arrayContaining([
        { field: 'notes', values: ['Rang', 'Called back', null], from: second },
        { field: 'vehicle', values: [null, null, 'Ute'], from: third },
        expect.objectContaining({ field: 'items', from: null }),
      ]),
    );
    const names = (seen.changes as { field: string }[]).map(({ field }) => field);
    expect(names.toSorted()).toEqual(
      'commission,customerEmail,customerNumber,followUpAt,items,notes,saleAmount,vehicle'.split(','),
    );
    expect(await stored(ids)).toEqual(before);

    const { changeSetId, ...merged } = await merge(clerk, body);
    expect(merged).toEqual({ survivor, others: [second, third] });
    const after = await stored(ids);
    expect(await read(survivor)).toMatchObject({
      notes: 'Called back',
      customerNumber: '(0412) 345 678',
      customerEmail: 'lee@buyer.example',
      vehicle: 'Ute',
      followUpAt: '2026-12-01T09:30:00.000Z',
      costAmount: 100,
      saleAmount: 750,
      commission: 37.5,
      items: [{ name: 'Paint' }, { name: 'Film' }],
      sharedWith: [{ userId: colleague.id, permissions: 'write' }],
    });
    expect(after.map(({ comments }) => (comments as string[] | null)?.length ?? 0)).toEqual([3, 0, 0]);
    expect(after.map(({ files }) => (files as string[] | null)?.length ?? 0)).toEqual([3, 0, 0]);
    // A message about two of the rows stays with both, because the survivor has it already.
    const emails = after.map((row) =>
      ((row.emails ?? []) as { email_id: string }[]).map((one) => one.email_id),
    );
    expect(emails).toEqual([[both, own].toSorted(), [both], []]);
    expect(after.map(({ is_deleted }) => is_deleted)).toEqual([false, true, true]);
    const history = await done(`GET /deals/${survivor}/history`, clerk);
    const actions = history.items.map(({ action, dealId }: { action: string; dealId: string }) => [
      action,
      ids.indexOf(dealId),
    ]);
    expect(actions).toEqual(
      expect.arrayContaining([
        ['merged', 0],
        ['created', 0],
        ['created', 1],
        ['created', 2],
        ['commentAdded', 1],
        ['attachmentAdded', 2],
      ]),
    );
    const entry = history.items.find(({ action }: { action: string }) => action === 'merged');
    expect(entry.changes).toContainEqual({ field: 'mergedRows', before: null, after: 'Lee Hart, Lee Hart' });

    const { items: sets } = await done('GET /changes?limit=1&kind=merge', clerk);
    expect(sets).toMatchObject([
      { _id: changeSetId, kind: 'merge', title: 'Merged 3 rows', rows: 3, deleted: 2 },
    ]);
    const back = await revert(changeSetId, clerk);
    expect(back).toMatchObject({ reverted: 3, left: [], refused: [] });
    expect(await stored(ids)).toEqual(before);
    expect(await auditedActions(server, survivor)).toEqual(expect.arrayContaining(['deal.separated']));

    const again = await revert(back.changeSetId!, clerk);
    expect(again).toMatchObject({ reverted: 3, left: [], refused: [] });
    // The versions of moved emails are those of the survivor now.
    const isSame = ({ emails, ...row }: (typeof after)[number]) => ({
      ...row,
      emails: (emails as unknown[] | null)?.length,
    });
    expect((await stored(ids)).map(isSame)).toEqual(after.map(isSame));
    await revert(again.changeSetId!, clerk);
    expect(await stored(ids)).toEqual(before);
  });

  test('a field keeps the value of the survivor, gets the only one of the others, and stays empty if these differ', async () => {
    const clerk = await newClerk();
    const survivor = await addRow(clerk, { vehicle: 'Ute', saleAmount: 0 });
    const second = await addRow(clerk, { vehicle: 'Van', notes: 'A', dealNumber: 'D-7', saleAmount: 10 });
    const third = await addRow(clerk, { notes: 'B', dealNumber: 'D-7' });
    await merge(clerk, { survivor, others: [second, third] });
    expect(await read(survivor)).toMatchObject({
      vehicle: 'Ute',
      notes: '',
      dealNumber: 'D-7',
      saleAmount: 0,
    });
  });

  test('a person chooses the items and the sale of another row, its month, status and owner', async () => {
    const clerk = await newClerk();
    const colleague = await newClerk({}, {}, 'Olga Other');
    const survivor = await addRow(clerk, { items: items('Paint') });
    const other = await addRow(clerk, { items: items('Film', 'Film'), month: '2025-01', status: 'Called' });
    await done('POST /deals/bulk/owner', clerk, {
      ids: [other],
      targetUserId: colleague.id,
      keepSharing: true,
    });
    const from = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, other]));
    await merge(clerk, {
      survivor,
      others: [other],
      values: from('month', 'status', 'owner', 'saleAmount'),
      items: other,
    });
    expect(await read(survivor)).toMatchObject({
      month: '2025-01',
      status: 'Called',
      owner: colleague.id,
      saleAmount: 900,
      items: [{ name: 'Film' }, { name: 'Film' }],
    });
  });

  test('equal items of duplicates are sold once, unless a person joins them', async () => {
    const clerk = await newClerk();
    const [survivor, other] = [
      await addRow(clerk, { items: items('Film') }),
      await addRow(clerk, { items: items('Film') }),
    ];
    const body = { survivor, others: [other] };
    expect((await preview(clerk, body)).choices).toMatchObject([
      { field: 'items', from: survivor, canJoin: true },
    ]);
    const { changeSetId } = await merge(clerk, body);
    expect(await read(survivor)).toMatchObject({ items: [{ name: 'Film' }], saleAmount: 450 });
    await revert(changeSetId, clerk);
    await merge(clerk, { ...body, items: 'join' });
    expect(await read(survivor)).toMatchObject({
      items: [{ name: 'Film' }, { name: 'Film' }],
      saleAmount: 900,
    });
  });

  test('the sale of another row stays if it was typed, and follows the joined items if it is the sum of its items', async () => {
    const clerk = await newClerk();
    const survivor = await addRow(clerk);
    const typed = await addRow(clerk, { items: items('Paint', 'Film'), saleAmount: 900 });
    await merge(clerk, { survivor, others: [typed] });
    expect(await read(survivor)).toMatchObject({
      items: [{ name: 'Paint' }, { name: 'Film' }],
      saleAmount: 900,
    });
    const withoutSale = await addRow(clerk, { items: items('Film') });
    await patch(withoutSale, clerk, { saleAmount: null });
    const sold = await addRow(clerk, { items: items('Paint') });
    await merge(clerk, { survivor: withoutSale, others: [sold] });
    expect(await read(withoutSale)).toMatchObject({ saleAmount: 750 });
  });

  test('a row keeps its items by default if it cannot hold those of all rows', async () => {
    const clerk = await newClerk();
    const survivor = await addRow(clerk, { items: items(...Array<string>(30).fill('Paint')) });
    const other = await addRow(clerk, { items: items(...Array<string>(21).fill('Film')) });
    const body = { survivor, others: [other] };
    expect((await preview(clerk, body)).choices).toMatchObject([
      { field: 'saleAmount' },
      { field: 'items', from: survivor, canJoin: false },
    ]);
    expect(await call('POST /deals/merge/preview', clerk, { ...body, items: 'join' })).toMatchObject({
      status: 400,
      body: { errors: { items: expect.stringContaining('more than 50 items') } },
    });
    await merge(clerk, body);
    expect((await read(survivor)).items).toHaveLength(30);
  });

  test('a merged row leads to the row that survived the last merge, for a person who sees that one', async () => {
    const clerk = await newClerk();
    const stranger = await newClerk({ columnVisibility: { restrictedToOwn: true } });
    const [first, second, third] = [await addRow(clerk), await addRow(clerk), await addRow(clerk)];
    await done(`POST /deals/${first}/comments`, clerk, { body: 'First', mentions: [] });
    const one = await merge(clerk, { survivor: second, others: [first] });
    await merge(clerk, { survivor: third, others: [second] });
    for (const route of [`GET /deals/${first}`, `GET /deals/${first}/comments`])
      expect(await call(route, clerk)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', details: { mergedInto: third } },
      });
    expect(await call(`PATCH /deals/${first}`, clerk, { version: 1, notes: 'Late' })).toMatchObject({
      status: 404,
      body: { details: { mergedInto: third } },
    });
    expect((await call(`GET /deals/${first}`, stranger)).body.details).toBeUndefined();
    // Only the first merge is taken back: its comment returns from the last survivor.
    const back = await revert(one.changeSetId, clerk);
    expect(back).toMatchObject({ reverted: 1, refused: [] });
    expect((await done(`GET /deals/${first}/comments`, clerk)).total).toBe(1);
    expect((await done(`GET /deals/${third}/comments`, clerk)).total).toBe(0);
    // It cannot be merged again, because that survivor is gone.
    expect(await revert(back.changeSetId!, clerk)).toMatchObject({
      reverted: 0,
      refused: [{ dealId: first, reason: expect.stringContaining('deleted since') }],
    });
  });

  test('a merged row that is restored from the deleted rows gets back what belonged to it', async () => {
    const clerk = await newClerk();
    const [survivor, other] = [await addRow(clerk), await addRow(clerk, { notes: 'Mine' })];
    await done(`POST /deals/${other}/comments`, clerk, { body: 'Hers', mentions: [] });
    await merge(clerk, { survivor, others: [other] });
    await done('POST /deals/bulk/restore', clerk, { ids: [other] });
    expect((await done(`GET /deals/${other}/comments`, clerk)).items).toMatchObject([{ body: 'Hers' }]);
    expect((await done(`GET /deals/${survivor}/comments`, clerk)).total).toBe(0);
    expect(await read(survivor)).toMatchObject({ notes: 'Mine' });
  });

  test('a person takes back the restore of a row and of the row into which it was merged, and both are merged again', async () => {
    const clerk = await newClerk();
    const ids = [await addRow(clerk), await addRow(clerk), await addRow(clerk)] as const;
    const [first, second, last] = ids;
    for (const id of ids) await done(`POST /deals/${id}/comments`, clerk, { body: id, mentions: [] });
    await merge(clerk, { survivor: second, others: [first] });
    await merge(clerk, { survivor: last, others: [second] });
    const merged = await stored(ids);
    const headers = { 'x-change-set': `bulk ${newId()}` };
    // The survivor comes first, as in a request by somebody who selected it first.
    const { status } = await call('POST /deals/bulk/restore', clerk, { ids: [second, first] }, headers);
    expect(status).toBe(200);
    expect((await done(`GET /deals/${first}/comments`, clerk)).items).toMatchObject([{ body: first }]);
    const [{ _id }] = (await done('GET /changes?kind=bulk', clerk)).items;
    expect(await revert(_id, clerk)).toMatchObject({ reverted: 2, refused: [] });
    expect(await stored(ids)).toEqual(merged);
  });

  test('a reader of comments has no unread one hidden by a merge', async () => {
    const clerk = await newClerk();
    const reader = await newClerk({}, {}, 'Rita Reader');
    const [survivor, other] = [await addRow(clerk), await addRow(clerk)];
    const write = async (id: string) =>
      (await done(`POST /deals/${id}/comments`, clerk, { body: 'Text', mentions: [] }))._id;
    await write(other);
    const read = await write(survivor);
    await done(`PUT /deals/${survivor}/comments/read`, reader, { commentId: read });
    const unread = async () =>
      (await done('GET /deals/marks', reader)).items.find(
        ({ dealId }: { dealId: string }) => dealId === survivor,
      );
    expect(await unread()).toMatchObject({ comments: 1, unread: 0 });
    await merge(clerk, { survivor, others: [other] });
    // The older comment of the other row was unread, so all from there on are.
    expect(await unread()).toMatchObject({ comments: 2, unread: 2 });
  });
});

describe('who may merge', () => {
  test('a person who may not edit, delete or see one of the rows is refused, and nothing changes', async () => {
    const owner = await newClerk({}, {}, 'Olga Owner');
    const clerk = await newClerk({}, {});
    const [own, other, third] = [await addRow(clerk), await addRow(owner), await addRow(clerk)];
    const body = { survivor: own, others: [other] };
    const before = await stored([own, other, third]);
    for (const route of ['POST /deals/merge/preview', 'POST /deals/merge']) {
      expect(await call(route, clerk, body)).toMatchObject({
        status: 403,
        body: { details: 'NOT_ROW_OWNER' },
      });
      const many = { survivor: own, others: [third, await addRow(clerk)] };
      // A person may delete several rows of the last hour.
      expect((await call('POST /deals/merge/preview', clerk, many)).status).toBe(200);
      await changePermissions(server, admin, clerk, { dataEntry: { canDeleteRows: false } });
      expect(await call(route, clerk, { survivor: own, others: [third] })).toMatchObject({
        status: 403,
        body: { details: 'NO_ROW_DELETE' },
      });
      await changePermissions(server, admin, clerk, {
        dataEntry: { canDeleteRows: true, columnVisibility: { restrictedRows: [third] } },
      });
      expect(await call(route, clerk, { survivor: own, others: [third] })).toMatchObject({ status: 404 });
      await changePermissions(server, admin, clerk, {
        dataEntry: { columnVisibility: { restrictedRows: [] } },
      });
    }
    expect(await stored([own, other, third])).toEqual(before);
  });

  test('a person without bulkEdit merges two of their rows and takes it back', async () => {
    const clerk = await newClerk({}, {});
    const [survivor, other] = [await addRow(clerk), await addRow(clerk, { notes: 'Rang' })];
    const { changeSetId } = await merge(clerk, { survivor, others: [other] });
    const { items } = await done('GET /changes?limit=1', clerk);
    expect(items[0]).toMatchObject({ _id: changeSetId, abilities: { revert: true } });
    expect(await revert(changeSetId, clerk)).toMatchObject({ reverted: 2 });
  });

  test('hidden columns are neither in the preview nor changed, and a choice of one is refused by name', async () => {
    const clerk = await newClerk();
    const survivor = await addRow(clerk);
    const other = await addRow(clerk, { notes: 'Secret', vehicle: 'Van', items: items('Paint') });
    const visibleColumns = ['customerName', 'dealershipId', 'vehicle', 'status'];
    await changePermissions(server, admin, clerk, {
      dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns } },
    });
    const seen = await preview(clerk, { survivor, others: [other] });
    expect(JSON.stringify(seen)).not.toMatch(/Secret|Paint|emails/);
    for (const [body, field] of [
      [{ values: { notes: other } }, 'values.notes'],
      [{ items: other }, 'items'],
    ] as const) {
      const reply = await call('POST /deals/merge', clerk, { survivor, others: [other], ...body });
      expect(reply).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
    }
    await merge(clerk, { survivor, others: [other] });
    expect(await read(survivor)).toMatchObject({ vehicle: 'Van', notes: '', items: [] });
  });

  test('people who see another row get access only if the person may share the survivor', async () => {
    const owner = await newClerk({}, {}, 'Olga Owner');
    const clerk = await newClerk();
    const reader = await newClerk({}, {}, 'Rita Reader');
    const survivor = await addRow(owner);
    await done(`PUT /deals/${survivor}/sharing`, owner, {
      sharedWith: [{ userId: clerk.id, permissions: 'write' }],
    });
    const other = await addRow(clerk);
    await done(`PUT /deals/${other}/sharing`, clerk, {
      sharedWith: [{ userId: reader.id, permissions: 'write' }],
    });
    expect(await preview(clerk, { survivor, others: [other] })).toMatchObject({ losesAccess: true });
    const { changeSetId } = await merge(clerk, { survivor, others: [other] });
    expect((await read(survivor)).sharedWith).toMatchObject([{ userId: clerk.id }]);
    await revert(changeSetId, clerk);
    const byAdmin = await merge(admin, { survivor, others: [other] });
    expect(
      (await read(survivor)).sharedWith.map(({ userId }: { userId: string }) => userId).toSorted(),
    ).toEqual([clerk.id, reader.id].toSorted());
    await revert(byAdmin.changeSetId, admin);
    expect((await read(survivor)).sharedWith).toMatchObject([{ userId: clerk.id }]);
  });
});

test('the owner is a choice for a person who may transfer the row that stays, without the inactive owner of another row', async () => {
  const [clerk, dan, ian] = [
    await newClerk(),
    await newClerk({}, {}, 'Dan Owner'),
    await newClerk({}, {}, 'Ian Gone'),
  ];
  const [survivor, ofDan, ofIan] = [await addRow(clerk), await addRow(dan), await addRow(ian)];
  await share(ofDan, dan, clerk);
  await share(ofIan, ian, clerk);
  await sql`update users set is_active = false where id = ${ian.id}`.execute(server.db);
  const owners = async (others: string[]) =>
    (await preview(clerk, { survivor, others })).choices.find(({ field }) => field === 'owner')?.values;
  expect(await owners([ofDan, ofIan])).toEqual(['Cleo Clerk', 'Dan Owner', null]);
  expect(await owners([ofIan])).toBeUndefined();
  await changePermissions(server, admin, clerk, { dataEntry: { canChangeOwnership: false } });
  expect(await owners([ofDan, ofIan])).toBeUndefined();
  expect(
    await call('POST /deals/merge', clerk, { survivor, others: [ofDan], values: { owner: ofDan } }),
  ).toMatchObject({ status: 403, body: { details: 'NO_OWNER_CHANGE' } });
});

describe('a merge that cannot be taken back whole', () => {
  /** Expects that a person cannot take back the set, with these rows refused and nothing changed. */
  async function expectRefused(set: string, by: Person, ids: readonly string[], reason: string, body = {}) {
    const before = await stored(ids);
    const refused = expect.arrayContaining(
      ids.map((dealId) => ({ dealId, reason: expect.stringContaining(reason) })),
    );
    const seen = await done(`POST /changes/${set}/revert/preview`, by, body);
    expect(seen).toMatchObject({ reverted: 0, left: [], refused });
    expect(seen.rows.map(({ effect }: { effect: unknown }) => effect)).toEqual(ids.map(() => null));
    expect(await done(`POST /changes/${set}/revert`, by, body)).toMatchObject({
      changeSetId: null,
      reverted: 0,
      refused,
    });
    expect(await stored(ids)).toEqual(before);
  }

  test('a person who gave the row that stays to the owner of the other one gets neither back, and an administrator gets both', async () => {
    const [clerk, dan] = [await newClerk(), await newClerk({}, {}, 'Dan Owner')];
    const survivor = await addRow(clerk, { items: items('Paint') });
    const other = await addRow(dan, { items: items('Film') });
    const third = await addRow(clerk);
    await share(other, dan, clerk);
    const ids = [survivor, other, third];
    const before = await stored(ids);
    const body = { survivor, others: [other, third], items: 'join', values: { owner: other } };
    const { changeSetId } = await merge(clerk, body);
    // The former owner keeps a share, which goes back with the merge.
    const kept = { owner: dan.id, sharedWith: [{ userId: clerk.id, permissions: 'write' }] };
    expect(await read(survivor)).toMatchObject(kept);
    await expectRefused(changeSetId, clerk, ids, 'may transfer this row');
    await expectRefused(changeSetId, clerk, [other], 'may transfer this row', { rows: [other] });
    const back = await revert(changeSetId, admin);
    expect(back).toMatchObject({ reverted: 3, refused: [] });
    const withoutNotifications = ({ notifications: _notifications, ...row }: (typeof before)[number]) => row;
    expect((await stored(ids)).map(withoutNotifications)).toEqual(before.map(withoutNotifications));
    await revert(back.changeSetId!, admin);
    expect(await read(survivor)).toMatchObject(kept);
  });

  test('a person who lost the right to change the other row does not get back the row that stays', async () => {
    const [clerk, dan] = [await newClerk(), await newClerk({}, {}, 'Dan Owner')];
    const [survivor, other] = [await addRow(clerk), await addRow(dan, { notes: 'Rang' })];
    await share(other, dan, clerk);
    const { changeSetId } = await merge(clerk, { survivor, others: [other] });
    await sql`delete from shares where record_id = ${other}`.execute(server.db);
    await expectRefused(changeSetId, clerk, [survivor, other], 'may change this row');
    expect(await read(survivor)).toMatchObject({ notes: 'Rang' });
  });

  test('a person who does not see one of the rows any more does not get back the other one, and does not learn about it', async () => {
    const clerk = await newClerk();
    const [survivor, other] = [await addRow(clerk), await addRow(clerk, { notes: 'Rang' })];
    const { changeSetId } = await merge(clerk, { survivor, others: [other] });
    for (const [hidden, seen] of [
      [survivor, other],
      [other, survivor],
    ] as const) {
      await changePermissions(server, admin, clerk, {
        dataEntry: { columnVisibility: { restrictedRows: [hidden] } },
      });
      await expectRefused(changeSetId, clerk, [seen], 'You do not see this row.');
    }
    expect(await read(survivor)).toMatchObject({ notes: 'Rang' });
  });

  test('a merge that was taken back is not merged again without the values of the row that stays', async () => {
    const clerk = await newClerk();
    const field = await done('POST /custom-fields', admin, { name: 'Colour', type: 'text' });
    const survivor = await addRow(clerk);
    const other = await addRow(clerk, { custom: { [field.key]: 'Red' }, notes: 'Rang' });
    const ids = [survivor, other];
    const { changeSetId: first } = await merge(clerk, { survivor, others: [other] });
    const { changeSetId: back } = await revert(first, clerk);
    const setActive = async (active: boolean) => {
      const now = await done(`GET /custom-fields/${field._id}`, admin);
      await done(`PUT /custom-fields/${field._id}`, admin, { ...now, active });
    };
    await setActive(false);
    await expectRefused(back!, clerk, ids, 'The field “Colour” is no longer in use.');
    await setActive(true);
    const { changeSetId: again } = await revert(back!, clerk);
    // The first merge alone would take the values of the other row from the row that stays.
    await expectRefused(first, clerk, ids, 'Cleo Clerk has since merged this row again.');
    expect(await revert(again!, clerk)).toMatchObject({ reverted: 2, refused: [] });
  });
});

test('bad input is a 400 that names the field, and changes nothing', async () => {
  const clerk = await newClerk();
  const [survivor, other, stranger] = [await addRow(clerk), await addRow(clerk), newId()];
  const before = await stored([survivor, other]);
  for (const [body, field] of [
    [{ others: [] }, 'others'],
    [{ others: [survivor] }, 'others.0'],
    [{ others: [other, other] }, 'others.1'],
    [{ others: Array.from({ length: 21 }, newId) }, 'others'],
    [{ values: { notes: stranger } }, 'values.notes'],
    [{ values: { grossProfit: other } }, 'values.grossProfit'],
    [{ values: { custom999: other } }, 'values.custom999'],
    [{ items: stranger }, 'items'],
    [{ items: 'all' }, 'items'],
  ] as const) {
    const reply = await call('POST /deals/merge', clerk, { survivor, others: [other], ...body });
    expect(reply, JSON.stringify([body, reply.body])).toMatchObject({ status: 400 });
    expect(Object.keys(reply.body.errors)).toContain(field);
  }
  expect(await call('POST /deals/merge', clerk, { survivor, others: [stranger] })).toMatchObject({
    status: 404,
  });
  expect(await stored([survivor, other])).toEqual(before);
});

test('a merge fails with a conflict if a row was changed after the person had seen it', async () => {
  const clerk = await newClerk();
  const [survivor, other] = [await addRow(clerk), await addRow(clerk)];
  await patch(other, clerk, { notes: 'New' });
  const body = { survivor, others: [other], versions: { [survivor]: 1, [other]: 1 } };
  expect(await call('POST /deals/merge', clerk, body)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', current: { _id: other } },
  });
  expect((await stored([other]))[0]).toMatchObject({ is_deleted: false });
});

test('a merge that is sent twice with its key merges once, and both get the same answer', async () => {
  const clerk = await newClerk();
  const [survivor, other] = [await addRow(clerk), await addRow(clerk)];
  const send = () =>
    call('POST /deals/merge', clerk, { survivor, others: [other] }, { 'idempotency-key': survivor });
  const [one, two] = await Promise.all([send(), send()]);
  expect(one.status).toBe(200);
  expect(two.body).toEqual(one.body);
  expect((await send()).body).toEqual(one.body);
});

test('rows that are merged in opposite directions, edited and commented at once end in one of the orders, and nothing is lost', async () => {
  const clerk = await newClerk();
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = [await addRow(clerk, { notes: 'A' }), await addRow(clerk, { notes: 'B' })];
    const replies = await Promise.all([
      call('POST /deals/merge', clerk, { survivor: one, others: [two] }),
      call('POST /deals/merge', clerk, { survivor: two, others: [one] }),
      call(`PATCH /deals/${one}`, clerk, { version: 1, vehicle: 'Ute' }),
      call(`PATCH /deals/${two}`, clerk, { version: 1, dealNumber: 'D-9' }),
      call(`POST /deals/${one}/comments`, clerk, { body: 'One', mentions: [] }),
      call(`POST /deals/${two}/comments`, clerk, { body: 'Two', mentions: [] }),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.slice(0, 2).toSorted((one, other) => one - other)).toEqual([200, 404]);
    expect(
      statuses.every((status) => [200, 201, 404].includes(status)),
      statuses.join(),
    ).toBe(true);
    const survivor = statuses[0] === 200 ? one : two;
    const comments = statuses.slice(4).filter((status) => status === 201).length;
    expect((await done(`GET /deals/${survivor}/comments`, clerk)).total).toBe(comments);
    // An edit is in the survivor, in the merged row (and comes back with it), or was refused with the survivor's id.
    const { rows } = await sql<{ all: string }>`
      select string_agg(vehicle || deal_number, '') as all from deals where id in (${one}, ${two})`.execute(
      server.db,
    );
    if (statuses[2] === 200) expect(rows[0]!.all).toContain('Ute');
    else expect(replies[2]!.body.details).toEqual({ mergedInto: survivor });
    if (statuses[3] === 200) expect(rows[0]!.all).toContain('D-9');
    else expect(replies[3]!.body.details).toEqual({ mergedInto: survivor });
  }
});

test('the history of the last survivor says that a row was separated, also if the survivor is changed meanwhile', async () => {
  const clerk = await newClerk();
  const [first, second, last] = [await addRow(clerk), await addRow(clerk), await addRow(clerk)];
  await merge(clerk, { survivor: second, others: [first] });
  await merge(clerk, { survivor: last, others: [second] });
  const restored = await server.db.transaction().execute(async (tx) => {
    await sql`update deals set version = version + 1 where id = ${last}`.execute(tx);
    const reply = call('POST /deals/bulk/restore', clerk, { ids: [first] });
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          tx,
        );
        return rows.length;
      })
      .toBe(1);
    return { reply };
  });
  expect((await restored.reply).status).toBe(200);
  expect(await auditedActions(server, last)).toContain('deal.separated');
});

test('a row that was merged into a row which was merged and purged leads to the row that is left', async () => {
  const clerk = await newClerk();
  const [first, second, last] = [await addRow(clerk), await addRow(clerk), await addRow(clerk)];
  await merge(clerk, { survivor: second, others: [first] });
  await merge(clerk, { survivor: last, others: [second] });
  const auditLog = createAuditService(createSecrets(TEST_KEY));
  const job = createDealPurge({ db: server.db, log: createLog('silent'), redact: auditLog.redactPurged });
  for (const purged of [[second], [first]]) {
    await sql`
      update deals set deleted_at = deleted_at - interval '31 days'
      where id = any(${purged}::uuid[])`.execute(server.db);
    await job.purge();
    expect((await call(`GET /deals/${first}`, clerk)).body.details).toEqual({ mergedInto: last });
  }
});

test('the history of a row shows the shares of a merged row to administrators only', async () => {
  const owner = await newClerk({}, {}, 'Olga Owner');
  const reader = await newClerk({}, {}, 'Rita Reader');
  const [survivor, other] = [await addRow(owner), await addRow(owner)];
  for (const id of [survivor, other])
    await done(`PUT /deals/${id}/sharing`, owner, {
      sharedWith: [{ userId: reader.id, permissions: 'view' }],
    });
  await merge(owner, { survivor, others: [other] });
  const sharedIn = async (by: Person) =>
    (await done(`GET /deals/${survivor}/history`, by)).items
      .filter(({ changes }: { changes: { field: string }[] }) =>
        changes.some(({ field }) => field === 'sharedWith'),
      )
      .map(({ dealId }: { dealId: string }) => dealId);
  expect(await sharedIn(owner)).toEqual([survivor]);
  expect((await sharedIn(admin)).toSorted()).toEqual([survivor, other].toSorted());
});

test('a merge cannot be taken back once the merged row is purged: its values stay redacted, and its address leads to the survivor', async () => {
  const clerk = await newClerk();
  const [survivor, other] = [await addRow(clerk), await addRow(clerk, { notes: 'Private', vehicle: 'Van' })];
  await done(`POST /deals/${other}/comments`, clerk, { body: 'Stays', mentions: [] });
  const { changeSetId } = await merge(clerk, { survivor, others: [other] });
  await sql`update deals set deleted_at = deleted_at - interval '31 days' where id = ${other}`.execute(
    server.db,
  );
  const auditLog = createAuditService(createSecrets(TEST_KEY));
  await createDealPurge({ db: server.db, log: createLog('silent'), redact: auditLog.redactPurged }).purge();
  expect(await revert(changeSetId, admin)).toMatchObject({
    reverted: 0,
    refused: [{ dealId: survivor, reason: expect.stringContaining('removed for good') }],
  });
  expect(await read(survivor)).toMatchObject({ notes: 'Private', vehicle: 'Van' });
  expect((await done(`GET /deals/${survivor}/comments`, clerk)).items).toMatchObject([{ body: 'Stays' }]);
  expect((await call(`GET /deals/${other}`, clerk)).body.details).toEqual({ mergedInto: survivor });
  const history = await done(`GET /deals/${survivor}/history`, clerk);
  expect(history.items.every(({ dealId }: { dealId: string }) => dealId === survivor)).toBe(true);
});
