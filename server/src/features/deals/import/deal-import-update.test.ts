import { dealColumns } from '@forecourt/contract/deal-fields';
import type { ImportBody, ImportPreviewRow } from '@forecourt/contract/deal-import';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, newestAudit } from '../../../../test/builders.ts';
import { addImporter, hiding } from './deal-import.fixture.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const harbour = await addDealership(server, admin, { name: 'Harbour New Cars' });
const inland = await addDealership(server, admin, { name: 'Inland Used Cars' });
for (const [name, value] of Object.entries({ newSales: 10, usedSales: 5 }))
  await server.call(`PUT /settings/user/company/commission.${name}`, { token: admin.token, body: { value } });
const addItem = async (name: string, price: number): Promise<string> =>
  (await server.call('POST /item-configurations', { token: admin.token, body: { name, price } })).body._id;
const tint = await addItem('Tint', 450);
const addField = async (body: object): Promise<string> =>
  (await server.call('POST /custom-fields', { token: admin.token, body })).body.key;
const stock = await addField({ name: 'Stock number', type: 'text' });
const secret = await addField({ name: 'Margin', type: 'text', editableBy: 'administrators' });
afterAll(() => server.close());

let clerk: Person;
beforeEach(async () => {
  clerk = await addImporter(server);
});

type Body = Partial<Omit<ImportBody, 'rows'>> & { rows: object[] };
const call = (route: string, by: Person, body: object, headers = {}) =>
  server.call(`POST /deals/import${route}`, { token: by.token, body, headers });
const byNumber = (rows: object[], more: Partial<Body> = {}): Body => ({
  mode: 'update',
  matchBy: 'dealNumber',
  rows,
  ...more,
});
async function preview(by: Person, body: Body): Promise<ImportPreviewRow[]> {
  const reply = await call('/preview', by, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  for (const [kind, count] of Object.entries(reply.body.counts))
    expect(reply.body.rows.filter((row: ImportPreviewRow) => row.kind === kind)).toHaveLength(
      count as number,
    );
  return reply.body.rows;
}
/** Imports rows after their preview, which must say the same. */
async function run(by: Person, body: Body) {
  const kinds = (await preview(by, body)).map(({ kind }) => kind);
  const reply = await call('', by, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  const count = (kind: string): number => kinds.filter((one) => one === kind).length;
  expect(reply.body).toMatchObject({ changed: count('changed'), same: count('same'), total: count('new') });
  return reply.body;
}
const add = async (changes: object, by: Person = clerk): Promise<string> =>
  (await addDeal(server, by, harbour, changes))._id;
const read = async (id: string, by: Person = admin) =>
  (await server.call(`GET /deals/${id}`, { token: by.token })).body;
/** Returns the values of all rows, their versions and the number of entries. */
const everything = async () =>
  (
    await sql`select to_jsonb(deals) as row, (select count(*) from audit_entries) as entries
      from deals order by id`.execute(server.db)
  ).rows;
const kindsOf = async (by: Person, body: Body) => (await preview(by, body)).map(({ kind }) => kind);

test('an import updates the rows with the deal numbers of its lines in any case, and leaves what is empty or not in the file', async () => {
  const first = await add({ customerName: 'Ann', dealNumber: 'U-1', notes: 'Rang', saleAmount: 1000 });
  const second = await add({ customerName: 'Bob', dealNumber: 'U-2', vehicle: 'Ute' });
  const body = byNumber([
    { dealNumber: ' u-1 ', saleAmount: 2500.5, notes: null, status: 'called' },
    { dealNumber: 'U-2', saleAmount: null, vehicle: 'Ute' },
  ]);
  const [changed, same] = await preview(clerk, body);
  expect(changed).toMatchObject({
    kind: 'changed',
    deal: {
      _id: first,
      version: 1,
      customerName: 'Ann',
      dealNumber: 'U-1',
      dealershipName: 'Harbour New Cars',
    },
    reason: null,
  });
  expect(changed!.changes).toEqual([
    { field: 'status', before: 'Entered', after: 'Called' },
    { field: 'saleAmount', before: 1000, after: 2500.5 },
    { field: 'commission', before: 100, after: 250.05 },
  ]);
  expect(same).toMatchObject({ kind: 'same', deal: { _id: second }, changes: [] });

  const { items, left, changeSetId } = await run(clerk, body);
  expect([items, left]).toEqual([[], []]);
  expect(await read(first)).toMatchObject({
    status: 'Called',
    saleAmount: 2500.5,
    commission: 250.05,
    notes: 'Rang',
    // The spelling of what identifies the row stays.
    dealNumber: 'U-1',
    version: 2,
  });
  expect((await read(second)).version).toBe(1);
  expect(await newestAudit(server, first)).toMatchObject({
    action: 'deal.updated',
    change_set_id: changeSetId,
    before: { saleAmount: 1000, commission: 100 },
    after: { saleAmount: 2500.5, commission: 250.05 },
  });
  const { changeSet } = (await server.call(`GET /changes/${changeSetId}`, { token: clerk.token })).body;
  expect(changeSet).toMatchObject({
    kind: 'updateByImport',
    title: 'Updated Ann by import',
    rows: 1,
    changed: 1,
  });
});

test('an import that adds and updates writes one change set, which its person takes back, and takes that back', async () => {
  const old = await add({
    customerName: 'Old',
    dealNumber: 'R-1',
    items: [{ itemId: tint, quantity: 1 }],
    custom: { [stock]: 'S1' },
  });
  const before = await read(old);
  const body = byNumber(
    [
      {
        dealNumber: 'r-1',
        dealershipId: inland,
        items: [{ itemId: tint, quantity: 3 }],
        custom: { [stock]: 'S2' },
      },
      { dealNumber: 'R-2', customerName: 'New' },
      { customerName: 'Without number', dealNumber: '' },
    ],
    { mode: 'addOrUpdate', defaults: { dealershipId: harbour, month: '2025-04' } },
  );
  const { items, changeSetId } = await run(clerk, body);
  const after = await read(old);
  // The sale amount was the sum of the items, and follows them.
  expect(after).toMatchObject({
    dealershipId: inland,
    saleAmount: 1350,
    commissionRate: 5,
    commission: 67.5,
  });
  expect(after.custom).toEqual({ [stock]: 'S2' });
  const [second, third] = await Promise.all(items.map(({ _id }: { _id: string }) => read(_id)));
  expect([second, third]).toMatchObject([
    { customerName: 'New', dealNumber: 'R-2', month: '2025-04', dealershipId: harbour, owner: clerk.id },
    { customerName: 'Without number', month: '2025-04' },
  ]);
  const { changeSet } = (await server.call(`GET /changes/${changeSetId}`, { token: clerk.token })).body;
  expect(changeSet.title).toBe('Updated 3 rows by import, 2 of them added into April 2025');

  const revert = (id: string) => server.call(`POST /changes/${id}/revert`, { token: clerk.token, body: {} });
  const taken = await revert(changeSetId);
  expect(taken.body).toMatchObject({ reverted: 3, left: [], refused: [] });
  const values = ({ version: _v, updatedAt: _u, ...rest }: Record<string, unknown>) => rest;
  expect(values(await read(old))).toEqual(values(before));
  expect((await server.call(`GET /deals/${second._id}`, { token: admin.token })).status).toBe(404);
  expect((await revert(taken.body.changeSetId)).body.reverted).toBe(3);
  expect(values(await read(old))).toEqual(values(after));
});

test('an empty cell clears a value if the person wants that, but never a status, a dealership or a month', async () => {
  const id = await add({ dealNumber: 'E-1', notes: 'Rang', saleAmount: 10, deliveryDate: '2026-12-01' });
  await run(
    clerk,
    byNumber(
      [
        {
          dealNumber: 'E-1',
          notes: '',
          saleAmount: null,
          deliveryDate: null,
          items: [],
          custom: { [stock]: null },
          status: '',
          dealershipId: null,
          month: null,
        },
      ],
      { emptyClears: true },
    ),
  );
  expect(await read(id)).toMatchObject({
    notes: '',
    saleAmount: null,
    deliveryDate: null,
    status: 'Entered',
    dealershipId: harbour,
  });
  const refused = await call(
    '',
    clerk,
    byNumber([{ dealNumber: 'E-1', customerName: '' }], { emptyClears: true }),
  );
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    { 'rows.0.customerName': 'Customer name is required' },
  ]);
});

describe('a line finds its row', () => {
  test('a line finds its row by phone and name together, or by a chosen column, also of a custom field', async () => {
    const customerNumber = '(0488) 100 200';
    const ann = await add({ customerName: 'Ann Match', customerNumber });
    await add({ customerName: 'Bo Match', customerNumber });
    const ute = await add({ customerName: 'Cy', vehicle: 'Red Ute', custom: { [stock]: 'ST-7' } });
    const idsFor = async (matchBy: unknown, row: object) =>
      (await preview(clerk, { mode: 'update', matchBy: matchBy as never, rows: [row] })).map(
        ({ kind, deal }) => [kind, deal?._id],
      );
    const phoneAndName = { customerNumber, customerName: 'ANN MATCH', notes: 'x' };
    expect(await idsFor('phoneAndName', phoneAndName)).toEqual([['changed', ann]]);
    expect(await idsFor('phoneAndName', { customerNumber, customerName: 'Dee' })).toEqual([
      ['unmatched', undefined],
    ]);
    expect(await idsFor({ column: 'vehicle' }, { vehicle: 'red ute', notes: 'x' })).toEqual([
      ['changed', ute],
    ]);
    expect(await idsFor({ column: stock }, { custom: { [stock]: 'st-7' }, notes: 'x' })).toEqual([
      ['changed', ute],
    ]);
  });

  test('a line finds its row only among the rows that the person may see, and changes only those that they may change', async () => {
    const other = await addImporter(server, { canAccessAllMonths: false });
    await add({ customerName: 'Last year', dealNumber: 'V-1', month: '2024-01' });
    await add({ customerName: 'Theirs', dealNumber: 'V-2' });
    const rows = [
      { dealNumber: 'V-1', notes: 'x' },
      { dealNumber: 'V-2', notes: 'x' },
    ];
    const before = await everything();
    const [unseen, theirs] = await preview(other, byNumber(rows));
    expect(unseen).toMatchObject({
      kind: 'unmatched',
      deal: null,
      reason: 'No row that you may see matches it.',
    });
    expect(theirs).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^Only its owner/) });
    const done = await run(other, byNumber(rows));
    expect(done).toMatchObject({ changeSetId: null, left: [{ row: 0 }, { row: 1 }] });
    expect(await everything()).toEqual(before);
  });

  test('a line finds its row as the person decides if several rows or none match it', async () => {
    const [old, young] = [
      await add({ customerName: 'Old', dealNumber: 'A-1' }),
      await add({ customerName: 'Young', dealNumber: 'a-1' }),
    ];
    const rows = [
      { dealNumber: 'A-1', notes: 'Chosen' },
      { dealNumber: 'A-2', notes: 'Fresh', customerName: 'Fresh', dealershipId: harbour },
    ];
    const [several, none] = await preview(clerk, byNumber(rows));
    expect(several).toMatchObject({ kind: 'ambiguous', reason: 'Several rows match it equally well.' });
    expect(several!.candidates.map(({ _id }) => _id)).toEqual([young, old]);
    expect(none!.kind).toBe('unmatched');
    expect((await run(clerk, byNumber(rows))).left).toHaveLength(2);
    expect((await read(old)).version).toBe(1);

    const decisions = [
      { row: 0, deal: old },
      { row: 1, deal: 'new' as const },
    ];
    const { items } = await run(clerk, byNumber(rows, { decisions }));
    expect(await read(old)).toMatchObject({ notes: 'Chosen', version: 2 });
    expect((await read(young)).version).toBe(1);
    expect(await read(items[0]._id)).toMatchObject({ customerName: 'Fresh' });
    const left = [
      { row: 0, deal: 'none' as const },
      { row: 1, deal: 'none' as const },
    ];
    expect(await kindsOf(clerk, byNumber(rows, { decisions: left }))).toEqual(['none', 'none']);
  });

  test('a line finds its row with another line for it: the preview refuses the second line, which the person adds or leaves out, and the import refuses both', async () => {
    const ann = await add({ customerName: 'Ann Home', dealNumber: 'S-1' });
    const row = { dealershipId: harbour, notes: 'x' };
    const rows = [
      { ...row, dealNumber: 'S-1', customerName: 'Ann Home' },
      { ...row, dealNumber: 's-1', customerName: 'Bob Home' },
      { ...row, dealNumber: 'S-2', customerName: 'New' },
      { ...row, dealNumber: 'S-2', customerName: 'New twice' },
    ];
    const body = (decided: Record<number, string>) =>
      byNumber(rows, {
        mode: 'addOrUpdate',
        decisions: Object.entries(decided).map(([index, deal]) => ({ row: Number(index), deal })),
      });
    const rowsOf = async (decided: Record<number, string>) =>
      (await preview(clerk, body(decided))).map(({ kind, earlierRow }) => [kind, earlierRow]);
    expect(await rowsOf({})).toEqual([
      ['changed', null],
      ['refused', 0],
      ['new', null],
      ['refused', 2],
    ]);
    const twice = 'Another line is for the same row. Leave one of them out.';
    for (const decided of [{}, { 0: ann, 1: ann }]) {
      const reply = await call('', clerk, body(decided));
      expect([reply.status, reply.body.errors]).toEqual([
        400,
        { 'rows.1.dealNumber': twice, 'rows.3.dealNumber': twice },
      ]);
    }
    expect(await read(ann)).toMatchObject({ version: 1 });
    expect(await rowsOf({ 1: 'new', 3: 'none' })).toEqual([
      ['changed', null],
      ['new', null],
      ['new', null],
      ['none', null],
    ]);
    expect(await run(clerk, body({ 1: 'new', 3: 'none' }))).toMatchObject({ changed: 1, total: 2 });
    const second = await add({ customerName: 'Ann again', dealNumber: 'S-1' }, admin);
    // Two rows with one number have a line each.
    expect(await kindsOf(admin, body({ 0: ann, 1: second, 3: 'none', 2: 'none' }))).toEqual([
      'same',
      'changed',
      'none',
      'none',
    ]);
  });

  test('a line finds its row, which the preview still offers after the person decided to leave out the line or to add it', async () => {
    const only = await add({ customerName: 'Only', dealNumber: 'O-1' });
    const rows = [{ dealNumber: 'O-1', customerName: 'Other', dealershipId: harbour }];
    expect((await preview(clerk, byNumber(rows)))[0]).toMatchObject({ deal: { _id: only }, candidates: [] });
    for (const deal of ['none', 'new'] as const) {
      const [row] = await preview(clerk, byNumber(rows, { decisions: [{ row: 0, deal }] }));
      expect(row).toMatchObject({ kind: deal, deal: null, candidates: [{ _id: only }] });
    }
  });
});

describe('a row that somebody changed between preview and import', () => {
  test('a row whose field was changed since is left with the name of the person, other fields are merged', async () => {
    const [first, second, third] = [
      await add({ dealNumber: 'C-1' }),
      await add({ dealNumber: 'C-2' }),
      await add({ dealNumber: 'C-3' }),
    ];
    const rows = ['C-1', 'C-2', 'C-3'].map((dealNumber) => ({ dealNumber, notes: 'From the file' }));
    const decisions = (await preview(clerk, byNumber(rows))).map(({ deal }, row) => ({
      row,
      deal: deal!._id,
      version: deal!.version,
    }));
    const patch = (id: string, body: object) =>
      server.call(`PATCH /deals/${id}`, { token: admin.token, body: { version: 1, ...body } });
    await patch(first, { notes: 'By Ada' });
    await patch(second, { vehicle: 'Ute' });
    await patch(third, { dealNumber: 'C-33' });
    const { changed, left } = (await call('', clerk, byNumber(rows, { decisions }))).body;
    expect([changed, left]).toEqual([
      1,
      [
        { row: 0, reason: 'Ada Admin changed Notes of this row since.' },
        { row: 2, reason: 'The row no longer matches it, or you no longer see the row.' },
      ],
    ]);
    expect(await read(first)).toMatchObject({ notes: 'By Ada', version: 2 });
    expect(await read(second)).toMatchObject({ notes: 'From the file', vehicle: 'Ute', version: 3 });
    expect((await read(third)).version).toBe(2);
  });

  test('a line that was new in the preview is left out with the reason if a row matches it since, and no row is added or changed', async () => {
    const row = (dealNumber: string) => ({
      dealNumber,
      customerName: 'From the file',
      dealershipId: harbour,
    });
    const rows = [row('N-1'), row('N-2')];
    const more = { mode: 'addOrUpdate' as const };
    expect(await kindsOf(clerk, byNumber(rows, more))).toEqual(['new', 'new']);
    const since = await add({ dealNumber: 'n-1', customerName: 'By a colleague' });
    const decisions = rows.map((_, index) => ({ row: index, deal: 'newIfUnmatched' as const }));
    const { total, changed, left } = (await call('', clerk, byNumber(rows, { ...more, decisions }))).body;
    expect([total, changed, left]).toEqual([
      1,
      0,
      [{ row: 0, reason: 'A row matches it now. Import it again to update that row.' }],
    ]);
    expect(await read(since)).toMatchObject({ customerName: 'By a colleague', version: 1 });
    const updater = await addImporter(server, { canAddRows: false });
    expect(await call('', updater, byNumber(rows, { decisions }))).toMatchObject({
      status: 403,
      body: { details: 'NO_ROW_ADD' },
    });
  });

  test('two imports of the same rows at once, one of them twice with its key, write each row once by each', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 30; at += 1) ids.push(await add({ dealNumber: `T-${at}` }));
    const rows = (notes: string, reversed = false) => {
      const all = ids.map((_, at) => ({ dealNumber: `T-${at}`, notes }));
      return byNumber(reversed ? all.toReversed() : all);
    };
    const headers = { 'idempotency-key': 'update-twice' };
    const replies = await Promise.all([
      call('', clerk, rows('one'), headers),
      call('', clerk, rows('one'), headers),
      call('', clerk, rows('two', true)),
    ]);
    expect(replies.map(({ status, body }) => [status, body.changed])).toEqual([
      [201, 30],
      [201, 30],
      [201, 30],
    ]);
    const all = await Promise.all(ids.map((id) => read(id)));
    expect(new Set(all.map(({ version, notes }) => `${version} ${notes}`)).size).toBe(1);
    expect(all[0].version).toBe(3);
  });
});

describe('bad input of an import that updates', () => {
  test('the fault is named and nothing is written', async () => {
    await add({ dealNumber: 'B-1', customerName: 'Bad' });
    await add({ dealNumber: 'B-2' });
    const before = await everything();
    const good = { dealNumber: 'B-2', notes: 'x' };
    const twice = 'Another line is for the same row. Leave one of them out.';
    const NO_VALUE = 'No line has a value in the column by which lines find their rows';
    const cases: [Body, object][] = [
      [byNumber([good, { dealNumber: 'b-2' }]), { 'rows.1.dealNumber': twice }],
      [byNumber([{ notes: 'x' }, { notes: 'y' }]), { matchBy: NO_VALUE }],
      [{ mode: 'update', rows: [good] }, { matchBy: 'Choose how lines find their rows' }],
      [
        byNumber([good, { dealNumber: 'B-1', status: 'Nearly' }]),
        { 'rows.1.status': 'Choose one of the statuses' },
      ],
      [
        byNumber([good, { dealNumber: 'B-1', saleAmount: -1 }]),
        { 'rows.1.saleAmount': 'Please enter a valid number' },
      ],
      [
        byNumber([good, { dealNumber: 'B-1', dealershipId: '018f0000-0000-7000-8000-000000000000' }]),
        { 'rows.1.dealershipId': 'Choose one of the dealerships' },
      ],
      [
        byNumber([
          good,
          { dealNumber: 'B-1', items: [{ itemId: '018f0000-0000-7000-8000-000000000000', quantity: 1 }] },
        ]),
        { 'rows.1.items.0.itemId': 'Choose one of the items' },
      ],
      [
        byNumber([good, { dealNumber: 'B-1', custom: { [secret]: 'x' } }]),
        { [`rows.1.custom.${secret}`]: 'Only administrators may change Margin' },
      ],
      [
        byNumber([good, { dealNumber: 'B-9', customerName: 'New' }], { mode: 'addOrUpdate' }),
        { 'rows.1.dealershipId': 'Dealership is required' },
      ],
      [
        byNumber([good], { decisions: [{ row: 1, deal: 'none' }] }),
        { 'decisions.0.row': 'Must be another row of this import' },
      ],
      [
        byNumber([good], { remember: { dealershipId: '018f0000-0000-7000-8000-000000000000', columns: {} } }),
        { 'remember.dealershipId': 'Choose one of the dealerships' },
      ],
    ];
    for (const [body, errors] of cases) {
      const reply = await call('', clerk, body);
      expect([reply.status, reply.body.errors], JSON.stringify(body)).toEqual([400, errors]);
    }
    for (const matchBy of ['notes', { column: 'notes' }, { column: 'saleAmount' }])
      expect((await call('', clerk, byNumber([good], { matchBy: matchBy as never }))).status).toBe(400);
    expect(await everything()).toEqual(before);
  });

  test('a line with an invalid cell is left out if the person decides so', async () => {
    const id = await add({ dealNumber: 'I-1' });
    await add({ dealNumber: 'I-2', customerName: 'Kept' });
    const body = byNumber(
      [
        { dealNumber: 'I-1', notes: 'x' },
        { dealNumber: 'I-2', customerName: null, saleAmount: -1 },
      ],
      { emptyClears: true, decisions: [{ row: 1, deal: 'none' }] },
    );
    expect(await run(clerk, body)).toMatchObject({ changed: 1, left: [] });
    expect((await read(id)).notes).toBe('x');
    expect((await call('/preview', clerk, { ...body, decisions: [] })).body.errors).toEqual({
      'rows.1.customerName': 'Customer name is required',
      'rows.1.saleAmount': 'Please enter a valid number',
    });
  });

  test('a hidden column is neither compared, nor shown, nor changed', async () => {
    const visibleColumns = dealColumns.filter(
      (column) => !['notes', 'dealNumber', 'commission'].includes(column),
    );
    const person = await addImporter(server, hiding({ viewAllColumns: false, visibleColumns }));
    const customerNumber = '(0488) 100 900';
    await add({ customerName: 'Hidden', customerNumber, notes: 'Secret', dealNumber: 'H-1' }, admin);
    await sql`update deals set owner_id = ${person.id} where deal_number = 'H-1'`.execute(server.db);
    const hidden = 'You may not see this column';
    const byPhone = (row: object): Body => ({
      mode: 'update',
      matchBy: { column: 'customerNumber' },
      rows: [{ customerNumber, ...row }],
    });
    expect((await call('', person, byNumber([{ dealNumber: 'H-1' }]))).body.errors).toEqual({
      matchBy: hidden,
    });
    expect((await call('', person, byPhone({ notes: 'x' }))).body.errors).toEqual({ 'rows.0.notes': hidden });
    const [row] = await preview(person, byPhone({ saleAmount: 10 }));
    expect(row!.changes.map(({ field }) => field)).toEqual(
      ['saleAmount', 'grossProfit', 'commissionRate'].filter((field) =>
        row!.changes.some((one) => one.field === field),
      ),
    );
    expect(JSON.stringify(row)).not.toMatch(/Secret|H-1/);
  });
});

test('a person without bulkEdit imports one row, and without the right to add rows updates only', async () => {
  const one = await server.person({
    permissions: { dataEntry: { canEditRows: true, canAddRows: true, canAccessAllMonths: true } },
  });
  await add({ dealNumber: 'P-1' }, one);
  await add({ dealNumber: 'P-2' }, one);
  const rows = [
    { dealNumber: 'P-1', notes: 'x' },
    { dealNumber: 'P-2', notes: 'x' },
  ];
  expect(await call('/preview', one, byNumber(rows))).toMatchObject({
    status: 403,
    body: { details: 'NO_BULK_EDIT' },
  });
  expect((await run(one, byNumber(rows.slice(0, 1)))).changed).toBe(1);

  const updater = await addImporter(server, { canAddRows: false });
  for (const body of [
    byNumber(rows, { mode: 'addOrUpdate' }),
    byNumber(rows, { decisions: [{ row: 0, deal: 'new' }] }),
  ])
    expect(await call('', updater, body)).toMatchObject({ status: 403, body: { details: 'NO_ROW_ADD' } });
  expect(await kindsOf(updater, byNumber(rows))).toEqual(['refused', 'refused']);
});

test('previews of many rows run two at a time, and those of few do not wait for them', async () => {
  const waiting = async () =>
    (
      await sql<{ count: number }>`select count(*)::integer as count from pg_locks
        where relation = 'dealerships'::regclass and not granted`.execute(server.db)
    ).rows[0]!.count;
  const rowsOf = (count: number) =>
    byNumber(Array.from({ length: count }, (_, at) => ({ dealNumber: `L-${at}`, notes: 'x' })));
  let replies: Promise<{ status: number }[]> | undefined;
  await server.db.transaction().execute(async (tx) => {
    // The search for rows reads this table: the lock stands for a long search.
    await sql`lock table dealerships in access exclusive mode`.execute(tx);
    // A person's fifth write would wait for the others.
    const long = [1, 2, 3].map(() => call('/preview', clerk, rowsOf(201)));
    await expect.poll(waiting).toBe(2);
    replies = Promise.all([...long, call('/preview', clerk, rowsOf(200))]);
    await expect.poll(waiting).toBe(3);
    // Time for others to begin, if they did not wait for their turn.
    for (let turn = 0; turn < 10; turn += 1) await server.call('GET /auth/me', { token: clerk.token });
    expect(await waiting()).toBe(3);
  });
  expect((await replies!).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('the columns of a dealership’s file are remembered for everybody who may choose it, without those of hidden columns', async () => {
  await add({ dealNumber: 'M-1' });
  const columnsFor = (by: Person, id = harbour) =>
    server.call(`GET /deals/import/columns/${id}`, { token: by.token });
  expect((await columnsFor(clerk)).body).toEqual({ columns: {} });
  const columns = { dealNumber: 'Vertrag', notes: 'Bemerkung', month: 'Monat' };
  const remember = { dealershipId: harbour, columns };
  await run(clerk, byNumber([{ dealNumber: 'M-1', notes: 'x' }], { remember }));
  expect((await columnsFor(await addImporter(server))).body).toEqual({ columns });
  const visibleColumns = dealColumns.filter((column) => column !== 'notes');
  const limited = await addImporter(server, hiding({ viewAllColumns: false, visibleColumns }));
  expect((await columnsFor(limited)).body.columns).not.toHaveProperty('notes');
  // The file of this person replaces only what they see.
  const others = { columns: { dealNumber: 'Auftrag', notes: 'Meine' }, dealershipId: harbour };
  await run(limited, byNumber([{ dealNumber: 'M-1', vehicle: 'x' }], { remember: others }));
  expect((await columnsFor(clerk)).body).toEqual({ columns: { dealNumber: 'Auftrag', notes: 'Bemerkung' } });
  const kept = await addImporter(server, hiding({ restrictedDealerships: [harbour] }));
  expect((await columnsFor(kept)).status).toBe(404);
});

test('an import of 2,500 rows updates all of them, or none if the database refuses the last one', async () => {
  const { _id: first } = await addDeal(server, clerk, harbour, { customerName: 'Many' });
  await sql`insert into deals (id, owner_id, created_by, updated_by, dealership_id, status_id, month, customer_name, deal_number)
    select gen_random_uuid(), owner_id, created_by, updated_by, dealership_id, status_id, month, 'Many', 'Z-' || n
    from deals, generate_series(1, 2500) as n where id = ${first}`.execute(server.db);
  const rows = Array.from({ length: 2500 }, (_, at) => ({ dealNumber: `z-${at + 1}`, saleAmount: at }));
  await sql`create function fail_late() returns trigger language plpgsql as
    $$ begin raise exception 'failed on purpose'; end $$`.execute(server.db);
  await sql`create trigger fail_late before update on deals for each row when (new.sale_amount = 2499)
    execute function fail_late()`.execute(server.db);
  const changedRows = async () =>
    (
      await sql<{
        count: number;
      }>`select count(*) from deals where sale_amount is not null and deal_number like 'Z-%'`.execute(
        server.db,
      )
    ).rows[0]!.count;
  expect((await call('', clerk, byNumber(rows))).status).toBe(500);
  expect(await changedRows()).toBe(0);
  await sql`drop function fail_late cascade`.execute(server.db);
  expect((await call('', clerk, byNumber(rows))).body).toMatchObject({ changed: 2500, left: [] });
  expect(await changedRows()).toBe(2500);
});
