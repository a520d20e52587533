import { customFieldTypes, type CustomKey } from '@forecourt/contract/custom-field-types';
import { dealSorts } from '@forecourt/contract/deal-list';
import type { Deal } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../../test/app.ts';
import { addDeal, addDealership } from '../../../../test/builders.ts';

const month = '2025-03';
/** Empty cells, duplicates and numbers in texts: the edge cases of sorting. */
const rows = [
  { customerName: 'ann', dealNumber: 'D-10', saleAmount: 100, costAmount: 40, status: 'Deal' },
  { customerName: 'Ann', dealNumber: 'D-9', saleAmount: 100.5, deliveryDate: '2025-03-20' },
  { customerName: 'Zoë', dealNumber: 'D-9', vehicle: 'Corolla', notes: 'Rang' },
  { customerName: 'Zoe', saleAmount: 0, costAmount: 0, followUpAt: '2025-04-01T00:00:00.000Z' },
  { customerName: 'Bea', customerNumber: '(0400) 111 222', status: 'Called' },
  { customerName: 'Émile', customerEmail: 'emile@example.com', deliveryDate: '2025-03-02' },
  { customerName: 'Bea', customerNumber: '(0400) 111 221', saleAmount: 100 },
];
/** A value of each type of custom field for the first rows; the others have none. */
const values = (personIds: readonly string[]): Record<string, readonly unknown[]> => ({
  text: ['b 10', 'b 9', 'A'],
  longText: ['x', 'Y\nz', 'y'],
  number: [10, 9, -1],
  currency: [10.5, 9.25, 100],
  percent: [0, 1.5, 0.5],
  date: ['2025-04-01', '2025-03-30', '2026-01-01'],
  checkbox: [true, true, true],
  select: ['o1', 'o2', 'o3'],
  multiSelect: [['o1'], ['o2', 'o3'], ['o1', 'o3']],
  person: [personIds[1], personIds[0], personIds[1]],
  link: ['https://b.example', 'https://a.example', 'https://c.example'],
});
const customKeys = customFieldTypes.map((_, at): CustomKey => `custom${at + 1}`);
const sorts = [...dealSorts, ...customKeys];
const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Cleo Clerk', permissions: { dataEntry: { canAddRows: true } } });
const harbour = await addDealership(server, admin, { name: 'Harbour New Cars' });
const station = await addDealership(server, admin, { name: 'Station 10 Used Cars' });
for (const type of customFieldTypes) {
  const options = type.toLowerCase().endsWith('select')
    ? ['Tow bar', 'Mats', 'Roof rack'].map((name) => ({ name }))
    : [];
  const body = { name: `A ${type}`, type, options };
  const { body: field } = await server.call('POST /custom-fields', { token: admin.token, body });
  // The order of the options is not that of their ids or names.
  const moved = ['o3', 'o1', 'o2'].map((id) =>
    field.options.find((option: { id: string }) => option.id === id),
  );
  if (type === 'select')
    await server.call(`PUT /custom-fields/${field._id}`, {
      token: admin.token,
      body: { ...field, options: moved },
    });
}
for (const [at, row] of rows.entries())
  await addDeal(server, at % 3 === 0 ? clerk : admin, at % 2 === 0 ? harbour : station, {
    ...row,
    custom: Object.fromEntries(
      customFieldTypes.flatMap((type, field) => {
        const value = values([admin.id, clerk.id])[type]![at];
        return value === undefined ? [] : [[customKeys[field]!, value]];
      }),
    ),
    month,
  });
afterAll(() => server.close());

const get = (query: string, token = admin.token) => server.call(`GET /deals?${query}`, { token });
const list = async (query: string) => (await get(`month=${month}&${query}`)).body;
const namesOf = (body: { items: Deal[] }) => body.items.map(({ customerName }) => customerName);

describe('a list of rows', () => {
  test.each([
    ['limit=501', 'limit'],
    ['limit=5001&shape=rows', 'limit'],
    ['limit=0', 'limit'],
    ['page=0', 'page'],
    ['page=3000&limit=500', 'page'],
    ['sort=password', 'sort'],
    ['order=up', 'order'],
    ['sort=vehicle&firstStatus=Deal', 'firstStatus'],
    ['shape=table', 'shape'],
    ['fields=customerName,password', 'fields.1'],
    ['from=2025-02-30', 'from'],
    ['owner=me', 'owner'],
    ['cursor=abc', 'cursor'],
    ['page=2&cursor=abc', 'cursor'],
    ['offset=5', 'offset'],
  ])('a list of rows with %s is a 400 that names %s', async (query, field) => {
    expect(await get(query)).toMatchObject({
      status: 400,
      body: { errors: { [field]: expect.any(String) } },
    });
  });

  test('a list of rows with a cursor of another order is refused', async () => {
    const { nextCursor } = await list('limit=2&sort=customerName');
    for (const other of ['sort=vehicle', 'sort=customerName&order=desc'])
      expect((await get(`${other}&cursor=${nextCursor}`)).status).toBe(400);
    const cycle = await list('limit=2&sort=status&firstStatus=Deal');
    for (const other of ['sort=status', 'sort=status&firstStatus=Called'])
      expect((await get(`${other}&cursor=${cycle.nextCursor}`)).status).toBe(400);
  });

  test('a list of rows by a hidden column is refused with its name', async () => {
    const seen = ['customerName', 'dealershipId'] as const;
    const kept = await server.person({
      permissions: { dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns: [...seen] } } },
    } as never);
    for (const [query, field, message] of [
      ['sort=saleAmount', 'sort', 'You may not sort by saleAmount'],
      ['sort=grossProfit&order=desc', 'sort', 'You may not sort by grossProfit'],
      ['fields=customerName,commission', 'fields', 'You may not see commission'],
      ['fields=ownerName', 'fields', 'You may not see ownerName'],
      ['sort=custom1', 'sort', 'You may not sort by custom1'],
      ['sort=custom999', 'sort', 'You may not sort by custom999'],
      ['status=Deal', 'status', 'You may not see this column'],
      [`owner=${admin.id}`, 'owner', 'You may not see this column'],
    ] as const) {
      expect(await get(query, kept.token), query).toMatchObject({
        status: 400,
        body: { errors: { [field]: message } },
      });
    }
    const { body } = await get(`month=${month}&sort=customerName&shape=rows`, kept.token);
    expect(body.columns).toEqual(expect.arrayContaining([...seen, 'dealershipName']));
    expect(body.columns).not.toContain('saleAmount');
  });
});

describe('a sort', () => {
  test.each(sorts.flatMap((sort) => [[sort, 'asc'] as const, [sort, 'desc'] as const]))(
    'a sort of deals by %s %s is the same in one page and in many, by cursor and by number',
    async (sort, order) => {
      const whole = namesAndIds(await list(`sort=${sort}&order=${order}`));
      expect(whole).toHaveLength(rows.length);
      const byCursor: string[] = [];
      const byNumber: string[] = [];
      let cursor = '';
      for (let page = 1; page <= 3; page += 1) {
        const question = `sort=${sort}&order=${order}&limit=3`;
        const body = await list(`${question}${cursor}`);
        expect(body).toMatchObject({ page, limit: 3, totalPages: 3, total: rows.length });
        byCursor.push(...namesAndIds(body));
        byNumber.push(...namesAndIds(await list(`${question}&page=${page}`)));
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect(byCursor).toEqual(whole);
      expect(byNumber).toEqual(whole);
    },
  );
  test.each([
    ...sorts.flatMap((sort) => [`sort=${sort}&order=asc`, `sort=${sort}&order=desc`]),
    'sort=status&firstStatus=Called',
  ])(
    'a list sorted by %s comes in windows: each row once, forwards, and again from where a window began',
    async (question) => {
      const whole = (await list(question)).items.map(({ _id }: Deal) => _id);
      /** Loads the first row of a window and then the next two, as a browser does. */
      const windowAt = async (start: string | null) => {
        const seen: string[] = [];
        let cursor = start;
        for (const limit of [1, 2]) {
          const { columns, rows, nextCursor, total } = await list(
            `${question}&shape=rows&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
          );
          expect(total).toBe(whole.length);
          seen.push(...rows.map((row: unknown[]) => row[columns.indexOf('_id')]));
          cursor = nextCursor;
          if (cursor === null) break;
        }
        return { seen, next: cursor };
      };
      const starts: (string | null)[] = [];
      const forwards: string[] = [];
      for (let start: string | null | undefined = null; start !== undefined;) {
        starts.push(start);
        const { seen, next }: { seen: string[]; next: string | null } = await windowAt(start);
        forwards.push(...seen);
        start = next ?? undefined;
      }
      expect(forwards).toEqual(whole);
      expect(starts).toHaveLength(3);
      const second = await windowAt(starts[1]!);
      expect(second.seen).toEqual(whole.slice(3, 6));
    },
  );

  const namesAndIds = ({ items }: { items: Deal[] }) => items.map((row) => `${row.customerName} ${row._id}`);

  test('a sort of deals of texts is natural: numbers by value, without case and accents, equal texts newest first', async () => {
    expect(namesOf(await list('sort=customerName'))).toEqual([
      'Ann',
      'ann',
      'Bea',
      'Bea',
      'Émile',
      'Zoe',
      'Zoë',
    ]);
    const numbers = (await list('sort=dealNumber')).items.map(({ dealNumber }: Deal) => dealNumber);
    expect(numbers).toEqual(['D-9', 'D-9', 'D-10', '', '', '', '']);
  });

  test('a sort of deals puts empty cells last both ways', async () => {
    const amounts = async (order: string) =>
      (await list(`sort=saleAmount&order=${order}`)).items.map(({ saleAmount }: Deal) => saleAmount);
    expect(await amounts('asc')).toEqual([0, 100, 100, 100.5, null, null, null]);
    expect(await amounts('desc')).toEqual([100.5, 100, 100, 0, null, null, null]);
  });

  test.each([
    ['text', ['A', 'b 9', 'b 10']],
    ['longText', ['x', 'y', 'Y\nz']],
    ['number', [-1, 9, 10]],
    ['currency', [9.25, 10.5, 100]],
    ['percent', [0, 0.5, 1.5]],
    ['date', ['2025-03-30', '2025-04-01', '2026-01-01']],
    ['checkbox', [true, true, true]],
    ['select', ['o3', 'o1', 'o2']],
    ['multiSelect', [['o2', 'o3'], ['o1'], ['o1', 'o3']]],
    ['person', ['Ada Admin', 'Cleo Clerk', 'Cleo Clerk']],
    ['link', ['https://a.example', 'https://b.example', 'https://c.example']],
  ] as const)(
    'a sort of deals by a custom field of type %s has its order, and empty cells last both ways',
    async (type, up) => {
      const key = customKeys[customFieldTypes.indexOf(type)]!;
      const shown = async (order: string) =>
        (await list(`sort=${key}&order=${order}`)).items.map(({ custom }: Deal) => {
          const value = custom?.[key];
          if (type !== 'person' || value === undefined) return value;
          return value === admin.id ? admin.name : clerk.name;
        });
      const empty = Array(rows.length - up.length).fill(undefined);
      expect(await shown('asc')).toEqual([...up, ...empty]);
      expect(await shown('desc')).toEqual([...up.toReversed(), ...empty]);
    },
  );

  test('a sort of deals by status follows the status cycle', async () => {
    const names = (await list('sort=status')).items.map(({ status }: Deal) => status);
    expect(names).toEqual([...Array(5).fill('Entered'), 'Called', 'Deal']);
  });

  test.each([
    ['Called', ['Called', 'Deal', ...Array(5).fill('Entered')]],
    ['deal', ['Deal', ...Array(5).fill('Entered'), 'Called']],
    ['No such status', [...Array(5).fill('Entered'), 'Called', 'Deal']],
  ])('a sort of deals by status from %s on goes round', async (first, expected) => {
    const { items } = await list(`sort=status&firstStatus=${first}`);
    expect(items.map(({ status }: Deal) => status)).toEqual(expected);
  });

  test('a sort of deals by status does not start with a hidden status', async () => {
    const { body: options } = await server.call('GET /deals/options', { token: admin.token });
    const called = options.statuses.find(({ name }: { name: string }) => name === 'Called')._id;
    const kept = await server.person({
      permissions: { dataEntry: { columnVisibility: { restrictedStatuses: [called] } } },
    } as never);
    const ordered = async (more: string) =>
      (await get(`month=${month}&sort=status${more}`, kept.token)).body.items;
    expect(await ordered('&firstStatus=Called')).toEqual(await ordered(''));
  });

  test('a sort of deals by cursor skips and repeats no row when rows are added meanwhile', async () => {
    const first = await list('limit=3');
    await addDeal(server, admin, harbour, { month, customerName: 'Latecomer' });
    const second = await list(`limit=5&cursor=${first.nextCursor}`);
    const seen = [...namesOf(first), ...namesOf(second)];
    expect(new Set(seen)).toEqual(new Set(rows.map(({ customerName }) => customerName)));
    expect(seen).toHaveLength(rows.length);
    expect(second.nextCursor).toBeNull();
    await server.db.deleteFrom('deals').where('customer_name', '=', 'Latecomer').execute();
  });
});

test('the options contain the time zone of the business', async () => {
  const { body } = await server.call('GET /deals/options', { token: clerk.token });
  expect(body.timeZone).toBe('Australia/Sydney');
});

describe('a filter', () => {
  test('a filter of deals by owner offers all users by name, and none to a viewer without that column', async () => {
    const ownersFor = async (token: string) =>
      (await server.call('GET /deals/options', { token })).body.owners as { _id: string; name: string }[];
    expect(await ownersFor(clerk.token)).toEqual(
      expect.arrayContaining([
        { _id: admin.id, name: 'Ada Admin' },
        { _id: clerk.id, name: 'Cleo Clerk' },
      ]),
    );
    const kept = await server.person({
      permissions: {
        dataEntry: { columnVisibility: { viewAllColumns: false, visibleColumns: ['customerName'] } },
      },
    } as never);
    expect(await ownersFor(kept.token)).toEqual([]);
  });

  test.each([
    ['owner', () => `owner=${clerk.id}`, ['Bea', 'Zoe', 'ann']],
    ['dealership and status', () => `dealershipId=${harbour}&status=called`, ['Bea']],
    ['days on which rows were made', () => 'from=2025-03-05&to=2025-03-06', ['Ann', 'ann']],
  ])('a filter of deals by %s applies to the list and its sums', async (_name, query, expected) => {
    // The first moment of a business day in Sydney, the last second of the next one, and the moment after it.
    for (const [name, at] of [
      ['ann', '2025-03-04T13:00:00Z'],
      ['Ann', '2025-03-06T12:59:59Z'],
      ['Émile', '2025-03-06T13:00:00Z'],
    ] as const) {
      await server.db
        .updateTable('deals')
        .set({ created_at: at })
        .where('customer_name', '=', name)
        .execute();
    }
    expect(namesOf(await list(query()))).toEqual(expected);
    const summary = await server.call(`GET /deals/summary?month=${month}&${query()}`, { token: admin.token });
    expect(summary.body.total).toBe(expected.length);
  });
});

describe('a response', () => {
  test('a response of the list of deals in the shape of rows has the same content as in the shape of items', async () => {
    const { items } = await list('');
    const { columns, rows: values, items: none } = await list('shape=rows&limit=5000');
    expect(none).toEqual([]);
    const received = values.map((row: unknown[]) =>
      Object.fromEntries(columns.map((column: string, at: number) => [column, row[at]])),
    );
    expect(received).toEqual(items);
  });

  test('a response of the list of deals has the requested fields, and those that identify the row', async () => {
    const { items } = await list('fields=customerName,saleAmount&limit=1');
    expect(new Set(Object.keys(items[0]))).toEqual(new Set(['_id', 'customerName', 'saleAmount', 'version']));
  });

  test('a response of the list of deals past the end of a list is empty and has the total', async () => {
    expect(await list('page=5&limit=3')).toMatchObject({ items: [], total: 7, page: 5, nextCursor: null });
  });

  test('a search of one or two characters has words that begin with them in all months, and any part in a month', async () => {
    const found = async (query: string) => new Set(namesOf((await get(query)).body));
    const inMonth = `&month=${month}`;
    expect(await found('search=zo')).toEqual(new Set(['Zoe', 'Zoë']));
    expect(await found('search=oe')).toEqual(new Set());
    expect(await found(`search=oe${inMonth}`)).toEqual(new Set(['Zoe']));
    // A deal number, after its hyphen; a text without a letter or digit.
    const ofNine = namesOf(await list('search=d-9'));
    expect(ofNine).toHaveLength(2);
    expect(await found('search=9')).toEqual(new Set(ofNine));
    expect(await found('search=-')).toEqual(await found(`search=-${inMonth}`));
    expect(await found('search=%25')).toEqual(new Set());
    const { body } = await server.call('GET /deals/summary?search=oe', { token: admin.token });
    expect(body.total).toBe(0);
  });

  test('a search of several words has the rows with the whole text, not those with the beginnings of its words', async () => {
    const customerName = 'Zarah Nguyen';
    await addDeal(server, admin, harbour, { month: '2024-09', customerName });
    const found = async (text: string) => namesOf((await get(`search=${encodeURIComponent(text)}`)).body);
    for (const text of ['Zarah Nguyen', 'rah nguyen', 'h Nguyen'])
      expect([text, await found(text)]).toEqual([text, [customerName]]);
    for (const text of ['zara nguyen', 'zarah nguy n', 'zarah%nguyen', 'nguyen zarah'])
      expect([text, await found(text)]).toEqual([text, []]);
  });

  test('a response of the list of deals of a search counts up to 1000 and marks the total as capped; a month is counted completely', async () => {
    await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
      select gen_random_uuid(), (select id from statuses limit 1), ${harbour}, 'Many ' || n, '2024-08',
        ${admin.id}, ${admin.id}, ${admin.id} from generate_series(1, 1001) as n`.execute(server.db);
    expect((await get('search=many')).body).toMatchObject({
      total: 1000,
      totalIsCapped: true,
      totalPages: 10,
    });
    expect((await get('month=2024-08')).body).toMatchObject({ total: 1001, totalIsCapped: false });
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await get(`search=many%20&limit=500${cursor && `&cursor=${cursor}`}`);
      pages.push(body.items.length);
      cursor = body.nextCursor;
    }
    expect(pages).toEqual([500, 500, 1]);
  });

  test('a response of the list of deals of a search with few results is sorted too', async () => {
    expect(namesOf((await get('search=ann&sort=saleAmount&order=desc')).body)).toEqual(['Ann', 'ann']);
  });
});
