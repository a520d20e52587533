import type { ChangedRow, ChangeSet } from '@forecourt/contract/deal-changes';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { ABSENT_ID, addDeal, addDealership } from '../../../../test/builders.ts';
import { createClock } from '../../../platform/clock.ts';
import { hashedId, newId } from '../../../platform/ids.ts';
import { storeCounts } from './change-sets.queries.ts';

const clock = createClock('Australia/Sydney');
const month = clock.businessMonth();
const monthInWords = new Intl.DateTimeFormat('en-AU', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
}).format(new Date(`${month}-01`));

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const harbour = await addDealership(server, admin, { name: 'Harbour Cars' });
const valley = await addDealership(server, admin, { name: 'Valley Cars' });
afterAll(() => server.close());

const newClerk = (permissions: object = {}) =>
  server.person({
    name: 'Cleo Clerk',
    permissions: {
      dataEntry: {
        canAddRows: true,
        canEditRows: true,
        canDeleteRows: true,
        canAccessAllMonths: true,
        ...permissions,
      },
      features: { bulkEdit: true },
    } as never,
  });

/** Makes a call in a change set: `paste 1`, for example; undefined: as a program does. */
const callIn = (changeSet: string | undefined, by: Person, route: string, body?: object) =>
  server.call(route, {
    token: by.token,
    ...(body && { body }),
    headers: changeSet === undefined ? {} : { 'x-change-set': changeSet },
  });
const newRow = (changes: object = {}) => ({
  key: newId().replaceAll('-', ''),
  deal: { dealershipId: harbour, customerName: 'Ann Example', ...changes },
});
async function addRows(changeSet: string | undefined, by: Person, rows: object[]): Promise<string[]> {
  const { status, body } = await callIn(changeSet, by, 'POST /deals/bulk/create', { rows });
  expect(status).toBe(200);
  return body.items.map(({ deal }: { deal: { _id: string } }) => deal._id);
}
async function list(by: Person, query = ''): Promise<ChangeSet[]> {
  const { status, body } = await server.call(`GET /changes${query}`, { token: by.token });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
}
const get = (id: string, by: Person, query = '') =>
  server.call(`GET /changes/${id}${query}`, { token: by.token });
const titles = (sets: ChangeSet[]) => sets.map(({ title }) => title);

describe('a write of deals', () => {
  test('a write of deals belongs to the change set that its caller names', async () => {
    const clerk = await newClerk();
    // A paste of many rows is sent in several calls.
    await addRows('paste 1', clerk, [newRow(), newRow()]);
    const [id] = await addRows('paste 1', clerk, [newRow({ customerName: 'Bob Example' })]);
    await addRows('paste 2', clerk, [newRow()]);
    await callIn('fill 3', clerk, `PATCH /deals/${id}`, { version: 1, notes: 'Rang' });
    expect(await list(clerk)).toMatchObject([
      { kind: 'fill', title: 'Filled Bob Example', rows: 1, added: 0, changed: 1 },
      { kind: 'paste', title: `Pasted Ann Example into ${monthInWords}`, rows: 1, added: 1 },
      {
        kind: 'paste',
        title: `Pasted 3 rows into ${monthInWords}`,
        rows: 3,
        added: 3,
        by: clerk.id,
        byName: 'Cleo Clerk',
      },
    ]);
  });

  test('a write of deals without a key belongs to the set of its minute, and edits of another user to another one', async () => {
    const [clerk, other] = [await newClerk(), await newClerk()];
    const [id] = await addRows('paste 1', clerk, [newRow()]);
    await sql`update deals set owner_id = ${other.id} where id = ${id}`.execute(server.db);
    const edit = async (by: Person, version: number, body: object): Promise<void> =>
      expect((await callIn('edit', by, `PATCH /deals/${id}`, { version, ...body })).status).toBe(200);
    await edit(clerk, 1, { notes: 'Rang' });
    await edit(clerk, 2, { notes: 'Rang back', items: [] });
    await edit(other, 3, { vehicle: 'Ute' });
    const edits = (await list(clerk)).filter(({ kind }) => kind === 'edit');
    // Two, if a minute ended between both edits.
    expect([1, 2]).toContain(edits.length);
    expect(new Set(titles(edits))).toEqual(new Set(['Changed Ann Example']));
    expect((await list(other)).map(({ kind, rows }) => ({ kind, rows }))).toEqual([
      { kind: 'edit', rows: 1 },
    ]);
  });

  test('a write of deals of many rows is one set: change, delete, restore, share, transfer, import and undo', async () => {
    const clerk = await newClerk({ canChangeOwnership: true });
    const ids = await addRows('paste 1', clerk, [newRow(), newRow()]);
    await callIn('bulk 2', clerk, 'POST /deals/bulk/status', { ids, status: 'Called' });
    await callIn('bulk 3', clerk, 'POST /deals/bulk/delete', { ids });
    await callIn('undo 4', clerk, 'POST /deals/bulk/restore', { ids });
    const sharedWith = [{ userId: admin.id, permissions: 'view' }];
    await callIn('bulk 5', clerk, 'POST /deals/bulk/share', { ids, sharedWith });
    const rows = [newRow().deal, newRow().deal, newRow().deal];
    expect((await callIn('import 6', clerk, 'POST /deals/import', { rows })).status).toBe(201);
    await callIn('bulk 7', clerk, 'POST /deals/bulk/owner', {
      ids,
      targetUserId: admin.id,
      keepSharing: true,
    });
    const sets = await list(clerk);
    expect(titles(sets)).toEqual([
      'Changed 2 rows',
      `Imported 3 rows into ${monthInWords}`,
      'Changed 2 rows',
      'Undid changes of 2 rows',
      'Deleted 2 rows',
      'Changed 2 rows',
      `Pasted 2 rows into ${monthInWords}`,
    ]);
    expect(sets[4]).toMatchObject({ rows: 2, added: 0, changed: 0, deleted: 2, restored: 0 });
    expect(sets[3]).toMatchObject({ rows: 2, deleted: 0, restored: 2 });
  });

  test('a write of deals of a program is a set for a minute or for a call with many rows', async () => {
    const clerk = await newClerk();
    const { _id: id } = await addDeal(server, clerk, harbour);
    await callIn(undefined, clerk, 'POST /deals/bulk/status', { ids: [id], status: 'Called' });
    await callIn(undefined, clerk, 'POST /deals/bulk/status', { ids: [id], status: 'Deal' });
    const sets = await list(clerk);
    expect(sets.map(({ kind }) => kind)).toEqual(['api', 'api', 'api']);
    expect(titles(sets)).toEqual(['Changed Ann Example', 'Changed Ann Example', 'Added Ann Example']);
    await callIn(undefined, clerk, `PATCH /deals/${id}`, { version: 3, notes: 'Rang' });
    await callIn(undefined, clerk, `PATCH /deals/${id}`, { version: 4, notes: 'Met' });
    // One more if a minute has ended meanwhile, and another one if it ended between both calls.
    expect([3, 4, 5]).toContain((await list(clerk)).length);
  });

  test('a write of deals that runs as a job has a set of its own, so that no other call waits for its end', async () => {
    const clerk = await newClerk();
    for (let count = 0; count < 2; count += 1)
      await callIn('import same', clerk, 'POST /deals/import', { rows: [newRow().deal] });
    expect((await list(clerk)).map(({ rows }) => rows)).toEqual([1, 1]);
  });

  test('a write of deals does not wait for a call of another set whose transaction is open', async () => {
    const [clerk, other] = [await newClerk(), await newClerk()];
    const [id] = await addRows('paste 1', clerk, [newRow()]);
    const [others] = await addRows('paste 1', other, [newRow()]);
    const open = await server.db.startTransaction().execute();
    await sql`insert into change_sets (id, kind, created_by, created_by_name)
      values (${hashedId(clerk.id, 'fill', 'slow')}, 'fill', ${clerk.id}, 'Cleo Clerk')`.execute(open);
    const waiting = callIn('fill slow', clerk, `PATCH /deals/${id}`, { version: 1, notes: 'Rang' });
    const edited = await callIn('edit', other, `PATCH /deals/${others}`, { version: 1, notes: 'Rang' });
    expect(edited.status).toBe(200);
    await open.rollback().execute();
    expect((await waiting).status).toBe(200);
  });

  test('a write of deals belongs to a set of its own, if another user names the same key', async () => {
    const [clerk, other] = [await newClerk(), await newClerk()];
    for (const by of [clerk, other]) await addRows('paste same', by, [newRow()]);
    for (const by of [clerk, other]) expect(await list(by)).toMatchObject([{ rows: 1, by: by.id }]);
  });

  test('a write of deals is refused with an invalid header, and changes nothing', async () => {
    const clerk = await newClerk();
    for (const changeSet of [
      '',
      'paste 1 2',
      'revert 1',
      'undo 1 paste',
      'undo 1 revert 2',
      'undo 1 paste 2 3',
      // What it undoes or redoes is another set, of the same kind unless one of both is an undo.
      'bulk 1 bulk 1',
      'undo 1 undo 1',
      'bulk 1 paste 2',
      'edit 1 api 2',
    ]) {
      const reply = await callIn(changeSet, clerk, 'POST /deals/bulk/create', { rows: [newRow()] });
      expect(reply).toMatchObject({ status: 400, body: { errors: { 'X-Change-Set': expect.any(String) } } });
    }
    expect(await list(clerk)).toEqual([]);
  });

  test('a write of deals that is refused or changes nothing leaves no set', async () => {
    const clerk = await newClerk();
    const [id] = await addRows('paste 1', clerk, [newRow({ notes: 'Rang' })]);
    expect((await callIn('edit', clerk, `PATCH /deals/${id}`, { version: 1, notes: 'Rang' })).status).toBe(
      200,
    );
    expect(
      (await callIn('edit', clerk, `PATCH /deals/${ABSENT_ID}`, { version: 1, notes: 'x' })).status,
    ).toBe(404);
    expect((await callIn('bulk 2', clerk, 'POST /deals/bulk/delete', { ids: [id, ABSENT_ID] })).status).toBe(
      404,
    );
    expect(await list(clerk)).toHaveLength(1);
  });
});

describe('the list', () => {
  test('the list of change sets continues only after sets of the reader', async () => {
    const [clerk, other] = [await newClerk(), await newClerk()];
    await addRows('paste 1', clerk, [newRow()]);
    await addRows('paste 1', other, [newRow()]);
    const [others] = await list(other);
    expect(await list(clerk, `?cursor=${others!._id}`)).toEqual([]);
  });

  test('the list of change sets is not filtered by a dealership whose column or rows the reader does not see', async () => {
    const clerk = await newClerk();
    await addRows('paste 1', clerk, [newRow()]);
    const filtered = () => server.call(`GET /changes?dealershipId=${harbour}`, { token: clerk.token });
    const restrict = (columnVisibility: object) =>
      server.call(`PUT /permissions/user/${clerk.id}`, {
        token: admin.token,
        body: { dataEntry: { columnVisibility } },
      });
    expect((await filtered()).body.items).toHaveLength(1);
    await restrict({ restrictedDealerships: [harbour] });
    expect((await filtered()).body.items).toEqual([]);
    await restrict({ viewAllColumns: false, visibleColumns: ['notes'], restrictedDealerships: [] });
    expect(await filtered()).toMatchObject({
      status: 400,
      body: { errors: { dealershipId: expect.any(String) } },
    });
  });

  test('the list of change sets has one’s own sets; administrators have those of everybody', async () => {
    const [clerk, other] = [await newClerk(), await newClerk()];
    await addRows('paste 1', clerk, [newRow()]);
    expect(await list(other)).toEqual([]);
    expect((await server.call(`GET /changes?by=${clerk.id}`, { token: other.token })).status).toBe(400);
    expect(await list(clerk, `?by=${clerk.id}`)).toHaveLength(1);
    expect(await list(admin, `?by=${clerk.id}`)).toHaveLength(1);
    expect((await list(admin)).map(({ by }) => by)).toContain(clerk.id);
  });

  test('the list of change sets is filtered by kind, dealership, row and business day', async () => {
    const clerk = await newClerk();
    const [first] = await addRows('paste 1', clerk, [newRow()]);
    await addRows('paste 2', clerk, [newRow({ dealershipId: valley })]);
    await callIn('fill 3', clerk, `PATCH /deals/${first}`, { version: 1, notes: 'Rang' });
    const kinds = async (query: string) => (await list(clerk, query)).map(({ kind }) => kind);
    expect(await kinds('?kind=fill')).toEqual(['fill']);
    expect(await kinds(`?dealershipId=${valley}`)).toEqual(['paste']);
    expect(await kinds(`?dealId=${first}`)).toEqual(['fill', 'paste']);
    // 23:59 and 00:01 in Sydney.
    const at = async (time: string, kind: string) =>
      sql`update change_sets set created_at = ${time}::timestamp at time zone 'Australia/Sydney'
        where created_by = ${clerk.id} and kind = ${kind}`.execute(server.db);
    await at('2026-03-09 23:59', 'paste');
    await at('2026-03-10 00:01', 'fill');
    expect(await kinds('?day=2026-03-09')).toEqual(['paste', 'paste']);
    expect(await kinds('?day=2026-03-10')).toEqual(['fill']);
    expect(await kinds('?day=2026-03-11')).toEqual([]);
  });

  test('the list of change sets of a dealership has those before a thousand sets of others, and those of deleted rows', async () => {
    const clerk = await newClerk();
    const island = await addDealership(server, admin, { name: 'Island Cars' });
    const row = newRow({ dealershipId: island });
    await addRows('paste 1', clerk, [row, newRow()]);
    const [deleted] = await addRows('paste 2', clerk, [newRow({ dealershipId: island })]);
    await callIn('bulk 3', clerk, 'POST /deals/bulk/delete', { ids: [deleted] });
    await sql`update change_sets set created_at = created_at - interval '1 hour' where created_by = ${clerk.id}`.execute(
      server.db,
    );
    const ofIsland = (query = '') => list(clerk, `?dealershipId=${island}${query}`);
    const before = await ofIsland();
    expect(before.map(({ kind }) => kind)).toEqual(['bulk', 'paste', 'paste']);
    await sql`insert into change_sets (id, kind, created_by, created_by_name, counted_to)
      select gen_random_uuid(), 'fill', ${clerk.id}, 'Cleo Clerk', 0 from generate_series(1, 1000)`.execute(
      server.db,
    );
    expect(await ofIsland()).toEqual(before);
    expect(await ofIsland('&limit=2')).toEqual(before.slice(0, 2));
    expect(await ofIsland(`&cursor=${before[0]!._id}`)).toEqual(before.slice(1));
    expect(await ofIsland('&kind=bulk')).toEqual(before.slice(0, 1));
  });

  test('the list of change sets has an action with each undo and redo of it once, with its state and the rows of the last redo', async () => {
    const clerk = await newClerk();
    const pasted = await addRows('paste 1', clerk, [newRow(), newRow()]);
    expect(await list(clerk)).toMatchObject([{ state: null, rows: 2 }]);
    const [{ _id: set }] = (await list(clerk)) as [ChangeSet];
    await callIn('undo 2 paste 1', clerk, 'POST /deals/bulk/delete', { ids: pasted });
    expect(await list(clerk)).toMatchObject([{ _id: set, kind: 'paste', state: 'undone', added: 2 }]);
    expect((await get(set, clerk)).body).toMatchObject({ total: 2, items: [{ isDeleted: true }, {}] });
    const again = await addRows('paste 3 paste 1', clerk, [newRow(), newRow()]);
    expect(await list(clerk)).toMatchObject([{ _id: set, kind: 'paste', state: 'redone', rows: 2 }]);
    expect(await list(clerk, `?dealId=${again[0]}`)).toMatchObject([{ _id: set }]);
    const { body } = await get(set, clerk);
    expect(body).toMatchObject({ changeSet: { _id: set, state: 'redone' }, hidden: 0, total: 2 });
    expect(body.items.map(({ _id, isDeleted }: ChangedRow) => [_id, isDeleted])).toEqual(
      again.map((id) => [id, false]),
    );
    await callIn('undo 4 paste 1', clerk, 'POST /deals/bulk/delete', { ids: again });
    expect(await list(clerk)).toMatchObject([{ state: 'undone' }]);
    // Counted by the job as well.
    await storeCounts(server.db, { limit: 1000, minutes: 0 });
    expect(await list(clerk)).toMatchObject([{ state: 'undone', rows: 2 }]);
    const each = await list(clerk, `?of=${set}`);
    expect(titles(each)).toEqual([
      'Undid changes of 2 rows',
      `Pasted 2 rows into ${monthInWords}`,
      'Undid changes of 2 rows',
      `Pasted 2 rows into ${monthInWords}`,
    ]);
    for (const [index, ids] of [again, again, pasted, pasted].entries()) {
      const { items } = (await get(each[index]!._id, clerk, '?alone=true')).body;
      expect(items.map(({ _id }: ChangedRow) => _id).toSorted()).toEqual(ids.toSorted());
    }
  });

  describe('has what a user has done, also', () => {
    /** Returns the user's list as the user and an administrator read it, before and after the counting of sets. */
    async function listsOf(clerk: Person): Promise<ChangeSet[][]> {
      const read = () => Promise.all([clerk, admin].map((by) => list(by, `?by=${clerk.id}&limit=100`)));
      const before = await read();
      await storeCounts(server.db, { limit: 1000, minutes: 0 });
      return [...before, ...(await read())];
    }
    const PASTED = { kind: 'paste', state: null, added: 3 };

    test('the list of change sets has what a user has done, also when two sets each claim to redo the other', async () => {
      const clerk = await newClerk();
      const ids = await addRows('paste 1', clerk, [newRow(), newRow(), newRow()]);
      await callIn('edit a edit b', clerk, 'POST /deals/bulk/delete', { ids: ids.slice(0, 2) });
      await callIn('edit b edit a', clerk, 'POST /deals/bulk/delete', { ids: ids.slice(2) });
      for (const sets of await listsOf(clerk))
        expect(sets).toMatchObject([{ deleted: 1 }, { deleted: 2 }, PASTED]);
    });

    test('the list of change sets has what a user has done, also when a step between claims to redo a set with other rows or without such a change of them', async () => {
      const clerk = await newClerk();
      const ids = await addRows('paste 1', clerk, [newRow(), newRow(), newRow()]);
      const status = (changeSet: string, of: string[], value: string) =>
        callIn(changeSet, clerk, 'POST /deals/bulk/status', { ids: of, status: value });
      await status('bulk b', ids.slice(0, 2), 'Called');
      await status('bulk y1 bulk b', ids, 'Deal');
      await status('bulk y2 bulk b', ids.slice(0, 1), 'Called');
      await callIn('bulk y3 bulk b', clerk, 'POST /deals/bulk/delete', { ids: ids.slice(0, 2) });
      await addRows('bulk y4 bulk b', clerk, [newRow()]);
      const first = { kind: 'bulk', state: 'redone', changed: 2 };
      for (const sets of await listsOf(clerk))
        expect(sets).toMatchObject([{ added: 1 }, { deleted: 2 }, { changed: 3 }, first, PASTED]);
    });

    test('the list of change sets has what a user has done, also when a step claims to belong to a later set, to a step or to a set of another day', async () => {
      const clerk = await newClerk();
      const ids = await addRows('paste 1', clerk, [newRow(), newRow(), newRow()]);
      const status = (changeSet: string, value: string) =>
        callIn(changeSet, clerk, 'POST /deals/bulk/status', { ids, status: value });
      await status('bulk a bulk b', 'Called');
      await status('bulk b', 'Deal');
      await status('bulk c bulk b', 'Called');
      await status('bulk d bulk c', 'Deal');
      for (const sets of await listsOf(clerk))
        expect(sets).toMatchObject([{ state: null }, { state: 'redone' }, { state: null }, PASTED]);
      await status('bulk e', 'Called');
      await sql`update change_sets set created_at = created_at - interval '25 hours'
        where id = ${hashedId(clerk.id, 'bulk', 'e')}`.execute(server.db);
      await status('undo f bulk e', 'Deal');
      expect((await list(clerk))[0]).toMatchObject({ kind: 'undo', rows: 3 });
    });
  });

  test('the list of change sets has an action with its own rows if only some were done again', async () => {
    const clerk = await newClerk();
    const ids = await addRows('paste 1', clerk, [newRow(), newRow(), newRow()]);
    await callIn('bulk 2', clerk, 'POST /deals/bulk/delete', { ids });
    await callIn('undo 3 bulk 2', clerk, 'POST /deals/bulk/restore', { ids: ids.slice(0, 1) });
    await callIn('bulk 4 bulk 2', clerk, 'POST /deals/bulk/delete', { ids: ids.slice(0, 1) });
    const [removal] = await list(clerk);
    expect(removal).toMatchObject({ title: 'Deleted 3 rows', state: 'redone' });
    expect((await get(removal!._id, clerk)).body).toMatchObject({ total: 3 });
  });

  test('the list of change sets has an undo of which nothing else was saved, and its redo with it', async () => {
    const clerk = await newClerk();
    const [id] = await addRows('paste 1', clerk, [newRow()]);
    const patch = (changeSet: string, version: number, notes: string) =>
      callIn(changeSet, clerk, `PATCH /deals/${id}`, { version, notes });
    await patch('undo 2 fill none', 1, 'Rang');
    expect((await list(clerk))[0]).toMatchObject({ kind: 'undo', state: 'undone' });
    await patch('undo 3', 2, '');
    await patch('edit 4 undo 3', 3, 'Met');
    const sets = await list(clerk);
    expect(sets.map(({ kind, state }) => [kind, state])).toEqual([
      ['undo', 'redone'],
      ['undo', 'undone'],
      ['paste', null],
    ]);
  });

  test('the list of change sets has the first three rows of a set with their fields, of those that the reader sees', async () => {
    const clerk = await newClerk();
    const [first, second, third, fourth] = await addRows('paste 1', clerk, [
      newRow({ customerName: 'Dan Rossi' }),
      newRow({ customerName: 'Ann Wood', dealershipId: valley }),
      newRow({ customerName: 'Bea Lim' }),
      newRow({ customerName: 'Cid Ng' }),
    ]);
    const patch = (id: string | undefined, body: object) =>
      callIn('fill 2', clerk, `PATCH /deals/${id}`, { version: 1, ...body });
    await patch(first, { customerNumber: '(0412) 345 678', notes: 'Rang' });
    for (const id of [second, third, fourth]) await patch(id, { saleAmount: 4711 });
    const detailsOf = async (by: Person) => (await list(by, `?by=${clerk.id}&kind=fill`))[0]!.details;
    const none = { isNew: false, customFields: [] };
    expect(await detailsOf(clerk)).toEqual([
      { ...none, customerName: 'Dan Rossi', fields: expect.arrayContaining(['customerNumber', 'notes']) },
      { ...none, customerName: 'Ann Wood', fields: expect.arrayContaining(['saleAmount']) },
      { ...none, customerName: 'Bea Lim', fields: expect.arrayContaining(['saleAmount']) },
    ]);
    expect((await list(clerk, '?kind=paste'))[0]!.details[0]).toEqual({
      ...none,
      isNew: true,
      customerName: 'Dan Rossi',
      fields: [],
    });
    await server.call(`PUT /permissions/user/${clerk.id}`, {
      token: admin.token,
      body: {
        dataEntry: {
          columnVisibility: {
            viewAllColumns: false,
            visibleColumns: ['notes'],
            restrictedDealerships: [valley],
          },
        },
      },
    });
    expect(await detailsOf(clerk)).toEqual([
      { ...none, fields: ['notes'] },
      { ...none, fields: [] },
      { ...none, fields: [] },
    ]);
  });

  test('the list of change sets has every set once over its pages, also of the same moment', async () => {
    const clerk = await newClerk();
    for (const key of [1, 2, 3, 4, 5]) await addRows(`paste ${key}`, clerk, [newRow()]);
    await sql`update change_sets set created_at = '2026-03-09' where created_by = ${clerk.id}`.execute(
      server.db,
    );
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await server.call(`GET /changes?limit=2${cursor && `&cursor=${cursor}`}`, {
        token: clerk.token,
      });
      found.push(...body.items.map(({ _id }: ChangeSet) => _id));
      cursor = body.nextCursor;
    }
    expect([found.length, new Set(found).size]).toEqual([5, 5]);
  });

  test('the list of change sets names no row and no customer that the reader does not see', async () => {
    const clerk = await newClerk();
    await addRows('paste 1', clerk, [newRow()]);
    const restrict = (columnVisibility: object) =>
      server.call(`PUT /permissions/user/${clerk.id}`, {
        token: admin.token,
        body: { dataEntry: { columnVisibility } },
      });
    await restrict({ viewAllColumns: false, visibleColumns: ['notes'] });
    expect(titles(await list(clerk))).toEqual([`Pasted 1 row into ${monthInWords}`]);
    await restrict({ viewAllColumns: true, restrictedDealerships: [harbour] });
    expect(titles(await list(clerk))).toEqual([`Pasted 1 row into ${monthInWords}`]);
  });
});

test('counts of sets are stored after some minutes, and counted again after a further change', async () => {
  const clerk = await newClerk();
  const [id] = await addRows('paste 1', clerk, [newRow(), newRow()]);
  await callIn('fill 2', clerk, `PATCH /deals/${id}`, { version: 1, notes: 'Rang' });
  const before = await list(clerk);
  const count = (minutes: number) => storeCounts(server.db, { limit: 1000, minutes });
  const stored = () =>
    server.db.selectFrom('change_sets').where('created_by', '=', clerk.id).select('rows').execute();
  // A set of the last minutes may still grow, also one that began earlier.
  await sql`update change_sets set created_at = created_at - interval '3 minutes'`.execute(server.db);
  await count(2);
  expect(await stored()).toEqual([{ rows: null }, { rows: null }]);
  await count(0);
  expect(await stored()).not.toContainEqual({ rows: null });
  const times = ({ at: _at, ...set }: ChangeSet) => set;
  expect((await list(clerk)).map(times)).toEqual(before.map(times));
  expect(await count(0)).toBe(0);
  await sql`update change_sets set rows = 99 where created_by = ${clerk.id}`.execute(server.db);
  expect((await list(clerk)).map(({ rows }) => rows)).toEqual([99, 99]);
  await addRows('paste 1', clerk, [newRow()]);
  expect((await list(clerk)).map(({ rows, added }) => [rows, added])).toEqual([
    [99, 0],
    [3, 3],
  ]);
});

describe('a set', () => {
  test('a change set has the values before its first and after its last change of each row', async () => {
    const clerk = await newClerk();
    const [first, second] = await addRows('paste 1', clerk, [
      newRow({ notes: 'Rang' }),
      newRow({ customerName: 'Bob Example' }),
    ]);
    const change = (id: string, version: number, body: object) =>
      callIn('fill 2', clerk, `PATCH /deals/${id}`, { version, ...body });
    await change(second!, 1, { vehicle: 'Ute' });
    await change(first!, 1, { notes: 'Rang back' });
    await change(first!, 2, { notes: 'Met', dealershipId: valley });
    const [set] = await list(clerk, '?kind=fill');
    const { body } = await get(set!._id, clerk);
    expect(body).toMatchObject({ total: 2, hidden: 0, page: 1, totalPages: 1, changeSet: set });
    expect(body.items).toMatchObject([
      { _id: second, customerName: 'Bob Example', dealershipName: 'Harbour Cars', month, isDeleted: false },
      { _id: first, customerName: 'Ann Example', dealershipName: 'Valley Cars', actions: ['updated'] },
    ]);
    expect(body.items[0].changes).toEqual([{ field: 'vehicle', before: null, after: 'Ute' }]);
    expect(body.items[1].changes).toEqual(
      expect.arrayContaining([
        { field: 'notes', before: 'Rang', after: 'Met' },
        { field: 'dealershipId', before: 'Harbour Cars', after: 'Valley Cars' },
      ]),
    );
  });

  test('a change set leaves out values that were changed back, and rows that another user has deleted', async () => {
    const clerk = await newClerk();
    const [id, gone] = await addRows('paste 1', clerk, [newRow({ notes: 'Rang' }), newRow()]);
    for (const [version, notes] of [
      [1, 'Met'],
      [2, 'Rang'],
    ])
      await callIn('fill 2', clerk, `PATCH /deals/${id}`, { version, notes, vehicle: `Ute ${version}` });
    await callIn('bulk 3', admin, 'POST /deals/bulk/delete', { ids: [gone] });
    const [fill, paste] = await list(clerk);
    expect((await get(fill!._id, clerk)).body.items[0].changes).toEqual([
      { field: 'vehicle', before: null, after: 'Ute 2' },
    ]);
    expect((await get(paste!._id, clerk)).body).toMatchObject({ total: 1, hidden: 1 });
    expect((await get(paste!._id, admin)).body).toMatchObject({ total: 2, hidden: 0 });
  });

  test('a change set keeps its deleted rows, and is returned in pages', async () => {
    const clerk = await newClerk();
    const ids = await addRows('paste 1', clerk, [newRow(), newRow(), newRow()]);
    await callIn('bulk 2', clerk, 'POST /deals/bulk/delete', { ids });
    const [removal] = await list(clerk);
    const rows: ChangedRow[] = [];
    for (const page of [1, 2]) {
      const { body } = await get(removal!._id, clerk, `?page=${page}&limit=2`);
      expect(body).toMatchObject({ total: 3, totalPages: 2, page });
      rows.push(...body.items);
    }
    expect(rows.map(({ _id }) => _id).toSorted()).toEqual(ids.toSorted());
    expect(rows).toMatchObject(ids.map(() => ({ isDeleted: true, actions: ['deleted'], changes: [] })));
  });

  test('a change set is not found by others, and hides rows and columns that its user no longer sees', async () => {
    const clerk = await newClerk();
    await addRows('paste 1', clerk, [
      newRow({ notes: 'Rang', saleAmount: 4711 }),
      newRow({ dealershipId: valley, customerName: 'Hidden Example' }),
    ]);
    const [set] = await list(clerk);
    expect((await get(set!._id, await newClerk())).status).toBe(404);
    expect((await get(ABSENT_ID, admin)).status).toBe(404);
    expect((await get(set!._id, admin)).body).toMatchObject({ total: 2, hidden: 0 });
    await server.call(`PUT /permissions/user/${clerk.id}`, {
      token: admin.token,
      body: {
        dataEntry: {
          columnVisibility: {
            viewAllColumns: false,
            visibleColumns: ['notes'],
            restrictedDealerships: [valley],
          },
        },
      },
    });
    const { body } = await get(set!._id, clerk);
    expect(body).toMatchObject({ total: 1, hidden: 1, changeSet: { rows: 2 } });
    expect(JSON.stringify(body)).not.toMatch(/Hidden|Ann|4711|Valley|Harbour/);
    expect(body.items[0].changes).toContainEqual({ field: 'notes', before: null, after: 'Rang' });
  });

  test('a change set counts rows that were removed for good as hidden', async () => {
    const clerk = await newClerk();
    const [id] = await addRows('paste 1', clerk, [newRow(), newRow()]);
    await sql`delete from deals where id = ${id}`.execute(server.db);
    const [set] = await list(clerk);
    expect((await get(set!._id, clerk)).body).toMatchObject({ total: 1, hidden: 1 });
  });
});

test('a set of 10,000 rows is opened', async () => {
  const clerk = await newClerk();
  const rows = Array.from({ length: 10_000 }, () => newRow().deal);
  expect((await callIn('import 1', clerk, 'POST /deals/import', { rows })).status).toBe(201);
  const [set] = await list(clerk);
  expect(set).toMatchObject({
    title: `Imported 10,000 rows into ${monthInWords}`,
    rows: 10_000,
    added: 10_000,
  });
  const { body } = await get(set!._id, clerk, '?page=100');
  expect([body.total, body.items.length]).toEqual([10_000, 100]);
});

test('the audit log is sealed and verified with the change set of an entry', async () => {
  const clerk = await newClerk();
  await addRows('paste 1', clerk, [newRow()]);
  const verify = async () => (await server.call('GET /audit-logs/verify', { token: admin.token })).body;
  await expect.poll(async () => (await verify()).unsealed, { timeout: 30_000 }).toBe(0);
  expect((await verify()).problems).toEqual([]);
  await sql`alter table audit_entries disable trigger user`.execute(server.db);
  await sql`update audit_entries set change_set_id = ${ABSENT_ID} where actor_id = ${clerk.id}`.execute(
    server.db,
  );
  expect((await verify()).problems).toMatchObject([{ kind: 'changed' }]);
});
