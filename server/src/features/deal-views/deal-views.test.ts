import { readFile } from 'node:fs/promises';
import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { blockWrites, countWaiting } from '../../../test/block-inserts.ts';
import { ABSENT_ID, addDealership, newestAudit } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';

const CALLED = '01930000-0000-7000-8000-000000000002';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const owner = await server.person({ name: 'Ola Owner' });
const clerk = await server.person({ name: 'Cleo Clerk' });
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const column = (name: string, changes: object = {}) => ({
  column: name,
  shown: true,
  width: null,
  pinned: null,
  ...changes,
});
const anyOf = (field: string, ...value: string[]) => ({ field, operator: 'isAnyOf', value });
const filterBy = (...conditions: object[]) => ({ match: 'all', conditions });
let count = 0;
const view = (changes: object = {}) => ({
  name: `View ${(count += 1)}`,
  shared: false,
  filter: filterBy(anyOf('status', CALLED), {
    match: 'any',
    conditions: [anyOf('dealershipId', dealershipId), anyOf('owner', clerk.id)],
  }),
  sort: { column: 'saleAmount', direction: 'descending' },
  columns: [column('customerName', { pinned: 'left' }), column('saleAmount', { width: 90 }), column('notes')],
  ...changes,
});
const call = (route: string, by: Person, body?: object) => server.call(route, { token: by.token, body });
const post = (body: object, by = owner) => call('POST /deal-views', by, body);
const put = (id: string, body: object, by = owner) => call(`PUT /deal-views/${id}`, by, body);
const get = (id: string, by = owner) => call(`GET /deal-views/${id}`, by);
const remove = (id: string, by = owner) => call(`DELETE /deal-views/${id}`, by);
const add = async (changes: object = {}, by = owner) => {
  const reply = await post(view(changes), by);
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
  return reply.body;
};
const namesFor = async (by: Person) =>
  (await call('GET /deal-views', by)).body.items.map(({ name }: { name: string }) => name);

/** A user with these columns only. */
const blinkered = (columnVisibility: object) =>
  server.person({ permissions: { dataEntry: { columnVisibility } as never } });

describe('saving a view', () => {
  test.each([
    [{ name: ' ' }, { name: 'View name is required' }],
    [{ name: 'x'.repeat(61) }, { name: 'Must be at most 60 characters' }],
    [{ shared: 'yes' }, { shared: expect.any(String) }],
    [{ owner: ABSENT_ID, sort: { column: 'password' } }, { 'sort.column': expect.any(String) }],
    [{ sort: { column: 'status', direction: 'ascending' } }, { 'sort.column': expect.any(String) }],
    [
      { sort: { column: 'status', firstStatusId: ABSENT_ID } },
      { sort: expect.stringContaining('not exist') },
    ],
    [
      { filter: filterBy(anyOf('dealershipId', ABSENT_ID)) },
      { filter: expect.stringContaining('not exist') },
    ],
    [{ filter: filterBy(anyOf('owner', ABSENT_ID)) }, { filter: expect.stringContaining('not exist') }],
    [{ filter: filterBy() }, { 'filter.conditions': expect.any(String) }],
    [{ group: 'notes' }, { group: expect.any(String) }],
    // Longer than an address can be, in which the screen has it.
    [
      {
        filter: filterBy(
          ...Array.from({ length: 5 }, () => ({ field: 'notes', operator: 'is', value: '雷'.repeat(190) })),
        ),
      },
      { filter: expect.stringContaining('too long') },
    ],
    [{ columns: [column('notes'), column('notes')] }, { columns: 'Each column can be named once' }],
    [{ columns: [column('notes', { width: 20 })] }, { 'columns.0.width': expect.any(String) }],
  ])('saving a view rejects %j', async (changes, errors) => {
    expect(await post(view(changes))).toMatchObject({ status: 400, body: { errors } });
  });

  test('names are unique among own views, ignoring case', async () => {
    await add({ name: 'My calls' });
    expect(await post(view({ name: 'MY CALLS' }))).toMatchObject({
      status: 400,
      body: { errors: { name: 'There is already a view with this name' } },
    });
    await add({ name: 'My calls' }, clerk);
  });

  test('saving a view stores filter, sort and columns unchanged, and is audited', async () => {
    const body = view({ sort: { column: 'status', firstStatusId: CALLED } });
    const saved = (await post(body)).body;
    expect(saved).toMatchObject({
      ...body,
      owner: owner.id,
      ownerName: 'Ola Owner',
      version: 1,
      abilities: { edit: true, delete: true },
    });
    expect((await get(saved._id)).body).toEqual(saved);
    expect(await newestAudit(server, saved._id)).toMatchObject({
      action: 'deal-view.created',
      actor_id: owner.id,
      after: body,
    });
  });
});

test('the filters of an earlier release become conditions', async () => {
  const migration = await readFile(
    new URL('../../../migrations/0048_view_filters.sql', import.meta.url),
    'utf8',
  );
  const saved = await add();
  const filterAfter = async (filters: object) => {
    const { sort, columns } = saved;
    await server.db
      .updateTable('deal_views')
      .set({ arrangement: JSON.stringify({ filters, sort, columns }) })
      .where('id', '=', saved._id)
      .execute();
    await server.db.transaction().execute(async (tx) => {
      // Other views have a filter already.
      await tx.deleteFrom('deal_views').where('id', '<>', saved._id).execute();
      await sql.raw(migration).execute(tx);
    });
    const { body } = await get(saved._id);
    expect(body).toMatchObject({ sort, columns });
    return body.filter;
  };
  expect(await filterAfter({ statusId: CALLED, dealershipId: null, ownerId: clerk.id })).toEqual(
    filterBy(anyOf('status', CALLED), anyOf('owner', clerk.id)),
  );
  // From before the owner filter existed.
  expect(await filterAfter({ statusId: null, dealershipId })).toEqual(
    filterBy(anyOf('dealershipId', dealershipId)),
  );
  expect(await filterAfter({ statusId: null, dealershipId: null, ownerId: null })).toBe(null);
});

test('a user has 200 views at most, shared ones and others, also in calls at once', async () => {
  const maker = await server.person();
  const arrangement = JSON.stringify({ filter: null, sort: null, group: null, columns: [] });
  await sql`insert into deal_views (id, owner_id, name, is_shared, arrangement)
    select gen_random_uuid(), ${maker.id}, 'Many ' || n, n % 2 = 0, ${arrangement}::jsonb
    from generate_series(1, 199) as n`.execute(server.db);
  const event = sql`insert on deal_views for each row`;
  const calls = await blockWrites(server.db, 'hold_views', event, async (untilBlocked) => {
    const first = post(view(), maker);
    await untilBlocked();
    const second = post(view({ shared: true }), maker);
    await expect.poll(() => countWaiting(server.db)).toBe(2);
    return [first, second];
  });
  const full = {
    status: 400,
    body: { errors: { name: 'You have 200 views already. Delete one first.' } },
  };
  expect(await Promise.all(calls)).toMatchObject([{ status: 201 }, full]);
  expect(await post(view(), maker)).toMatchObject(full);
  await add();
  await server.db.deleteFrom('deal_views').where('owner_id', '=', maker.id).execute();
});

describe('viewing', () => {
  test('the list of views shows private ones to their owner, shared ones to all users with the page', async () => {
    const [own, shared] = [await add(), await add({ shared: true })];
    expect(await namesFor(owner)).toEqual(expect.arrayContaining([own.name, shared.name]));
    for (const by of [clerk, admin]) {
      const names = await namesFor(by);
      expect(names).toContain(shared.name);
      expect(names).not.toContain(own.name);
      expect((await get(own._id, by)).status).toBe(404);
    }
    expect((await get(shared._id, clerk)).body.abilities).toEqual({
      edit: 'NOT_VIEW_OWNER',
      delete: 'NOT_VIEW_OWNER',
    });
  });

  test('the list of views omits columns hidden from the viewer in every part', async () => {
    const shared = await add({ shared: true, sort: { column: 'saleAmount', direction: 'ascending' } });
    const narrow = await blinkered({ viewAllColumns: false, visibleColumns: ['notes', 'dealershipId'] });
    const { body } = await get(shared._id, narrow);
    expect(body).toMatchObject({
      filter: filterBy({ match: 'any', conditions: [anyOf('dealershipId', dealershipId)] }),
      sort: null,
      columns: [column('notes')],
    });
    expect(JSON.stringify(body)).not.toMatch(/saleAmount|customerName/);
    expect(JSON.stringify(body)).not.toContain(clerk.id);
  });

  test('the list of views omits restricted statuses and dealerships', async () => {
    const shared = await add({ shared: true, sort: { column: 'status', firstStatusId: CALLED } });
    const barred = await blinkered({ restrictedDealerships: [dealershipId], restrictedStatuses: [CALLED] });
    const nothing = {
      filter: filterBy({ match: 'any', conditions: [anyOf('owner', clerk.id)] }),
      sort: null,
    };
    expect((await get(shared._id, barred)).body).toMatchObject(nothing);
    expect(await post(view(), barred)).toMatchObject({
      status: 400,
      body: { errors: { filter: expect.any(String) } },
    });
  });
});

describe('the columns of custom fields', () => {
  const addField = async (changes: object = {}) => {
    const name = `Field ${(count += 1)}`;
    const reply = await call('POST /custom-fields', admin, { name, type: 'number', ...changes });
    expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 201 });
    return reply.body;
  };
  const withField = (key: string) => ({
    shared: true,
    sort: { column: key, direction: 'descending' },
    columns: [column('notes'), column(key, { width: 90 })],
  });
  const withoutField = { sort: null, columns: [column('notes')] };

  test('the columns of custom fields are stored by key, and omitted for users who may not see the field', async () => {
    const { key } = await addField({ visibleTo: 'administrators' });
    const shared = await add(withField(key), admin);
    expect(shared).toMatchObject(withField(key));
    const { body } = await get(shared._id, clerk);
    expect(body).toMatchObject(withoutField);
    expect(JSON.stringify(body)).not.toContain(key);
    expect(await post(view(withField(key)), clerk)).toMatchObject({
      status: 400,
      body: { errors: { columns: 'This names something that does not exist' } },
    });
    // A permission record hides it too.
    const { key: open } = await addField();
    const other = await add(withField(open), admin);
    const narrow = await blinkered({ viewAllColumns: false, visibleColumns: ['notes'] });
    expect((await get(other._id, narrow)).body).toMatchObject(withoutField);
    expect((await get(other._id, clerk)).body).toMatchObject(withField(open));
  });

  test('the columns of custom fields are omitted while the field is retired, and stay when the view is changed meanwhile', async () => {
    const { _id, key, order: _o, createdAt: _c, updatedAt: _u, ...field } = await addField();
    const shared = await add(withField(key), admin);
    const setActive = (active: boolean) =>
      call(`PUT /custom-fields/${_id}`, admin, { ...field, version: undefined, active });
    await setActive(false);
    expect((await get(shared._id, admin)).body).toMatchObject(withoutField);
    const body = { ...view(), ...withoutField, shared: true, columns: [column('notes', { shown: false })] };
    expect((await put(shared._id, body, admin)).status).toBe(200);
    await setActive(true);
    expect((await get(shared._id, admin)).body).toMatchObject({
      sort: withField(key).sort,
      columns: [column('notes', { shown: false }), column(key, { width: 90 })],
    });
  });
});

describe('the group of a view', () => {
  test('the group of a view is stored; views saved before there were groups have none', async () => {
    const grouped = await add({ group: 'emailState' });
    expect((await get(grouped._id)).body.group).toBe('emailState');
    await sql`
      update deal_views set arrangement = arrangement - 'group' where id = ${grouped._id}`.execute(server.db);
    const { body } = await get(grouped._id);
    expect(body.group).toBeNull();
    expect((await put(grouped._id, body)).body.version).toBe(1);
    expect((await put(grouped._id, { ...body, group: 'owner' })).body).toMatchObject({
      group: 'owner',
      version: 2,
    });
  });

  test('the group of a view by a hidden column is absent, cannot be set, and stays when another part is changed', async () => {
    const narrow = await blinkered({ viewAllColumns: false, visibleColumns: ['notes'] });
    const shared = await add({ shared: true, group: 'lastEmailedAt', filter: null, sort: null });
    expect((await get(shared._id, narrow)).body.group).toBeNull();
    const own = { filter: null, sort: null, columns: [] };
    expect(await post(view({ ...own, group: 'emailState' }), narrow)).toMatchObject({
      status: 400,
      body: { errors: { group: 'This names something that does not exist' } },
    });
    expect((await post(view({ ...own, group: 'createdAt' }), narrow)).status).toBe(201);
    await server.db
      .updateTable('deal_views')
      .set({ owner_id: narrow.id })
      .where('id', '=', shared._id)
      .execute();
    await put(shared._id, { ...(await get(shared._id, narrow)).body, name: 'Renamed by another' }, narrow);
    expect((await get(shared._id, admin)).body).toMatchObject({
      group: 'lastEmailedAt',
      name: 'Renamed by another',
    });
  });
});

describe('a custom field in a view', () => {
  const addField = async (changes: object) => (await call('POST /custom-fields', admin, { ...changes })).body;
  const own = { filter: null, sort: null, columns: [] };

  test('a custom field in a view is a condition and the group, as its type allows', async () => {
    const { key } = await addField({ name: 'Finance', type: 'select', options: [{ name: 'Loan' }] });
    const { key: text } = await addField({ name: 'Colour', type: 'text' });
    const custom = { ...own, filter: filterBy(anyOf(key, 'o1')), group: key };
    expect((await add(custom)).filter).toEqual(custom.filter);
    for (const [part, field] of [
      [{ group: text }, 'group'],
      [{ group: 'custom999' }, 'group'],
      [{ filter: filterBy(anyOf(text, 'o1')) }, 'filter'],
      [{ filter: filterBy(anyOf('custom999', 'o1')) }, 'filter'],
    ] as const)
      expect(await post(view({ ...own, ...part })), field).toMatchObject({
        status: 400,
        body: { errors: { [field]: 'This names something that does not exist' } },
      });
  });

  test('a custom field in a view that is hidden is absent, and stays when another part is changed', async () => {
    const { key } = await addField({ name: 'Margin', type: 'checkbox', visibleTo: 'administrators' });
    const filter = filterBy({ field: key, operator: 'isTrue' });
    const shared = await add({ ...own, shared: true, filter, group: key }, admin);
    expect((await get(shared._id, clerk)).body).toMatchObject({ filter: null, group: null });
    await server.db
      .updateTable('deal_views')
      .set({ owner_id: clerk.id })
      .where('id', '=', shared._id)
      .execute();
    await put(shared._id, { ...(await get(shared._id, clerk)).body, name: 'With another name' }, clerk);
    expect((await get(shared._id, admin)).body).toMatchObject({ filter, group: key });
  });
});

describe('changing a view', () => {
  test('changing a view is for its owner and administrators', async () => {
    const shared = await add({ shared: true });
    expect(await put(shared._id, view(), clerk)).toMatchObject({
      status: 403,
      body: { details: 'NOT_VIEW_OWNER' },
    });
    expect((await remove(shared._id, clerk)).status).toBe(403);
    expect((await put((await add())._id, view(), clerk)).status).toBe(404);
    expect((await put(shared._id, view({ shared: true, name: 'Put right' }), admin)).body).toMatchObject({
      name: 'Put right',
      owner: owner.id,
    });
    expect((await put(shared._id, view({ name: 'Not for all' }), admin)).body.shared).toBe(false);
    expect((await get(shared._id, admin)).status).toBe(404);
  });

  test('the response of GET can be sent back and changes nothing, also by a viewer of a part of it', async () => {
    const narrow = await blinkered({ viewAllColumns: false, visibleColumns: ['notes'] });
    expect(await post(view(), narrow)).toMatchObject({
      status: 400,
      body: { errors: { columns: expect.any(String) } },
    });
    const shared = await add({ shared: true });
    expect((await put(shared._id, shared)).body).toEqual(shared);
    await server.db
      .updateTable('deal_views')
      .set({ owner_id: narrow.id })
      .where('id', '=', shared._id)
      .execute();
    expect((await put(shared._id, (await get(shared._id, narrow)).body, narrow)).body.version).toBe(1);
    const changed = {
      ...(await get(shared._id, narrow)).body,
      name: 'Renamed',
      columns: [column('notes', { width: 300 })],
    };
    await put(shared._id, changed, narrow);
    expect((await get(shared._id, admin)).body).toMatchObject({
      name: 'Renamed',
      filter: shared.filter,
      sort: shared.sort,
      columns: [column('notes', { width: 300 }), ...shared.columns.slice(0, 2)],
    });
  });

  test('changing a view increments the version; an outdated one returns 409 with the current view; both are audited', async () => {
    const own = await add();
    const { body } = await put(own._id, { ...own, name: 'New name', version: 1 });
    expect(body).toMatchObject({ version: 2, name: 'New name' });
    expect(await put(own._id, { ...own, version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { version: 2, name: 'New name' } },
    });
    expect(await newestAudit(server, own._id)).toMatchObject({
      action: 'deal-view.updated',
      before: { name: own.name },
      after: { name: 'New name' },
    });
    expect((await remove(own._id)).status).toBe(204);
    expect((await get(own._id)).status).toBe(404);
    expect(await newestAudit(server, own._id)).toMatchObject({
      action: 'deal-view.deleted',
      before: { owner: owner.id, name: 'New name' },
      after: null,
    });
  });

  test('changing a view removes its filter, sort and group', async () => {
    const own = await add({ group: 'owner' });
    const nothing = { filter: null, sort: null, group: null };
    expect((await put(own._id, { ...own, ...nothing })).body).toMatchObject({ ...nothing, version: 2 });
    expect((await get(own._id)).body).toMatchObject(nothing);
  });

  test('changing a view rejects what does not exist for the writer', async () => {
    const own = await add();
    const filter = filterBy(anyOf('dealershipId', ABSENT_ID));
    expect(await put(own._id, { ...own, filter })).toMatchObject({
      status: 400,
      body: { errors: { filter: 'This names something that does not exist' } },
    });
  });

  test('changing a view rejects the name of another own view', async () => {
    const [first, second] = [await add(), await add()];
    expect(await put(second._id, { ...second, name: first.name })).toMatchObject({
      status: 400,
      body: { errors: { name: 'There is already a view with this name' } },
    });
  });

  test('changing a view is published to viewers’ open pages, as is its deletion', async () => {
    const url = await server.app.listen({ port: 0 });
    const pageless = await server.person({
      permissions: {
        pages: { dataEntry: false, dealerships: true },
        dealershipConfiguration: { viewDealerships: true },
      },
    });
    const streams = await Promise.all(
      [owner, clerk, pageless].map(async ({ token }) => {
        const { reader, stop } = await openLiveStream(url, token);
        return { reader, stop, text: await readUntil(reader, (text) => text.includes('event: permissions')) };
      }),
    );
    /** Everyone receives a dealership, after the events before it. */
    const receiveAll = async () => {
      const id = await addDealership(server, admin);
      const isLast = (text: string) => text.includes(id) && text.endsWith('\n\n');
      for (const stream of streams) stream.text = await readUntil(stream.reader, isLast, stream.text);
    };
    const hidden = await add();
    const shared = await add({ shared: true });
    await receiveAll();
    await remove(hidden._id);
    await put(shared._id, { ...shared, shared: false });
    await receiveAll();
    const events = streams.map(({ text }) =>
      [...text.matchAll(/^event: change\ndata: (.*)$/gm)]
        .map(([, data]) => JSON.parse(data!) as LiveEvent)
        // Events of earlier tests may come late.
        .filter(({ recordId }) => recordId === hidden._id || recordId === shared._id)
        .map(({ recordId, action }) => `${recordId === hidden._id ? 'private' : 'shared'} ${action}`),
    );
    for (const { stop } of streams) stop();
    expect(events).toEqual([
      ['private created', 'shared created', 'private deleted', 'shared updated'],
      ['shared created', 'shared deleted'],
      [],
    ]);
  });
});

describe('when the owner leaves', () => {
  test('when the owner of views leaves, shared views are transferred under a free name, and private ones are not', async () => {
    const leaver = await server.person({ name: 'Lea Leaver' });
    const newOwner = await server.person({ name: 'Hal Heir' });
    await add({ name: 'Follow ups' }, newOwner);
    const shared = await add({ name: 'Follow ups', shared: true }, leaver);
    const second = await add({ name: 'Follow ups 2', shared: true }, leaver);
    const long = await add({ name: 'x'.repeat(60), shared: true }, leaver);
    await add({ name: 'X'.repeat(60) }, newOwner);
    const own = await add({ name: 'Mine' }, leaver);
    const handing = { targetUserId: newOwner.id, reason: 'Left' };
    expect((await call(`GET /users/${leaver.id}/belongings`, admin)).body.dealViews).toBe(3);
    expect((await call(`POST /users/${leaver.id}/transfer`, admin, handing)).body.dealViews).toBe(3);
    expect((await get(shared._id, newOwner)).body).toMatchObject({
      name: 'Follow ups 2',
      owner: newOwner.id,
      version: 2,
      abilities: { edit: true },
    });
    expect((await get(second._id, newOwner)).body.name).toBe('Follow ups 2 2');
    expect((await get(long._id, newOwner)).body.name).toBe(`${'x'.repeat(58)} 2`);
    expect((await get(own._id, leaver)).body.owner).toBe(leaver.id);
    expect(await newestAudit(server, shared._id)).toMatchObject({
      action: 'deal-view.transferred',
      actor_id: admin.id,
      before: { owner: leaver.id, name: 'Follow ups' },
      after: { owner: newOwner.id, name: 'Follow ups 2', reason: 'Left' },
    });
  });
});
