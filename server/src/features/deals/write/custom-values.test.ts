import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, changePermissions, newestAudit } from '../../../../test/builders.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const permissions = { dataEntry: { canAddRows: true, canEditRows: true } };
const clerk = await server.person({ name: 'Cleo Clerk', permissions });
const dealershipId = await addDealership(server, admin, { name: 'Harbour New Cars' });
afterAll(() => server.close());

type Field = { _id: string; key: string; version: number };
let made = 0;
async function addField(type: string, changes: object = {}): Promise<Field> {
  const body = { name: `Field ${(made += 1)}`, type, ...changes };
  const reply = await server.call('POST /custom-fields', { token: admin.token, body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}
async function changeField({ _id }: Field, changes: object): Promise<void> {
  const { body } = await server.call(`GET /custom-fields/${_id}`, { token: admin.token });
  const reply = await server.call(`PUT /custom-fields/${_id}`, {
    token: admin.token,
    body: { ...body, ...changes },
  });
  expect(reply).toMatchObject({ status: 200 });
}
/** Retires the field after the test, so that the others do not see it. */
async function withField(type: string, changes: object, run: (field: Field) => Promise<void>): Promise<void> {
  const field = await addField(type, changes);
  try {
    await run(field);
  } finally {
    await changeField(field, { active: false, isRequired: false });
  }
}

const get = (person: Person, path: string) => server.call(`GET ${path}`, { token: person.token });
const patch = (id: string, body: object, by = clerk) =>
  server.call(`PATCH /deals/${id}`, { token: by.token, body });
const post = (body: object, by = clerk) =>
  server.call('POST /deals', { token: by.token, body: { dealershipId, customerName: 'Ann', ...body } });
const addRow = (changes: object = {}) => addDeal(server, clerk, dealershipId, changes);

const OPTIONS = [{ name: 'Cash' }, { name: 'Loan' }, { name: 'Lease' }];

describe('values', () => {
  test.each([
    ['text', ' Blue ', 'Blue'],
    ['longText', 'One\nTwo', 'One\nTwo'],
    ['number', 12.5, 12.5],
    ['currency', 99.95, 99.95],
    ['percent', 7.25, 7.25],
    ['date', '2026-12-01', '2026-12-01'],
    ['checkbox', true, true],
    ['select', 'o2', 'o2'],
    ['multiSelect', ['o3', 'o1'], ['o1', 'o3']],
    ['link', 'https://example.com/a', 'https://example.com/a'],
  ])(
    'custom values of type %s are stored in new and changed rows, listed, recorded and removed',
    async (type, given, stored) => {
      const options = type.toLowerCase().endsWith('select') ? OPTIONS : [];
      await withField(type, { options }, async ({ key }) => {
        const added = await post({ custom: { [key]: given } });
        expect(added).toMatchObject({ status: 201, body: { custom: { [key]: stored } } });
        expect((await newestAudit(server, added.body._id))?.after).toMatchObject({ [key]: stored });

        const row = await addRow();
        expect(row).toMatchObject({ custom: {} });
        const changed = await patch(row._id, { version: 1, custom: { [key]: given } });
        expect(changed).toMatchObject({ status: 200, body: { version: 2, custom: { [key]: stored } } });
        expect(await newestAudit(server, row._id)).toMatchObject({
          before: { [key]: null },
          after: { [key]: stored },
        });
        const listed = await get(clerk, '/deals?shape=rows&fields=custom&limit=500');
        expect(listed.body.columns).toEqual(['_id', 'custom', 'version']);
        expect(listed.body.rows).toContainEqual([row._id, { [key]: stored }, 2]);
        expect((await get(clerk, `/deals/${row._id}`)).body.custom).toEqual({ [key]: stored });

        const removed = await patch(row._id, { version: 2, custom: { [key]: null } });
        expect(removed).toMatchObject({ status: 200, body: { version: 3, custom: {} } });
      });
    },
  );

  test('custom values are written alike in one statement and with separate checks', async () => {
    const [one, other] = [await addField('number'), await addField('multiSelect', { options: OPTIONS })];
    for (const [key, value] of [
      [one.key, 12.5],
      [other.key, ['o3', 'o1']],
    ] as const) {
      const start = { saleAmount: 10, custom: { [one.key]: 1, [other.key]: ['o2'] } };
      const rows = [await addRow(start), await addRow(start)];
      const change = { version: 1, custom: { [key]: value }, notes: 'Rang' };
      const replies = [
        await patch(rows[0]!._id, change),
        // A sale amount requires separate checks; this is the current one.
        await patch(rows[1]!._id, { ...change, saleAmount: 10 }),
      ];
      const [fast, checked] = await Promise.all(
        replies.map(async ({ status, body }) => {
          const { before, after } = (await newestAudit(server, body._id))!;
          const { field_versions } = await server.db
            .selectFrom('deals')
            .where('id', '=', body._id)
            .select('field_versions')
            .executeTakeFirstOrThrow();
          return { status, custom: body.custom, version: body.version, before, after, field_versions };
        }),
      );
      expect(fast).toEqual(checked);
      expect(fast).toMatchObject({ status: 200, version: 2, field_versions: { [key]: 2 } });
    }
    for (const field of [one, other]) await changeField(field, { active: false });
  });

  test('custom values of a person is an active user, and a former one stays', async () => {
    await withField('person', {}, async ({ key }) => {
      const leaver = await server.person({ name: 'Lea Leaver' });
      const row = await addRow({ custom: { [key]: leaver.id } });
      expect((await get(clerk, '/deals/options')).body.people).toContainEqual({
        _id: leaver.id,
        name: 'Lea Leaver',
      });
      await server.db.updateTable('users').set({ is_active: false }).where('id', '=', leaver.id).execute();
      const other = await addRow();
      expect(await patch(other._id, { version: 1, custom: { [key]: leaver.id } })).toMatchObject({
        status: 400,
        body: { errors: { [`custom.${key}`]: expect.any(String) } },
      });
      const same = await patch(row._id, { version: 1, custom: { [key]: leaver.id }, notes: 'Rang' });
      expect(same).toMatchObject({ status: 200, body: { custom: { [key]: leaver.id }, notes: 'Rang' } });
    });
  });

  test('custom values that are refused change nothing and are named', async () => {
    const select = await addField('select', { options: OPTIONS });
    const number = await addField('number');
    const row = await addRow();
    const custom = { [select.key]: 'o9', [number.key]: 'many', custom999: 'x' };
    const reply = await patch(row._id, { version: 1, notes: 'Rang', custom });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.errors).sort()).toEqual(
      Object.keys(custom)
        .map((key) => `custom.${key}`)
        .sort(),
    );
    expect((await get(clerk, `/deals/${row._id}`)).body).toMatchObject({ version: 1, notes: '', custom: {} });
    expect(await patch(row._id, { version: 1, custom: { notes: 'x' } })).toMatchObject({ status: 400 });
    for (const field of [select, number]) await changeField(field, { active: false });
  });

  test('custom values have a limit together, in new and changed rows', async () => {
    const fields = [];
    for (let added = 0; added < 5; added += 1) fields.push(await addField('longText'));
    const long = 'x'.repeat(5000);
    const some = Object.fromEntries(fields.slice(0, 4).map(({ key }) => [key, long]));
    const { key } = fields[4]!;
    const tooLong = {
      status: 400,
      body: {
        errors: { [`custom.${key}`]: 'The custom fields of a row have at most 20,000 characters together' },
      },
    };
    const row = await addRow({ custom: some });
    expect(await patch(row._id, { version: 1, custom: { [key]: 'x'.repeat(201) } })).toMatchObject(tooLong);
    expect(await post({ custom: { ...some, [key]: 'x' } })).toMatchObject(tooLong);
    const choice = await addField('multiSelect', { options: OPTIONS });
    expect(await post({ custom: { ...some, [choice.key]: ['o1'] } })).toMatchObject({ status: 400 });
    await changeField(choice, { active: false });
    // A short text may exceed the limit; the row can then only be shortened, also while it is still too long.
    const short = 'x'.repeat(100);
    expect(await patch(row._id, { version: 1, custom: { [key]: short } })).toMatchObject({ status: 200 });
    expect(await patch(row._id, { version: 2, custom: { [key]: 'x'.repeat(201) } })).toMatchObject(tooLong);
    const shorter = { [fields[0]!.key]: 'x'.repeat(4999) };
    expect(await patch(row._id, { version: 2, custom: shorter })).toMatchObject({ status: 200 });
    const moved = { [fields[0]!.key]: null, [key]: long };
    expect(await patch(row._id, { version: 3, custom: moved })).toMatchObject({ status: 200 });
    for (const field of fields) await changeField(field, { active: false });
  });

  test('custom values that the person does not see do not count towards the limit together', async () => {
    const hidden = [];
    for (let added = 0; added < 4; added += 1)
      hidden.push(await addField('longText', { visibleTo: 'administrators' }));
    const seen = await addField('longText');
    const long = 'x'.repeat(5000);
    const row = await addRow({});
    const secret = Object.fromEntries(hidden.map(({ key }) => [key, long]));
    expect(await patch(row._id, { version: 1, custom: secret }, admin)).toMatchObject({ status: 200 });
    const change = { version: 2, custom: { [seen.key]: long } };
    expect(await patch(row._id, change, admin)).toMatchObject({ status: 400 });
    expect(await patch(row._id, change)).toMatchObject({ status: 200 });
    for (const field of [...hidden, seen]) await changeField(field, { active: false });
  });

  test('custom values of other fields are kept by a change, and changes of two people are merged', async () => {
    const [one, other] = [await addField('text'), await addField('text')];
    const row = await addRow({ custom: { [one.key]: 'first', [other.key]: 'second' } });
    expect(await patch(row._id, { version: 1, custom: { [one.key]: 'third' } })).toMatchObject({
      status: 200,
    });
    const merged = await patch(row._id, { version: 1, custom: { [other.key]: 'fourth' } }, admin);
    expect(merged).toMatchObject({
      status: 200,
      body: { version: 3, custom: { [one.key]: 'third', [other.key]: 'fourth' } },
    });
    const conflict = await patch(row._id, { version: 1, custom: { [one.key]: 'fifth' } }, admin);
    expect(conflict).toMatchObject({
      status: 409,
      body: {
        details: one.key,
        current: { custom: { [one.key]: 'third' } },
        conflicts: [{ field: one.key, byName: 'Cleo Clerk' }],
      },
    });
    for (const field of [one, other]) await changeField(field, { active: false });
  });
});

describe('required fields and defaults', () => {
  test('a new row gets the default, in every way to add one', async () => {
    await withField('select', { options: OPTIONS, defaultValue: 'o1' }, async ({ key }) => {
      expect(await post({})).toMatchObject({ status: 201, body: { custom: { [key]: 'o1' } } });
      expect(await post({ custom: { [key]: 'o2' } })).toMatchObject({ body: { custom: { [key]: 'o2' } } });
      expect((await post({ custom: { [key]: null } })).body.custom).toEqual({});
      const deal = { dealershipId, customerName: 'Bo' };
      const bulk = await server.call('POST /deals/bulk/create', {
        token: clerk.token,
        body: { rows: [{ key: 'a'.repeat(32), deal }] },
      });
      expect(bulk.body.items[0].deal.custom).toEqual({ [key]: 'o1' });
      const imported = await server.call('POST /deals/import', {
        token: admin.token,
        body: { rows: [deal] },
      });
      const [{ _id }] = imported.body.items;
      expect((await get(clerk, `/deals/${_id}`)).body.custom).toEqual({ [key]: 'o1' });
    });
  });

  test('a new row gets the default of a field that its author may not change or see, and of no retired one', async () => {
    const defaultValue = 'o1';
    const fields = [
      await addField('select', { options: OPTIONS, defaultValue, editableBy: 'administrators' }),
      await addField('select', { options: OPTIONS, defaultValue, visibleTo: 'administrators' }),
      await addField('select', { options: OPTIONS, defaultValue }),
    ];
    const [closed, hidden, retired] = fields as [Field, Field, Field];
    await changeField(retired, { active: false });
    const { body } = await post({});
    expect(body.custom).toEqual({ [closed.key]: 'o1' });
    await changeField(retired, { active: true });
    expect((await get(admin, `/deals/${body._id}`)).body.custom).toEqual({
      [closed.key]: 'o1',
      [hidden.key]: 'o1',
    });
    for (const field of fields) await changeField(field, { active: false });
  });

  test('a required value that only administrators may set is needed by their new rows only', async () => {
    await withField('text', { isRequired: true, editableBy: 'administrators' }, async ({ key }) => {
      expect(await post({})).toMatchObject({ status: 201 });
      expect(await post({}, admin)).toMatchObject({
        status: 400,
        body: { errors: { [`custom.${key}`]: expect.any(String) } },
      });
    });
  });

  test('a required value is needed by a new row and cannot be removed; old rows are changed without it', async () => {
    const old = await addRow();
    await withField('text', { name: 'Finance company', isRequired: true }, async ({ key }) => {
      const required = {
        status: 400,
        body: { errors: { [`custom.${key}`]: 'Finance company is required' } },
      };
      expect(await post({})).toMatchObject(required);
      expect(await post({ custom: { [key]: ' ' } })).toMatchObject(required);
      const row = await addRow({ custom: { [key]: 'ANZ' } });
      expect(await patch(row._id, { version: 1, custom: { [key]: null } })).toMatchObject(required);
      expect(await patch(old._id, { version: 1, notes: 'Rang' })).toMatchObject({ status: 200 });
    });
  });
});

describe('who sees and changes a field', () => {
  const ways: [string, object, (key: string) => Promise<Person>][] = [
    ['for administrators only', { visibleTo: 'administrators' }, async () => clerk],
    [
      'left out of the visible columns',
      {},
      async () => {
        const permissions = {
          dataEntry: {
            canAddRows: true,
            canEditRows: true,
            columnVisibility: {
              viewAllColumns: false,
              visibleColumns: ['customerName', 'dealershipId', 'notes'],
            },
          },
        };
        const person = await server.person({ name: 'Rae Reader' });
        const reply = await changePermissions(server, admin, person, permissions);
        expect(reply.status).toBe(200);
        return person;
      },
    ],
  ];
  test.each(ways)('a field %s is absent for others', async (_, changes, personFor) => {
    const seen = await addField('text');
    await withField('text', changes, async ({ key }) => {
      const person = await personFor(key);
      const row = await addDeal(server, admin, dealershipId, { custom: { [key]: 'secret' } });
      await patch(row._id, { version: 1, custom: { [key]: 'other secret' } }, admin);
      // The server caches the text of the row in this form.
      expect(JSON.stringify((await get(admin, '/deals?limit=500')).body)).toContain('other secret');
      for (const path of [
        `/deals/${row._id}`,
        '/deals?limit=500',
        '/deals?limit=500&shape=rows',
        '/deals/options',
      ])
        expect(JSON.stringify((await get(person, path)).body)).not.toContain(key);
      const history = (await get(person, `/deals/${row._id}/history`)).body;
      expect(JSON.stringify(history)).not.toContain('secret');
      const own = await addDeal(server, person, dealershipId);
      expect(await patch(own._id, { version: 1, custom: { [key]: 'mine' } }, person)).toMatchObject({
        status: 400,
        body: { errors: { [`custom.${key}`]: 'There is no such field, or you may not see it' } },
      });
      expect((await get(admin, `/deals/${row._id}`)).body.custom).toEqual({ [key]: 'other secret' });
    });
    await changeField(seen, { active: false });
  });

  test('a field that only administrators change is read-only for others, who may repeat its value', async () => {
    await withField('text', { name: 'Audit note', editableBy: 'administrators' }, async ({ key }) => {
      const row = await addRow();
      const options = (await get(clerk, '/deals/options')).body.customFields;
      expect(options).toMatchObject([{ key, editable: false }]);
      expect(await patch(row._id, { version: 1, custom: { [key]: 'x' } })).toMatchObject({
        status: 400,
        body: { errors: { [`custom.${key}`]: 'Only administrators may change Audit note' } },
      });
      await patch(row._id, { version: 1, custom: { [key]: 'checked' } }, admin);
      expect(await patch(row._id, { version: 2, custom: { [key]: 'checked' }, notes: 'y' })).toMatchObject({
        status: 200,
        body: { version: 3, notes: 'y', custom: { [key]: 'checked' } },
      });
    });
  });

  test('a list of deals hides the values of a retired field, and shows them again when the field is reinstated', async () => {
    const field = await addField('text');
    const row = await addRow({ custom: { [field.key]: 'kept' } });
    await changeField(field, { active: false });
    expect((await get(clerk, `/deals/${row._id}`)).body).not.toHaveProperty('custom');
    const { items } = (await get(clerk, `/deals/${row._id}/history`)).body;
    expect(items[0].changes).toContainEqual(expect.objectContaining({ field: field.key, after: 'kept' }));
    expect(await patch(row._id, { version: 1, custom: { [field.key]: 'x' } })).toMatchObject({ status: 400 });
    expect(await patch(row._id, { version: 1, notes: 'Rang' })).toMatchObject({ status: 200 });
    await changeField(field, { active: true });
    expect((await get(clerk, `/deals/${row._id}`)).body.custom).toEqual({ [field.key]: 'kept' });
    await changeField(field, { active: false });
  });
});

test('the history names fields, options and people', async () => {
  const choice = await addField('multiSelect', { name: 'Extras', options: OPTIONS });
  const person = await addField('person', { name: 'Handler' });
  const box = await addField('checkbox', { name: 'Paid' });
  const row = await addRow();
  const custom = { [choice.key]: ['o1', 'o3'], [person.key]: clerk.id, [box.key]: true };
  await patch(row._id, { version: 1, custom });
  const { items } = (await get(clerk, `/deals/${row._id}/history`)).body;
  expect(items[0].changes).toEqual([
    {
      field: choice.key,
      custom: { name: 'Extras', type: 'multiSelect' },
      before: null,
      after: 'Cash, Lease',
    },
    { field: person.key, custom: { name: 'Handler', type: 'person' }, before: null, after: 'Cleo Clerk' },
    { field: box.key, custom: { name: 'Paid', type: 'checkbox' }, before: null, after: 'Yes' },
  ]);
  for (const field of [choice, person, box]) await changeField(field, { active: false });
});

test('the history shows a number of zero', async () => {
  await withField('number', {}, async ({ key }) => {
    const row = await addRow();
    await patch(row._id, { version: 1, custom: { [key]: 0 } });
    await patch(row._id, { version: 2, custom: { [key]: 5 } });
    const { items } = (await get(clerk, `/deals/${row._id}/history`)).body;
    expect(items.map(({ changes }: { changes: object[] }) => changes).slice(0, 2)).toMatchObject([
      [{ field: key, before: 0, after: 5 }],
      [{ field: key, before: null, after: 0 }],
    ]);
  });
});
