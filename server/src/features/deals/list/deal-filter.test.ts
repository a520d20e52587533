import {
  customFieldTypes,
  isCustomKey,
  type CustomFieldType,
  type CustomKey,
} from '@forecourt/contract/custom-field-types';
import {
  emailStates,
  filterFieldNames,
  kindOf,
  operatorsOf,
  takesValue,
  type ColumnFilter,
  type FilterCondition,
  type FilterField,
  type FilterGroup,
  type FilterMatch,
} from '@forecourt/contract/deal-filter-fields';
import { createFilterMatcher, daysOf, type FilterFacts } from '@forecourt/contract/deal-filter-match';
import { centsOf, createGroupReader, groupFields, type GroupField } from '@forecourt/contract/deal-groups';
import type { Deal, DealStatus } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../../test/app.ts';
import { addDeal, addDealership, emailValues } from '../../../../test/builders.ts';
import { seededRandom } from '../../../../test/seeded-random.ts';
import { createClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { readWithinLimit } from './deal-filter.service.ts';

const DAY_MS = 86_400_000;
const month = '2025-03';
const clock = createClock('Australia/Sydney');
const random = seededRandom('filters');
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const some = <T>(values: readonly T[], most = 3): T[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(values));

/** A time within two weeks of now: values before and after today. */
const nearTime = (): string =>
  new Date(Date.now() + Math.floor((random() - 0.5) * 28 * DAY_MS)).toISOString();
const nearDay = (): string => clock.businessDate(new Date(nearTime()));

const NAMES = ['Ann', 'ANN Østby', 'ännchen', 'O’Neil %_\\', 'ΟΔΥΣΣΕΥΣ', 'İnci', '李雷', 'Zoe  Two'];
const WORDS = ['', 'ann', 'Corolla', 'corolla 2', 'D-10', 'd-9', 'straße', 'STRASSE'];
const NOTES = [...WORDS, 'Rang\nback'];
const PHONES = ['', '(0412) 345 678', '(0412) 345 679', '(0400) 111 222'];
const AMOUNTS = [null, 0, 0.1, 99.99, 100, 100.01, 2500];

/** One custom field of each type, in their order. */
const customFields = customFieldTypes.map((type, at) => ({ key: `custom${at + 1}` as CustomKey, type }));
const keyOf = (type: CustomFieldType): CustomKey => customFields.find((field) => field.type === type)!.key;
const OPTIONS = ['Tow bar', 'Mats', 'Roof rack'];
const OPTION_IDS = ['o1', 'o2', 'o3'];
const fieldNames = [...filterFieldNames, ...customFields.map(({ key }) => key)];

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const viewers = [
  admin,
  await server.person({ name: 'Cleo Clerk' }),
  await server.person({ name: 'Kim Clerk' }),
];
const dealerships = [
  await addDealership(server, admin, { name: 'Harbour New Cars' }),
  await addDealership(server, admin, { name: 'Inland' }),
];
const statuses: DealStatus[] = (await server.call('GET /deals/options', { token: admin.token })).body
  .statuses;
const items: string[] = [];
for (const name of ['Tint', 'Dash cam', 'Paint']) {
  const { body } = await server.call('POST /item-configurations', {
    token: admin.token,
    body: { name, price: 100 },
  });
  items.push(body._id);
}
beforeAll(async () => {
  for (const { type } of customFields) {
    const options = type.toLowerCase().endsWith('select') ? OPTIONS.map((name) => ({ name })) : [];
    await addField({ name: `A ${type}`, type, options });
  }
  for (let count = 0; count < 60; count += 1) await addRandomDeal();
});
afterAll(() => server.close());

type Field = { _id: string; key: CustomKey; options: { id: string }[] };
async function addField(body: object): Promise<Field> {
  const reply = await server.call('POST /custom-fields', { token: viewers[0]!.token, body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}
async function changeField(field: Field, changes: object): Promise<void> {
  const body = { ...field, ...changes };
  const reply = await server.call(`PUT /custom-fields/${field._id}`, { token: viewers[0]!.token, body });
  expect(reply).toMatchObject({ status: 200 });
}

function randomCustom(type: CustomFieldType): unknown {
  if (type === 'checkbox') return true;
  if (type === 'select') return pick(OPTION_IDS);
  if (type === 'multiSelect') return OPTION_IDS.filter(() => random() < 0.5);
  if (type === 'person') return pick(viewers).id;
  if (type === 'date') return pick([nearDay(), clock.businessDate()]);
  if (type === 'number' || type === 'currency' || type === 'percent') return pick(AMOUNTS);
  return pick(type === 'longText' ? NOTES : [...NAMES, ...PHONES]);
}

/** A row has no empty values. */
const isValue = (value: unknown): boolean =>
  value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
const randomCustoms = () =>
  Object.fromEntries(
    customFields
      .map(({ key, type }) => [key, random() < 0.7 ? randomCustom(type) : null])
      .filter(([, value]) => isValue(value)),
  );

/** Inserts a deal with items, shares and messages in random states. */
async function addRandomDeal(): Promise<void> {
  const deal_id = newId();
  const owner = pick(viewers).id;
  await server.db
    .insertInto('deals')
    .values({
      id: deal_id,
      status_id: pick(statuses)._id,
      dealership_id: pick(dealerships),
      customer_name: pick(NAMES),
      customer_number: pick(PHONES),
      customer_email: pick(['', 'ann@example.com', 'ANN@Example.com']),
      deal_number: pick(WORDS),
      vehicle: pick(WORDS),
      notes: pick(NOTES),
      custom: JSON.stringify(randomCustoms()),
      delivery_date: pick([null, nearDay(), clock.businessDate()]),
      sale_amount: pick(AMOUNTS),
      cost_amount: pick(AMOUNTS),
      commission_rate: pick([null, 0, 7.25, 10]),
      follow_up_at: pick([null, nearTime()]),
      month,
      owner_id: owner,
      created_by: pick(viewers).id,
      updated_by: owner,
      created_at: nearTime(),
      updated_at: nearTime(),
      version: 3,
      field_versions: JSON.stringify({ notes: pick([1, 2, 3]), saleAmount: pick([1, 3]) }),
    })
    .execute();
  const sold = [...new Set(random() < 0.5 ? some(items) : [])];
  if (sold.length > 0)
    await server.db
      .insertInto('deal_items')
      .values(
        sold.map((item_id, position) => ({
          deal_id,
          position,
          item_id,
          name: 'Item',
          quantity: 1,
          unit_price: pick([5, 60]),
        })),
      )
      .execute();
  const sharedWith = new Set(random() < 0.4 ? some(viewers.map(({ id }) => id)) : []);
  sharedWith.delete(owner);
  if (sharedWith.size > 0)
    await server.db
      .insertInto('shares')
      .values(
        [...sharedWith].map((user_id) => ({
          entity: 'deal',
          record_id: deal_id,
          user_id,
          level: pick(['view', 'edit']),
          shared_by: owner,
        })),
      )
      .execute();
  for (let count = Math.floor(random() * 4); count > 0; count -= 1) await addRandomEmail(deal_id, owner);
}

async function addRandomEmail(deal_id: string, sender_id: string): Promise<void> {
  const status = pick([
    'queued',
    'sending',
    'retrying',
    'sent',
    'sent',
    'sent',
    'failed',
    'cancelled',
    'unconfirmed',
  ]);
  const email = emailValues(sender_id, dealerships[0]!, {
    status,
    created_at: nearTime(),
    sent_at: status === 'sent' ? nearTime() : null,
    deal_fields: some(['notes', 'saleAmount'], 2),
  });
  await server.db.insertInto('emails').values(email).execute();
  await server.db
    .insertInto('email_deals')
    .values({ email_id: email.id, deal_id, deal_version: pick([1, 2, 3]) })
    .execute();
}

const range = <T extends number | string>(one: () => T): T[] =>
  [one(), one()].toSorted((a, b) => (a < b ? -1 : Number(a > b)));

/** Values of these fields that occur, in rows or in parts of them. */
function valueFor(field: FilterField, operator: string): FilterCondition['value'] {
  const amount = () => pick(AMOUNTS.filter((each) => each !== null));
  const kind = kindOf(field, customFields);
  if (field === 'customerNumber')
    return pick(['0412 345 678', '(0412) 345 678', '345', '+61 412 345', 'x', '1']);
  if (kind === 'text')
    return pick([
      'ann',
      'AN',
      'ö',
      'ø',
      '%',
      '_',
      '\\',
      'ς',
      'σ',
      'i̇',
      'ß',
      'ss',
      'back',
      ' d-1 ',
      '  ann',
      '李',
    ]);
  if (kind === 'number') return operator === 'between' ? range(amount) : amount();
  if (kind === 'date') {
    if (operator === 'between') return range(nearDay);
    return operator.endsWith('Days') ? pick([1, 2, 7, 30]) : pick([nearDay(), clock.businessDate()]);
  }
  const choices: Partial<Record<FilterField, readonly string[]>> = {
    status: statuses.map(({ _id }) => _id),
    dealershipId: [...dealerships, newId()],
    owner: viewers.map(({ id }) => id),
    items: [...items, newId()],
    emailState: emailStates,
    [keyOf('select')]: [...OPTION_IDS, 'o9'],
    [keyOf('multiSelect')]: [...OPTION_IDS, 'o9'],
    [keyOf('person')]: [...viewers.map(({ id }) => id), newId()],
  };
  return some(choices[field]!);
}

function randomCondition(
  field: FilterField = pick(fieldNames),
  operator = pick(operatorsOf(field, customFields)),
): FilterCondition {
  return { field, operator, ...(takesValue(operator) && { value: valueFor(field, operator) }) };
}

const randomFilter = (): ColumnFilter => ({
  match: pick(['all', 'any']),
  conditions: Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    random() < 0.3
      ? {
          match: pick(['all', 'any']),
          conditions: Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomCondition()),
        }
      : randomCondition(),
  ),
});

/** Sydney's midnight, in the months of the random times: found by the day of each quarter of an hour. */
function startOf(day: string): string {
  const QUARTER_MS = 900_000;
  let at = Date.parse(`${day}T00:00Z`) - DAY_MS;
  while (clock.businessDate(new Date(at)) < day) at += QUARTER_MS;
  return new Date(at).toISOString();
}

const factsOf = (viewer: Person, rows: readonly Deal[]): FilterFacts => ({
  today: clock.businessDate(),
  now: new Date().toISOString(),
  startOf,
  viewerId: viewer.id,
  statusIdOf: (name) => statuses.find((status) => status.name === name)?._id,
  isClosedStatus: (id) => statuses.some(({ _id, isClosed }) => _id === id && isClosed),
  isUnsaved: () => false,
  isDuplicate: (deal) =>
    rows.some(
      (other) =>
        other._id !== deal._id &&
        (['customerNumber', 'dealNumber'] as const).some(
          (field) => deal[field] !== '' && other[field]?.toLowerCase() === deal[field]?.toLowerCase(),
        ),
    ),
  customFields,
});

const query = (filter: unknown, rest = `&month=${month}`) =>
  `filter=${encodeURIComponent(JSON.stringify(filter))}${rest}`;
const list = (viewer: Person, filter: unknown, rest?: string) =>
  server.call(`GET /deals?${query(filter, rest)}&limit=500`, { token: viewer.token });
const idsOf = (items: readonly Deal[]): string[] => items.map(({ _id }) => _id).toSorted();

describe('a filter on columns', () => {
  test('a filter on columns selects the rows that the browser’s test selects, in lists and in counts', async () => {
    const all = new Map<Person, Deal[]>();
    for (const viewer of viewers)
      all.set(
        viewer,
        (await server.call(`GET /deals?month=${month}&limit=500`, { token: viewer.token })).body.items,
      );
    const each = fieldNames.flatMap((field) =>
      operatorsOf(field, customFields).map((operator): ColumnFilter => ({
        match: 'all',
        conditions: [randomCondition(field, operator)],
      })),
    );
    const rounds = process.env['LONG_TESTS'] ? 5000 : 200;
    const filters = [...each, ...Array.from({ length: rounds }, randomFilter)];
    let partial = 0;
    for (const [at, filter] of filters.entries()) {
      const viewer = viewers[at % viewers.length]!;
      const rows = all.get(viewer)!;
      const wanted = rows.filter(createFilterMatcher(filter, factsOf(viewer, rows)));
      const { status, body } = await list(viewer, filter);
      expect(status, JSON.stringify([filter, body])).toBe(200);
      expect(idsOf(body.items), JSON.stringify(filter)).toEqual(idsOf(wanted));
      expect(body.total).toBe(wanted.length);
      if (wanted.length > 0 && wanted.length < rows.length) partial += 1;
    }
    // Otherwise the rows and filters are not worth comparing.
    expect(partial).toBeGreaterThan(filters.length / 3);
  });

  test('a filter on columns applies to sums, searches, reports and exports', async () => {
    const [admin] = viewers as [Person];
    const filter = { match: 'all', conditions: [{ field: 'saleAmount', operator: 'moreThan', value: 100 }] };
    const rows: Deal[] = (await list(admin, filter)).body.items;
    const summary = await server.call(`GET /deals/summary?${query(filter)}`, { token: admin.token });
    expect(summary.body.total).toBe(rows.length);
    const report = await server.call(`GET /reports?${query(filter, `&from=${month}&to=${month}`)}`, {
      token: admin.token,
    });
    expect(report.body.total.deals).toBe(rows.length);
    const found = (await list(admin, filter, '&search=ann')).body.items;
    const isFound = ({ customerName, dealNumber, vehicle, customerEmail }: Deal) =>
      [customerName, dealNumber, vehicle, customerEmail].join(' ').toLowerCase().includes('ann');
    expect(idsOf(found)).toEqual(idsOf(rows.filter(isFound)));
    const wanted = { kind: 'deals', month, filter: JSON.stringify(filter) };
    const { body } = await server.call('POST /exports', { token: admin.token, body: wanted });
    expect(body.filter).toEqual({ month, filter: JSON.stringify(filter) });
    await expect
      .poll(async () => (await server.call(`GET /exports/${body._id}`, { token: admin.token })).body)
      .toMatchObject({ state: 'ready', rows: rows.length });
  });

  test('a filter on columns continues on the next page', async () => {
    const filter = { match: 'all', conditions: [{ field: 'saleAmount', operator: 'isNotEmpty' }] };
    const [admin] = viewers as [Person];
    const whole = idsOf((await list(admin, filter)).body.items);
    const pages: Deal[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await server.call(`GET /deals?${query(filter)}&sort=saleAmount&limit=7${after}`, {
        token: admin.token,
      });
      pages.push(...body.items);
      cursor = body.nextCursor;
    }
    expect(idsOf(pages)).toEqual(whole);
  });

  const empty = { field: 'notes', operator: 'isEmpty' };
  const all = (...conditions: object[]) => ({ match: 'all', conditions });
  test.each([
    ['other text than JSON', 'not json', 'filter'],
    ['JSON of a text', '"text"', 'filter'],
    ['too long a text', 'x'.repeat(8000), 'filter'],
    [
      'a text that is too long in an address',
      all(...Array.from({ length: 5 }, () => ({ field: 'notes', operator: 'is', value: '雷'.repeat(190) }))),
      'filter',
    ],
    [
      'a list in a list',
      all({ field: 'owner', operator: 'isAnyOf', value: [['01930000-0000-7000-8000-000000000002']] }),
      'filter.conditions.0.value.0',
    ],
    [
      'a key of every object as a field',
      all({ field: '__proto__', operator: 'isEmpty' }),
      'filter.conditions.0.field',
    ],
    [
      'a number too great',
      all({ field: 'saleAmount', operator: 'is', value: 1e308 }),
      'filter.conditions.0.value',
    ],
    [
      'the year 0',
      all({ field: 'createdAt', operator: 'after', value: '0000-01-01' }),
      'filter.conditions.0.value',
    ],
    [
      'more days than ten years',
      all({ field: 'createdAt', operator: 'inLastDays', value: 100_000 }),
      'filter.conditions.0.value',
    ],
    [
      'half a character',
      all({ field: 'notes', operator: 'contains', value: '\ud800' }),
      'filter.conditions.0.value',
    ],
    ['an unknown match', { match: 'some', conditions: [empty] }, 'filter.match'],
    ['no condition', all(), 'filter.conditions'],
    ['an unknown field', all({ field: 'password', operator: 'is', value: 'x' }), 'filter.conditions.0.field'],
    [
      'an operator of another kind',
      all({ field: 'notes', operator: 'moreThan', value: 1 }),
      'filter.conditions.0.operator',
    ],
    ['a missing value', all({ field: 'notes', operator: 'is' }), 'filter.conditions.0.value'],
    [
      'a control character',
      all({ field: 'notes', operator: 'is', value: 'a\u0000b' }),
      'filter.conditions.0.value',
    ],
    ['a value too many', all({ ...empty, value: 'x' }), 'filter.conditions.0.value'],
    [
      'another text than an id',
      all({ field: 'owner', operator: 'isAnyOf', value: ['me'] }),
      'filter.conditions.0.value',
    ],
    [
      'a day that does not exist',
      all({ field: 'createdAt', operator: 'is', value: '2025-02-30' }),
      'filter.conditions.0.value',
    ],
    [
      'a reversed range',
      all({ field: 'saleAmount', operator: 'between', value: [2, 1] }),
      'filter.conditions.0.value',
    ],
    [
      'a group in a group',
      all({ match: 'any', conditions: [{ match: 'any', conditions: [empty] }] }),
      'filter.conditions.0.conditions.0.match',
    ],
    ['a key of no custom field', all({ field: 'custom0', operator: 'isEmpty' }), 'filter.conditions.0.field'],
    [
      'a value that no custom field has',
      all({ field: 'custom1', operator: 'is', value: ['x'] }),
      'filter.conditions.0.value',
    ],
    ['an operator of another custom field', all({ field: keyOf('text'), operator: 'isTrue' }), 'filter'],
    [
      'a value of another custom field',
      all({ field: keyOf('number'), operator: 'is', value: 'ten' }),
      'filter',
    ],
    ['too many conditions', all(...Array.from({ length: 21 }, () => empty)), 'filter.conditions'],
  ])('a filter on columns with %s is a 400 that names the field', async (_what, filter, field) => {
    const text = typeof filter === 'string' ? filter : JSON.stringify(filter);
    for (const route of ['/deals', '/deals/summary', '/reports'])
      expect(
        await server.call(`GET ${route}?filter=${encodeURIComponent(text)}`, { token: viewers[0]!.token }),
      ).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
  });

  test('a filter on columns on a hidden column is refused everywhere, also inside a group', async () => {
    const narrow = await server.person({
      permissions: {
        dataEntry: {
          columnVisibility: { viewAllColumns: false, visibleColumns: ['customerName', 'followUpAt'] },
        },
      },
    } as never);
    const seen = { field: 'customerName', operator: 'isNotEmpty' };
    expect((await list(narrow, { match: 'all', conditions: [seen] })).status).toBe(200);
    const hidden = filterFieldNames.filter(
      (field) =>
        !['customerName', 'followUpAt', 'createdAt', 'updatedAt', 'isSharedWithMe', 'isUnsaved'].includes(
          field,
        ),
    );
    const forAdmins = await addField({ name: 'Margin', type: 'text', visibleTo: 'administrators' });
    const retired = await addField({ name: 'Old', type: 'text' });
    await changeField(retired, { active: false });
    const clerk = viewers[1]!;
    const refusals: [Person, FilterField][] = [
      ...[...hidden, keyOf('text'), keyOf('select')].map((field): [Person, FilterField] => [narrow, field]),
      ...[forAdmins.key, retired.key, 'custom999' as const].map((field): [Person, FilterField] => [
        clerk,
        field,
      ]),
    ];
    const ofAdmin = { match: 'all', conditions: [randomCondition(forAdmins.key)] };
    expect((await list(viewers[0]!, ofAdmin)).status).toBe(200);
    // Depends on the status as well, and would reveal whether it is closed.
    expect(hidden).toContain('isOverdue');
    for (const [viewer, field] of refusals) {
      const filter = {
        match: 'any',
        conditions: [seen, { match: 'all', conditions: [randomCondition(field)] }],
      };
      for (const route of ['/deals', '/deals/summary', '/reports'])
        expect(
          await server.call(`GET ${route}?${query(filter, '')}`, { token: viewer.token }),
          `${route} ${field}`,
        ).toMatchObject({ status: 400, body: { errors: { filter: `You may not filter by ${field}` } } });
      const wanted = { kind: 'deals', filter: JSON.stringify(filter) };
      expect(await server.call('POST /exports', { token: viewer.token, body: wanted })).toMatchObject({
        status: 400,
        body: { errors: { filter: expect.any(String) } },
      });
    }
  });

  test('a filter on columns in all months ends with a 400 after the time limit, and keeps no connection', async () => {
    const scope = { onlyMonth: null } as never;
    const where = sql<never>`true`;
    const slow = (filter: object, maxMs: number) =>
      readWithinLimit(server.db, { scope, filter, maxMs }, (db) =>
        sql<{ done: string }>`select 'done' as done from pg_sleep(0.05)`.execute(db),
      );
    await expect(slow({ where }, 1)).rejects.toMatchObject({
      details: { errors: { filter: expect.stringContaining('Choose a month') } },
    });
    expect((await slow({ where }, 60_000)).rows).toEqual([{ done: 'done' }]);
    expect((await slow({ where, month }, 1)).rows).toEqual([{ done: 'done' }]);
    expect((await slow({}, 1)).rows).toEqual([{ done: 'done' }]);
    const failing = readWithinLimit(server.db, { scope, filter: { where }, maxMs: 60_000 }, (db) =>
      sql`select 1 / 0`.execute(db),
    );
    await expect(failing).rejects.toMatchObject({ message: 'division by zero' });
  });

  test('a filter on columns with a search stays in the current month for users who may not search all months', async () => {
    const [admin] = viewers as [Person];
    const limited = await server.person({
      permissions: { dataEntry: { canAccessAllMonths: true, canSearchHistorical: false } },
    });
    const deal = await addDeal(server, admin, dealerships[0]!, {
      month: '2024-02',
      customerName: 'Searched for',
    });
    const filter = {
      match: 'all',
      conditions: [{ field: 'dealershipId', operator: 'isAnyOf', value: dealerships }],
    };
    const found = async (by: Person, rest: string) =>
      idsOf((await list(by, filter, `&search=searched${rest}`)).body.items);
    expect(await found(admin, '')).toEqual([deal._id]);
    expect(await found(limited, '&month=2024-02')).toEqual([deal._id]);
    expect(await found(limited, '')).toEqual([]);
  });

  test('a filter on columns in all months finds rows of every month', async () => {
    const [admin] = viewers as [Person];
    const deal = await addDeal(server, admin, dealerships[0]!, { month: '2024-01', vehicle: 'Only one' });
    const filter = { match: 'all', conditions: [{ field: 'vehicle', operator: 'is', value: 'only ONE' }] };
    expect(idsOf((await list(admin, filter, '')).body.items)).toEqual([deal._id]);
    expect((await list(admin, filter)).body.items).toEqual([]);
  });
});

describe('groups', () => {
  /** The value of a row, as the documentation defines it. */
  function valueOf(field: GroupField, deal: Deal): string | null {
    const { emailStatus, isChangedSinceSent } = deal;
    if (field === 'emailState') {
      if (emailStatus === null || emailStatus === undefined || emailStatus === 'cancelled') return 'notSent';
      if (emailStatus === 'sent' && isChangedSinceSent) return 'changed';
      return ['sent', 'failed', 'unconfirmed'].includes(emailStatus) ? emailStatus : 'queued';
    }
    if (isCustomKey(field)) {
      const value = deal.custom?.[field];
      if (value === true) return 'true';
      return (value as string | undefined) ?? null;
    }
    const value = deal[field] ?? null;
    const isTime = field === 'createdAt' || field === 'followUpAt' || field === 'lastEmailedAt';
    return isTime && value !== null ? clock.businessDate(new Date(value)) : value;
  }

  test('groups have the value that createGroupReader returns for each row of the server', async () => {
    const { body } = await server.call(`GET /deals?month=${month}&limit=500`, { token: viewers[0]!.token });
    const dayOf = (instant: string) => clock.businessDate(new Date(instant));
    const fields = [
      ...groupFields,
      ...(['select', 'person', 'checkbox', 'date'] as const).map((type) => keyOf(type)),
    ];
    for (const field of fields) {
      const read = createGroupReader(field, dayOf);
      const values = body.items.map((deal: Deal) => valueOf(field, deal));
      expect(body.items.map(read), field).toEqual(values);
      expect(new Set(values).size, field).toBeGreaterThan(field === 'month' ? 0 : 1);
    }
  });
});

test('GET /deals/summary has the count and the sums of the rows of a filter, for every viewer', async () => {
  const barred = await server.person({
    permissions: { dataEntry: { columnVisibility: { restrictedStatuses: [statuses[1]!._id] } } },
  } as never);
  const counting = new Set(statuses.flatMap((each) => (each.countsForCommission ? each.name : [])));
  const everybody = [...viewers, barred];
  const rounds = process.env['LONG_TESTS'] ? 2000 : 100;
  for (let at = 0; at < rounds; at += 1) {
    const { token } = everybody[at % everybody.length]!;
    const filter = query(randomFilter());
    const listed = await server.call(`GET /deals?${filter}&limit=500`, { token });
    expect(listed.status, JSON.stringify(listed.body)).toBe(200);
    const rows: Deal[] = listed.body.items;
    const sum = (amount: keyof Deal, of = rows) =>
      of.reduce((cents, deal) => cents + centsOf(deal[amount] as number | null), 0) / 100;
    const { body } = await server.call(`GET /deals/summary?${filter}`, { token });
    // The sum is null if none of the rows has a rate.
    expect({ ...body, commission: body.commission ?? 0 }, filter).toMatchObject({
      total: rows.length,
      byStatus: statuses.flatMap(({ name }) => {
        const count = rows.filter(({ status }) => status === name).length;
        return count > 0 ? [{ status: name, count }] : [];
      }),
      saleAmount: sum('saleAmount'),
      grossProfit: sum('grossProfit'),
      commission: sum(
        'commission',
        rows.filter(({ status }) => counting.has(status!)),
      ),
    });
  }
});

// What browser and server share, so that the comparison above does not test it.

test.each<[Omit<FilterCondition, 'field'>, { from?: string; to?: string }]>([
  [
    { operator: 'is', value: '2026-03-01' },
    { from: '2026-03-01', to: '2026-03-01' },
  ],
  [{ operator: 'before', value: '2026-03-01' }, { to: '2026-02-28' }],
  [{ operator: 'after', value: '2024-02-28' }, { from: '2024-02-29' }],
  [
    { operator: 'between', value: ['2026-03-01', '2026-03-05'] },
    { from: '2026-03-01', to: '2026-03-05' },
  ],
  [
    { operator: 'inLastDays', value: 1 },
    { from: '2026-11-20', to: '2026-11-20' },
  ],
  [
    { operator: 'inLastDays', value: 30 },
    { from: '2026-10-22', to: '2026-11-20' },
  ],
  [
    { operator: 'inNextDays', value: 7 },
    { from: '2026-11-20', to: '2026-11-26' },
  ],
])('the business days of the filter %j are these', (condition, days) => {
  expect(daysOf({ field: 'deliveryDate', ...condition }, '2026-11-20')).toEqual(days);
});

const matches = (condition: FilterCondition, deal: Partial<Deal>): boolean =>
  createFilterMatcher({ match: 'all', conditions: [condition] }, { customFields: [] } as never)(deal as Deal);

test.each<[string, string, boolean]>([
  ['0412 345', '(0412) 345 678', true],
  ['+61 412 345 678', '(0412) 345 678', true],
  ['345-678', '(0412) 345 678', true],
  ['345 679', '(0412) 345 678', false],
  ['412x', '(0412) 345 678', false],
])('a phone number that contains %s: %s is %s', (value, customerNumber, isMet) => {
  expect(matches({ field: 'customerNumber', operator: 'contains', value }, { customerNumber })).toBe(isMet);
});

test.each<[FilterMatch, number]>([
  ['all', 1],
  ['any', 2000],
])('texts are read only of rows that other conditions do not decide, of %s', (match, decided) => {
  const text: FilterCondition = { field: 'customerName', operator: 'contains', value: 'ann' };
  const amount: FilterCondition = { field: 'saleAmount', operator: 'moreThan', value: 1000 };
  const nested: FilterGroup = { match, conditions: [text, amount] };
  let reads = 0;
  const deal = (saleAmount: number) => ({
    saleAmount,
    get customerName() {
      reads += 1;
      return 'Joanna';
    },
  });
  for (const conditions of [
    [text, amount],
    [nested, amount],
  ]) {
    const test = createFilterMatcher({ match, conditions }, { customFields: [] } as never);
    reads = 0;
    expect(test(deal(decided) as never)).toBe(match === 'any');
    expect(reads).toBe(0);
    expect(test(deal(2001 - decided) as never)).toBe(true);
    expect(reads).toBe(1);
  }
});

test('texts match without regard to case, surrounding spaces and the form of accents', () => {
  const condition: FilterCondition = { field: 'customerName', operator: 'is', value: ' zoe\u0308 ' };
  expect(matches(condition, { customerName: 'ZO\u00cb' })).toBe(true);
  expect(matches(condition, { customerName: 'Zoe' })).toBe(false);
});
