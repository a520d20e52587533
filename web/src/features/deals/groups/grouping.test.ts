import {
  createGroupReader,
  groupFields,
  groupsByDay,
  type GroupField,
} from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
import { expect, test } from 'vitest';
import { createRowStore } from '../../../grid/grid.ts';
import { customCell } from '../deal-fields.ts';
import { valueOf, type DealRow } from '../deal-row.ts';
import {
  cachedDays,
  createGroupings,
  groupOrder,
  type DealGroup,
  type GroupAmounts,
  type GroupingFacts,
} from './grouping.ts';

/** A repeatable sequence of numbers from 0 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const dayOf = (instant: string): string => instant.slice(0, 10);
const statuses = ['Entered', 'Called', 'Deal'];

const amounts: GroupAmounts = {
  counting: new Set(['Deal']),
  saleAmount: (row) => valueOf(row, 'saleAmount'),
  grossProfit: (row) => row.deal?.grossProfit ?? null,
  commission: (row) => row.deal?.commission ?? null,
};

const factsOf = (field: GroupField): GroupingFacts => ({
  field,
  dayOf,
  labelOf: (value) => value ?? 'None',
  compare: groupOrder(field === 'month' || groupsByDay.has(field), null, field === 'status' ? statuses : []),
});

const random = numbersFrom(7);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const time = (): string => `2026-11-0${1 + Math.floor(random() * 4)}T0${Math.floor(random() * 9)}:30:00.000Z`;

const randomRow = (key: string): DealRow => ({
  key,
  deal: {
    _id: key,
    status: pick(statuses),
    dealershipId: pick(['north', 'south']),
    owner: pick(['kim', 'ada']),
    month: pick(['2026-10', '2026-11']),
    deliveryDate: pick([null, '2026-11-20', '2026-11-21']),
    createdAt: time(),
    followUpAt: pick([null, time()]),
    lastEmailedAt: pick([null, time()]),
    emailStatus: pick([null, 'sent', 'failed', 'queued', 'cancelled']),
    isChangedSinceSent: pick([true, false]),
    saleAmount: pick([null, 0.1, 0.2, 99.99]),
    grossProfit: pick([null, -5.55, 0.3]),
    commission: pick([null, 1.1]),
    custom: pick<object>([{}, { custom1: 'o1' }, { custom1: 'o2', custom2: true }]),
  } as unknown as Deal,
  draft: random() < 0.2 ? ({ typed: randomTyped(), refused: {} } as never) : undefined,
});

const randomTyped = () => ({
  status: { value: pick(statuses) },
  ...(random() < 0.5 && { custom1: { value: pick([null, 'o1']) } }),
  ...(random() < 0.5 && { custom2: { value: pick([null, customCell(true)]) } }),
});

const fields: readonly GroupField[] = [...groupFields, 'custom1', 'custom2'];

/** The groups of rows as the documentation defines them, without stored values. */
function plainGroups(field: GroupField, rows: readonly DealRow[]): DealGroup[] {
  const value = (row: DealRow): string | null => {
    if (field === 'custom1') return valueOf(row, field) as string | null;
    if (field === 'custom2') return valueOf(row, field) === null ? null : 'true';
    return createGroupReader(field, dayOf)({ ...row.deal, status: String(valueOf(row, 'status')) });
  };
  const sum = (amounts: readonly (number | null | undefined)[]): number =>
    amounts.reduce<number>((cents, amount) => cents + Math.round((amount ?? 0) * 100), 0);
  return [...Map.groupBy(rows, value)]
    .map(([of, all]) => [of, all, all.filter((row) => valueOf(row, 'status') === 'Deal')] as const)
    .map(([of, all, counted]) => ({
      value: of,
      label: of ?? 'None',
      keys: all.map(({ key }) => key),
      totals: {
        count: all.length,
        saleAmount: sum(all.map(({ deal }) => deal?.saleAmount)),
        grossProfit: sum(all.map(({ deal }) => deal?.grossProfit)),
        commission: sum(counted.map(({ deal }) => deal?.commission)),
        withRate: counted.filter(({ deal }) => deal?.commission !== null).length,
        withoutRate: counted.filter(
          ({ deal, draft }) => deal?.commission === null && deal.saleAmount !== null && !draft,
        ).length,
      },
    }))
    .sort(factsOf(field).compare);
}

test.each(fields)('groups by %s, then by others, stay those of the rows through any changes', (first) => {
  const store = createRowStore<DealRow>((notify) => notify());
  const groupBy = createGroupings(store, amounts);
  let field = first;
  let grouping = groupBy(factsOf(field));
  const known = new Map<string | null, DealGroup['totals']>();
  let groups: DealGroup[] = [];
  const place = (): void => {
    ({ groups } = grouping.groupsOf(store.getOrder()));
    known.clear();
    for (const { value, totals } of groups) known.set(value, { ...totals });
  };
  store.subscribeOrder(place);
  store.subscribeRecords((keys) => {
    const isMoved =
      keys !== null &&
      grouping.update(keys, (value, change) => void known.set(value, change(known.get(value)!)));
    if (isMoved) place();
  });
  store.setRows(Array.from({ length: 30 }, (_, at) => randomRow(`row-${at}`)));
  for (let step = 0; step < 200; step += 1) {
    const chance = random();
    if (chance < 0.1) store.remove([pick(store.getOrder())]);
    else if (chance < 0.2) store.upsert([randomRow(`new-${step}`)]);
    else if (chance < 0.25) store.setOrder(store.getOrder().toReversed());
    else if (chance < 0.27) store.setRows(store.getOrder().map(randomRow));
    else if (chance < 0.3) {
      field = pick(fields);
      grouping = groupBy(factsOf(field));
      place();
    } else store.upsert([randomRow(pick(store.getOrder()))]);
    const wanted = plainGroups(
      field,
      store.getOrder().map((key) => store.get(key)!),
    );
    expect(groups.map(({ value, keys }) => ({ value, keys }))).toEqual(
      wanted.map(({ value, keys }) => ({ value, keys })),
    );
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(wanted.map(({ value, totals }) => [value, totals])),
    );
  }
});

test('the row of the active cell stays in its group until the user leaves it; it is counted in the new one at once', () => {
  const store = createRowStore<DealRow>((notify) => notify());
  const row = (key: string, status: string): DealRow => ({
    key,
    deal: { _id: key, status } as Deal,
    draft: undefined,
  });
  store.setRows([row('a', 'Entered'), row('b', 'Entered'), row('c', 'Called')]);
  const grouping = createGroupings(store, amounts)(factsOf('status'));
  const shown = () => {
    const { groups, rest } = grouping.groupsOf(store.getOrder());
    return { rest, groups: groups.map(({ value, keys, totals }) => [value, totals.count, keys.join('')]) };
  };
  shown();
  expect(grouping.setActive('a')).toBe(false);
  store.upsert([row('a', 'Deal')]);
  expect(grouping.update(['a'], () => {})).toBe(true);
  expect(shown().groups).toEqual([
    ['Entered', 1, 'ab'],
    ['Called', 1, 'c'],
    ['Deal', 1, ''],
  ]);
  expect(grouping.setActive('b')).toBe(true);
  expect(shown().groups).toEqual([
    ['Entered', 1, 'b'],
    ['Called', 1, 'c'],
    ['Deal', 1, 'a'],
  ]);
  // A new row that is saved while the user is in it.
  expect(grouping.setActive('new')).toBe(false);
  store.upsert([row('new', 'Called')]);
  expect(shown()).toEqual({
    rest: ['new'],
    groups: [
      ['Entered', 1, 'b'],
      ['Called', 2, 'c'],
      ['Deal', 1, 'a'],
    ],
  });
  expect(grouping.setActive(null)).toBe(true);
  expect(shown()).toMatchObject({
    rest: [],
    groups: [
      ['Entered', 1, 'b'],
      ['Called', 2, 'cnew'],
      ['Deal', 1, 'a'],
    ],
  });
});

test('the row of the active cell is in its group of another column', () => {
  const store = createRowStore<DealRow>((notify) => notify());
  const row = (key: string, status: string, owner: string): DealRow => ({
    key,
    deal: { _id: key, status, owner } as Deal,
    draft: undefined,
  });
  store.setRows([row('a', 'Deal', 'kim'), row('b', 'Deal', 'ada')]);
  const groupBy = createGroupings(store, amounts);
  groupBy(factsOf('status')).groupsOf(store.getOrder());
  const byOwner = groupBy(factsOf('owner'));
  byOwner.groupsOf(store.getOrder());
  byOwner.setActive('a');
  const { groups, rest } = byOwner.groupsOf(store.getOrder());
  expect(rest).toEqual([]);
  expect(groups.map(({ value, keys }) => [value, keys.join('')])).toEqual([
    ['ada', 'b'],
    ['kim', 'a'],
  ]);
});

test('groups by another column are updated for a row that was changed and changed back', () => {
  const store = createRowStore<DealRow>((notify) => notify());
  const row = (saleAmount: number): DealRow => ({
    key: 'a',
    deal: { _id: 'a', status: 'Deal', owner: 'kim', saleAmount } as Deal,
    draft: undefined,
  });
  const before = row(1);
  store.setRows([before]);
  const groupBy = createGroupings(store, amounts);
  const byStatus = groupBy(factsOf('status'));
  byStatus.groupsOf(store.getOrder());
  store.upsert([row(2)]);
  byStatus.update(['a'], () => {});
  store.upsert([before]);
  const byOwner = groupBy(factsOf('owner'));
  expect(byOwner.groupsOf(store.getOrder()).groups[0]?.totals.saleAmount).toBe(100);
  expect(byOwner.valueOf('a')).toBe('kim');
});

/** Rows by key, owned by kim, and how often the day of one was read. */
function dayGroups(...keys: string[]) {
  const store = createRowStore<DealRow>((notify) => notify());
  const row = (key: string, day: string, saleAmount = 1): DealRow => ({
    key,
    deal: { _id: key, createdAt: day, owner: 'kim', status: 'Deal', saleAmount } as Deal,
    draft: undefined,
  });
  store.setRows(keys.map((key) => row(key, '2026-11-20')));
  const reads: string[] = [];
  const facts: GroupingFacts = {
    ...factsOf('createdAt'),
    dayOf: (instant) => (reads.push(instant), instant),
    labelOf: (value, { key }) => `${value} of ${key}`,
  };
  return { store, row, reads, facts, groupBy: createGroupings(store, amounts) };
}

test('the value of a row is read once, whatever the order', () => {
  const { store, reads, facts, groupBy } = dayGroups('a', 'b', 'c');
  const grouping = groupBy(facts);
  grouping.groupsOf(store.getOrder());
  expect(reads).toHaveLength(3);
  grouping.groupsOf(store.getOrder());
  store.setOrder(['c', 'a', 'b']);
  grouping.groupsOf(store.getOrder());
  store.remove(['c']);
  grouping.groupsOf(store.getOrder());
  expect(reads).toHaveLength(3);
});

test('only rows that were placed by this column have a value', () => {
  const { store, facts, groupBy } = dayGroups('a', 'b');
  const byDay = groupBy(facts);
  const { groups } = byDay.groupsOf([...store.getOrder(), 'unknown']);
  expect(groups.map(({ keys, totals }) => [keys, totals.count])).toEqual([[['a', 'b'], 2]]);
  expect([byDay.valueOf('a'), byDay.valueOf('unknown')]).toEqual(['2026-11-20', undefined]);
  expect(groupBy(factsOf('owner')).valueOf('a')).toBeUndefined();
  store.remove(['a']);
  byDay.groupsOf(store.getOrder());
  expect(byDay.valueOf('a')).toBeUndefined();
});

test('a change within a group adds the difference, and no row has to be placed again', () => {
  const { store, row, facts, groupBy } = dayGroups('a', 'b');
  const grouping = groupBy(facts);
  let totals = grouping.groupsOf(store.getOrder()).groups[0]!.totals;
  const changes: (string | null)[] = [];
  const update = (...keys: string[]) =>
    grouping.update(keys, (value, change) => {
      changes.push(value);
      totals = change(totals);
    });
  expect(update('a', 'unknown')).toBe(false);
  expect(changes).toEqual([]);
  store.upsert([row('a', '2026-11-20', 5)]);
  expect(update('a', 'b')).toBe(false);
  expect(changes).toEqual(['2026-11-20']);
  expect(totals).toMatchObject({ count: 2, saleAmount: 600 });
  store.remove(['b']);
  expect(update('b')).toBe(false);
});

test('a group is named after its first row, or the row of the active cell that stays in it', () => {
  const { store, row, facts, groupBy } = dayGroups('a', 'b');
  const grouping = groupBy(facts);
  const labels = () => grouping.groupsOf(store.getOrder()).groups.map(({ label }) => label);
  expect(labels()).toEqual(['2026-11-20 of a']);
  grouping.setActive('a');
  store.remove(['b']);
  store.upsert([row('a', '2026-11-21')]);
  expect(labels()).toEqual(['2026-11-21 of a', '2026-11-20 of a']);
  // The same cell again changes nothing.
  expect(grouping.setActive('a')).toBe(false);
  expect(labels()).toEqual(['2026-11-21 of a', '2026-11-20 of a']);
});

test('a column that does not exist for the user adds nothing', () => {
  const { store, facts } = dayGroups('a');
  const { groups } = createGroupings(store, { counting: new Set() })(facts).groupsOf(store.getOrder());
  expect(groups[0]?.totals).toMatchObject({
    count: 1,
    saleAmount: 0,
    grossProfit: 0,
    commission: 0,
    withRate: 0,
  });
});

test('an empty value is compared as last from both sides', () => {
  const compare = groupOrder(true, null, []);
  const [empty, day] = [
    { value: null, label: '' },
    { value: '2026-11-20', label: '' },
  ];
  expect([compare(empty, day), compare(day, empty)]).toEqual([1, -1]);
});

test('days are newest first, names in their order, and empty cells last, in both directions', () => {
  const order = (
    field: GroupField,
    direction: 'ascending' | 'descending' | null,
    values: (string | null)[],
  ) =>
    values
      .map((value) => ({ value, label: value ?? '' }))
      .sort(groupOrder(groupsByDay.has(field), direction, []))
      .map(({ value }) => value);
  const days = [null, '2026-11-02', '2026-11-10', '2026-11-01'];
  expect(order('createdAt', null, days)).toEqual(['2026-11-10', '2026-11-02', '2026-11-01', null]);
  expect(order('createdAt', 'ascending', days)).toEqual(['2026-11-01', '2026-11-02', '2026-11-10', null]);
  const names = ['Yard 10', null, 'yard 9', 'École', 'Eden'];
  expect(order('owner', null, names)).toEqual(['École', 'Eden', 'yard 9', 'Yard 10', null]);
  expect(order('owner', 'descending', names)).toEqual(['Yard 10', 'yard 9', 'Eden', 'École', null]);
});

test('one time of each quarter of an hour is converted to its day', () => {
  const asked: string[] = [];
  const day = cachedDays((instant) => {
    asked.push(instant);
    return instant;
  });
  const at = (minute: string) => day(`2026-11-20T13:${minute}:05.000Z`);
  expect([at('00'), at('14'), at('15'), at('29'), at('00')].map((instant) => instant.slice(14, 16))).toEqual([
    '00',
    '00',
    '15',
    '15',
    '00',
  ]);
  expect(asked).toHaveLength(2);
});

test('empty values are the last group, and unknown ones are last among the ranked', () => {
  const order = (compare: GroupingFacts['compare'], ...values: (string | null)[]) =>
    values
      .map((value) => ({ value, label: value ?? '' }))
      .toSorted(compare)
      .map(({ value }) => value);
  const ranked = groupOrder(false, null, statuses);
  expect(order(ranked, null, 'Gone', 'Deal', 'Entered')).toEqual(['Entered', 'Deal', 'Gone', null]);
  expect(order(ranked, 'Entered', 'Gone', 'Deal', null)).toEqual(['Entered', 'Deal', 'Gone', null]);
  const byDay = groupOrder(true, 'descending', []);
  expect(order(byDay, null, '2026-11-20', '2026-11-21')).toEqual(['2026-11-21', '2026-11-20', null]);
});
