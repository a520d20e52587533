import {
  customFieldTypes,
  MAX_ALL_CUSTOM_FIELDS,
  MAX_CUSTOM_FIELDS,
} from '@forecourt/contract/custom-field-types';
import type { CustomField } from '@forecourt/contract/custom-fields';
import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { ABSENT_ID, addDealership, newestAudit } from '../../../test/builders.ts';
import { openLiveStream, readUntil } from '../../../test/live-stream.ts';

const server = await testApp();
const url = await server.app.listen({ port: 0 });
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk' });
beforeEach(() => server.db.deleteFrom('custom_fields').execute());
afterAll(() => server.close());

let count = 0;
const field = (changes: object = {}) => ({ name: `Field ${(count += 1)}`, type: 'text', ...changes });
const call = (route: string, by: Person, body?: object) => server.call(route, { token: by.token, body });
const list = async (): Promise<CustomField[]> => (await call('GET /custom-fields', admin)).body.items;
const get = (id: string, by = admin) => call(`GET /custom-fields/${id}`, by);
const post = (body: object, by = admin) => call('POST /custom-fields', by, body);
const put = (id: string, body: object, by = admin) => call(`PUT /custom-fields/${id}`, by, body);
const reorder = (ids: string[], by = admin) => call('POST /custom-fields/reorder', by, { ids });

async function add(changes: object = {}): Promise<CustomField> {
  const { status, body } = await post(field(changes));
  expect([status, body]).toMatchObject([201, {}]);
  return body;
}
const select = (names: string[], changes: object = {}) =>
  add({ type: 'select', options: names.map((name) => ({ name })), ...changes });

/** Inserts fields directly, with keys from `custom100`. */
const insertMany = (number: number, active: boolean) =>
  sql`insert into custom_fields
    (id, key, name, type, help, options, is_required, visible_to, editable_by, active, position)
    select gen_random_uuid(), 'custom' || n, ${active ? 'Used ' : 'Retired '} || n, 'text', '', '[]', false, 'everybody',
      'everybody', ${active}, n
    from generate_series(100::int, 99 + ${number}::int) as n`.execute(server.db);

const expectRejected = (reply: object, errors: object) =>
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', errors } });

describe('custom fields', () => {
  test('custom fields require a session and an administrator', async () => {
    const own = await add();
    const routes: [string, object?][] = [
      ['GET /custom-fields'],
      [`GET /custom-fields/${own._id}`],
      ['POST /custom-fields', field()],
      [`PUT /custom-fields/${own._id}`, field()],
      ['POST /custom-fields/reorder', { ids: [own._id] }],
    ];
    for (const [route, body] of routes) {
      expect((await server.call(route, { body })).status, route).toBe(401);
      expect(await call(route, clerk, body), route).toMatchObject({
        status: 403,
        body: { code: 'ADMIN_REQUIRED' },
      });
    }
    expect((await get(ABSENT_ID)).status).toBe(404);
    expect((await put(ABSENT_ID, field())).status).toBe(404);
    expect(await list()).toEqual([own]);
  });

  test('custom fields are listed in their order, including retired ones', async () => {
    const first = await add();
    const retired = await add({ active: false });
    const last = await add();
    expect((await list()).map(({ _id, active }) => [_id, active])).toEqual([
      [first._id, true],
      [retired._id, false],
      [last._id, true],
    ]);
  });
});

describe('adding a custom field', () => {
  test.each([
    [{ name: ' ' }, { name: 'Field name is required' }],
    [{ name: 'x'.repeat(61) }, { name: 'Must be at most 60 characters' }],
    [{ help: 'x'.repeat(201) }, { help: 'Must be at most 200 characters' }],
    [{ type: 'colour' }, { type: expect.any(String) }],
    [{ options: [{ name: 'A' }] }, { options: 'Only a select or multi-select has options' }],
    [{ type: 'select' }, { options: 'Add at least one option' }],
    [{ type: 'multiSelect', options: [{ name: ' ' }] }, { 'options.0.name': 'Option name is required' }],
    [
      { type: 'select', options: [{ name: 'Red' }, { name: 'Blue' }, { name: 'RED' }] },
      { 'options.2.name': 'There is already an option with this name' },
    ],
    [{ type: 'select', options: [{ id: 'o1', name: 'A' }] }, { options: expect.any(String) }],
    [
      { type: 'select', options: Array.from({ length: 101 }, (_, n) => ({ name: `${n}` })) },
      { options: 'A field has at most 100 options' },
    ],
    [{ type: 'checkbox', isRequired: true }, { isRequired: expect.stringMatching(/^A checkbox cannot be/) }],
    [{ type: 'number', defaultValue: 'many' }, { defaultValue: 'Must be a number' }],
    [{ type: 'date', defaultValue: '20.11.2026' }, { defaultValue: 'Must be a date such as 2026-11-20' }],
    [
      { type: 'select', options: [{ name: 'A' }], defaultValue: 'o2' },
      { defaultValue: 'Choose one of the options' },
    ],
    [
      { type: 'select', options: [{ name: 'A', active: false }], defaultValue: 'o1' },
      { defaultValue: 'Choose one of the options' },
    ],
    [{ type: 'person', defaultValue: ABSENT_ID }, { defaultValue: 'A person cannot be the default' }],
  ])('adding a custom field rejects %j', async (changes, errors) => {
    expectRejected(await post(field(changes)), errors);
    expect(await list()).toEqual([]);
  });

  test('adding a custom field appends it with the next key, and is audited', async () => {
    const options = [{ name: ' Petrol ' }, { name: 'Diesel', active: false }];
    const input = {
      name: ' Fuel ',
      type: 'multiSelect',
      help: 'Of the car',
      options,
      defaultValue: ['o1', 'o1'],
    };
    const { status, body } = await post({ ...input, isRequired: true, editableBy: 'administrators' });
    expect(status).toBe(201);
    const after = {
      key: 'custom1',
      name: 'Fuel',
      type: 'multiSelect',
      help: 'Of the car',
      options: [
        { id: 'o1', name: 'Petrol', active: true },
        { id: 'o2', name: 'Diesel', active: false },
      ],
      isRequired: true,
      defaultValue: ['o1'],
      visibleTo: 'everybody',
      editableBy: 'administrators',
      active: true,
    };
    expect(body).toMatchObject({ ...after, order: 1, version: 1 });
    expect(await newestAudit(server, body._id)).toMatchObject({
      action: 'custom-field.created',
      actor_id: admin.id,
      version: 1,
      after,
    });
    expect(await add()).toMatchObject({ key: 'custom2', order: 2, defaultValue: null });
    expect((await get(body._id)).body).toEqual(body);
  });

  test.each(customFieldTypes)('adding a custom field accepts the type %s', async (type) => {
    const options = /select/i.test(type) ? [{ name: 'A' }] : [];
    expect(await add({ type, options })).toMatchObject({ type, isRequired: false, active: true });
  });

  test('adding a custom field rejects a name that another field has in any case, also a retired one', async () => {
    const { name } = await add();
    const retired = await add({ active: false });
    expect(await list()).toHaveLength(2);
    for (const taken of [name, retired.name]) {
      expectRejected(await post(field({ name: taken.toUpperCase() })), {
        name: 'There is already a field with this name, perhaps a retired one',
      });
    }
  });

  test('adding a custom field rejects the name of a built-in column; a field that has one already can be retired or renamed', async () => {
    const taken = { name: 'A built-in column of deals has this name' };
    expectRejected(await post(field({ name: 'PHONE' })), taken);
    const { _id: id, type } = await add();
    expectRejected(await put(id, { name: 'Delivery date', type }), taken);
    await server.db.updateTable('custom_fields').set({ name: 'Phone' }).where('id', '=', id).execute();
    expect((await put(id, { name: 'Phone', type, active: false })).status).toBe(200);
    expect((await put(id, { name: 'Mobile', type })).status).toBe(200);
  });

  test('adding a custom field never uses a key twice, also by two requests at once', async () => {
    const made = await Promise.all([add(), add(), add(), add()]);
    expect(made.map(({ key }) => key).toSorted()).toEqual(['custom1', 'custom2', 'custom3', 'custom4']);
    expect(new Set(made.map(({ order }) => order)).size).toBe(4);
  });

  test(`adding a custom field is refused above ${MAX_CUSTOM_FIELDS} fields in use, and ${MAX_ALL_CUSTOM_FIELDS} in all`, async () => {
    await insertMany(MAX_CUSTOM_FIELDS - 1, true);
    await add();
    const full = { code: 'CONFLICT', message: '50 fields are in use already. Retire one first.' };
    expect(await post(field())).toMatchObject({ status: 409, body: full });
    const retired = await add({ active: false });
    expect(await put(retired._id, { ...retired, active: true })).toMatchObject({ status: 409, body: full });
    // The limit of fields is reached, but each field can still be edited.
    expect((await put(retired._id, { ...retired, name: 'Other' })).status).toBe(200);
    const [used] = await list();
    expect((await put(used!._id, { ...used, active: false })).status).toBe(200);
    expect((await put(retired._id, { ...retired, version: 2, active: true })).status).toBe(200);

    await server.db.deleteFrom('custom_fields').execute();
    await insertMany(MAX_ALL_CUSTOM_FIELDS, false);
    const [old] = await list();
    expect((await put(old!._id, { ...old, active: true })).status).toBe(200);
    expect(await post(field({ active: false }))).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^There are 200 fields already, including retired ones/) },
    });
  });
});

describe('changing a custom field', () => {
  test('changing a custom field changes everything but key and type, and is audited', async () => {
    const own = await add({ help: 'Old' });
    const updated_at = '2026-01-01T00:00:00.000Z';
    await server.db.updateTable('custom_fields').set({ updated_at }).where('id', '=', own._id).execute();
    const changes = {
      name: 'Renamed',
      type: 'text',
      isRequired: true,
      defaultValue: 'x',
      visibleTo: 'administrators',
      help: '',
    };
    const { status, body } = await put(own._id, { ...changes, version: 1 });
    expect([status, body]).toMatchObject([200, { ...changes, key: own.key, version: 2 }]);
    expect(body.updatedAt).not.toBe(updated_at);
    expect(await newestAudit(server, own._id)).toMatchObject({
      action: 'custom-field.updated',
      actor_id: admin.id,
      version: 2,
      before: { key: own.key, name: own.name, help: 'Old', isRequired: false, visibleTo: 'everybody' },
      after: { key: own.key, name: 'Renamed', help: '', isRequired: true, visibleTo: 'administrators' },
    });
  });

  test('changing a custom field with the response of GET changes nothing', async () => {
    const own = await select(['A', 'B'], { defaultValue: 'o2' });
    expect((await put(own._id, own)).body).toEqual(own);
  });

  test('changing a custom field to another type is refused', async () => {
    const own = await add();
    expectRejected(await put(own._id, { ...own, type: 'number' }), {
      type: 'The type of a field cannot be changed',
    });
    expect((await get(own._id)).body).toEqual(own);
  });

  test('changing a custom field from an outdated version returns 409 with the current field', async () => {
    const own = await add();
    await put(own._id, field({ version: 1 }));
    expect(await put(own._id, field({ version: 1 }))).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', current: { _id: own._id, version: 2 } },
    });
  });

  test('changing a custom field renames, orders, deactivates and adds options; a saved one stays and no id is used twice', async () => {
    const own = await select(['A', 'B']);
    const [a, b] = own.options;
    const { body } = await put(own._id, {
      ...own,
      options: [{ name: 'C' }, { ...b, name: 'Bee' }, { ...a, active: false }],
    });
    const options = [
      { id: 'o3', name: 'C', active: true },
      { id: 'o2', name: 'Bee', active: true },
      { id: 'o1', name: 'A', active: false },
    ];
    expect(body.options).toEqual(options);
    for (const wrong of [
      options.slice(1),
      // The inactive one.
      options.slice(0, 2),
      [],
      [...options, { id: 'o9', name: 'X' }],
      [...options, options[0]],
    ]) {
      expectRejected(await put(own._id, { ...body, options: wrong }), { options: expect.any(String) });
    }
    expectRejected(await put(own._id, { ...body, options: options.slice(1) }), {
      options: 'A saved option cannot be removed. Deactivate it instead.',
    });
    expect((await get(own._id)).body).toEqual(body);
  });

  test('changing a custom field refuses to deactivate the default option', async () => {
    const own = await select(['A', 'B'], { defaultValue: 'o2' });
    const options = own.options.map((option) => ({ ...option, active: option.id === 'o1' }));
    expectRejected(await put(own._id, { ...own, options }), { defaultValue: 'Choose one of the options' });
    expect((await put(own._id, { ...own, options, defaultValue: 'o1' })).status).toBe(200);
  });

  test('changing a custom field keeps what is omitted, so that a new name opens no field of administrators', async () => {
    const closed = { visibleTo: 'administrators', editableBy: 'administrators', help: 'Help' };
    const own = await select(['A', 'B'], { ...closed, isRequired: true, defaultValue: 'o2' });
    const { _id, type, version: _v, updatedAt: _at, ...others } = own;
    const renamed = await put(_id, { name: `${own.name} again`, type });
    expect(renamed.body).toMatchObject({ ...others, name: `${own.name} again`, version: 2 });
    const retired = await put(_id, { name: own.name, type, active: false });
    expect(retired.body).toMatchObject({ ...others, active: false });
    expect((await put(_id, { name: own.name, type, help: 'New' })).body).toMatchObject({
      ...others,
      help: 'New',
      active: false,
    });
  });

  test('changing a custom field retires it with all its properties, and reinstates it', async () => {
    const own = await select(['A'], { help: 'Help', isRequired: true, defaultValue: 'o1' });
    const retired = (await put(own._id, { ...own, active: false })).body;
    expect(retired).toMatchObject({ ...own, active: false, version: 2, updatedAt: expect.any(String) });
    const back = (await put(own._id, { ...retired, active: true })).body;
    expect(back).toMatchObject({ ...own, version: 3, updatedAt: expect.any(String) });
  });
});

describe('the order of custom fields', () => {
  test('the order of custom fields requires every field once, including retired ones; moved fields get a new version', async () => {
    const [a, b, c] = [await add(), await add({ active: false }), await add()];
    expectRejected(await reorder([a._id, c._id]), { ids: expect.any(String) });
    const { body } = await reorder([b._id, a._id, c._id]);
    expect(body.items.map(({ _id, version }: CustomField) => [_id, version])).toEqual([
      [b._id, 2],
      [a._id, 2],
      [c._id, 1],
    ]);
    expect(await newestAudit(server, a._id)).toMatchObject({
      action: 'custom-field.moved',
      before: { order: 1 },
      after: { order: 2 },
    });
    const offered = async () =>
      (await call('GET /deals/options', clerk)).body.customFields.map(({ key }: CustomField) => key);
    expect(await offered()).toEqual([a.key, c.key]);
    await reorder([c._id, b._id, a._id]);
    expect(await offered()).toEqual([c.key, a.key]);
  });
});

describe('live events', () => {
  /**
   * Returns the events about custom fields that a user receives while `act` runs. A dealership marks its beginning, since
   * events of earlier changes may still come, and another one its end.
   */
  async function eventsDuring(person: Person, act: () => Promise<unknown>): Promise<string[]> {
    const { reader, stop } = await openLiveStream(url, person.token);
    const opened = await readUntil(reader, (output) => output.includes('event: permissions'));
    const reachDealership = async (before: string): Promise<string> => {
      const id = await addDealership(server, admin);
      return readUntil(reader, (text) => text.includes(id) && text.endsWith('\n\n'), before);
    };
    const before = await reachDealership(opened);
    await act();
    const output = await reachDealership(before);
    stop();
    return [...output.slice(before.length).matchAll(/^event: change\ndata: (.*)$/gm)]
      .map(([, data]) => JSON.parse(data!) as LiveEvent)
      .filter(({ entity }) => entity === 'custom-field')
      .map(({ action, version }) => `${action} ${version}`);
  }

  test('live events about a field are sent to users who see it, or saw it before the change', async () => {
    const changes: [object, seen: string[]][] = [
      [{ help: 'Seen' }, ['updated 2']],
      [{ visibleTo: 'administrators' }, ['deleted null']],
      [{ help: 'Unseen' }, []],
      [{ visibleTo: 'everybody' }, ['updated 5']],
      [{ active: false }, ['deleted null']],
      [{ help: 'Unseen as well' }, []],
    ];
    const change = async (id: string, changed: object) => {
      const { version, ...current } = (await get(id)).body;
      expect((await put(id, { ...current, ...changed })).body.version).toBe(version + 1);
    };
    const act = async () => {
      const { _id } = await add();
      for (const [changed] of changes) await change(_id, changed);
    };
    const restricted = await server.person();
    const columnVisibility = { viewAllColumns: false, visibleColumns: ['notes'] };
    await call(`PUT /permissions/user/${restricted.id}`, admin, { dataEntry: { columnVisibility } });
    const pageless = await server.person({
      permissions: {
        pages: { dataEntry: false, dealerships: true },
        dealershipConfiguration: { viewDealerships: true },
      },
    });
    expect((await eventsDuring(admin, act)).length).toBe(7);
    for (const person of [restricted, pageless]) expect(await eventsDuring(person, act)).toEqual([]);
    const { _id } = await add();
    for (const [changed, seen] of changes)
      expect(await eventsDuring(clerk, () => change(_id, changed)), JSON.stringify(changed)).toEqual(seen);
  });
});
