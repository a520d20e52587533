import { customFieldTypes, type CustomKey } from '@forecourt/contract/custom-field-types';
import {
  conditionFault,
  emailStates,
  filterFieldNames,
  kindOf,
  MAX_FILTER_CONDITIONS,
  MAX_FILTER_VALUES,
  operatorsOf,
  type ColumnFilter,
  type FilterCondition,
} from '@forecourt/contract/deal-filter-fields';
import { MAX_MONEY } from '@forecourt/contract/money-limits';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailStates as labelsOfEmailStates } from '../../../texts/deal-filter.ts';
import type { DealOptions } from '../deal-fields.ts';
import { filterText, firstFilter, readFilter } from '../deal-view.ts';
import { filterOfLink, offeredFilter, parseFilter, withoutPart } from './filter.ts';

const ID = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';
const ofStatus = (...value: string[]): FilterCondition => ({ field: 'status', operator: 'isAnyOf', value });
const notes: FilterCondition = { field: 'notes', operator: 'contains', value: 'ring' };
const all = (...conditions: ColumnFilter['conditions']): ColumnFilter => ({ match: 'all', conditions });

const customFields = customFieldTypes.map((type, at) => ({ key: `custom${at + 1}` as CustomKey, type }));

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100);
const pair = <T extends string | number>(one: fc.Arbitrary<T>) =>
  fc.tuple(one, one).map(([a, b]) => (a < b ? [a, b] : [b, a]));

const valueOf = (field: FilterCondition['field'], operator: FilterCondition['operator']) => {
  const kind = kindOf(field, customFields);
  if (operator === 'isEmpty' || operator === 'isNotEmpty' || kind === 'flag') return fc.constant(undefined);
  if (field === 'emailState') return fc.subarray([...emailStates], { minLength: 1 });
  if (kind === 'choice' || kind === 'choices') return fc.subarray([ID, OTHER], { minLength: 1 });
  if (kind === 'text')
    return fc
      .string({ maxLength: 40, unit: 'grapheme' })
      .filter((text) => text.trim() !== '' && !/\p{Cc}/u.test(text));
  const one = kind === 'number' ? amount : day;
  if (operator === 'between') return pair<string | number>(one);
  return operator.endsWith('Days') ? fc.integer({ min: 1, max: 3653 }) : one;
};
const condition = fc
  .constantFrom(...filterFieldNames, ...customFields.map(({ key }) => key))
  .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...operatorsOf(field, customFields))))
  .chain(([field, operator]) =>
    valueOf(field, operator).map(
      (value) => ({ field, operator, ...(value !== undefined && { value }) }) as FilterCondition,
    ),
  );
const match = fc.constantFrom('all' as const, 'any' as const);
const group = fc.record({ match, conditions: fc.array(condition, { minLength: 1, maxLength: 3 }) });
const filter = fc.record({
  match,
  conditions: fc.array(fc.oneof(condition, group), { minLength: 1, maxLength: 5 }),
});

test('the first rows have the last filter; another one in the address is checked first', () => {
  const last = all(notes);
  expect(firstFilter(undefined, last)).toBe(last);
  expect(firstFilter(filterText(last), last)).toBe(last);
  expect(firstFilter('', last)).toBeNull();
  expect(firstFilter(filterText(all(ofStatus(ID))), last)).toBeUndefined();
  expect(firstFilter('{"match', null)).toBeUndefined();
});

test.each([
  ['that is a group as well', { ...notes, conditions: 1 }],
  ['with a list as its field', { ...notes, field: ['notes'] }],
  ['with a list in the list of values', { field: 'owner', operator: 'isAnyOf', value: [[ID]] }],
  ['with a key of every object as its field', { field: '__proto__', operator: 'isEmpty' }],
])('a condition %s is malformed', (_, part) => {
  expect(parseFilter(JSON.stringify({ match: 'all', conditions: [part] }))).toBeNull();
});

test('a filter that is too long in an address is malformed', () => {
  const long = (letter: string) =>
    all(...Array.from({ length: 5 }, (): FilterCondition => ({ ...notes, value: letter.repeat(190) })));
  expect(parseFilter(filterText(long('x'))!)).toEqual(long('x'));
  expect(parseFilter(filterText(long('雷'))!)).toBeNull();
});

test('a filter is the same after it was in the address', () => {
  fc.assert(
    fc.property(filter, (each) => {
      expect(parseFilter(filterText(each)!)).toEqual(each);
      expect(filterText(parseFilter(filterText(each)!))).toBe(filterText(each));
      expect(readFilter(filterText(each))).toEqual(each);
    }),
  );
});

test('any text is a filter or none, and never an error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const parsed = parseFilter(text);
      expect(parsed === null || filterText(parseFilter(filterText(parsed)!)) === filterText(parsed)).toBe(
        true,
      );
    }),
  );
});

test.each([
  ['', 'no JSON'],
  ['[]', 'a list'],
  ['{"match":"all","conditions":[]}', 'no condition'],
  ['{"match":"most","conditions":[{"field":"notes","operator":"isEmpty"}]}', 'an unknown match'],
  ['{"match":"all","conditions":[{"field":"secret","operator":"isEmpty"}]}', 'an unknown field'],
  ['{"match":"all","conditions":[{"field":"toString","operator":"isEmpty"}]}', 'an inherited name'],
  [
    '{"match":"all","conditions":[{"field":"notes","operator":"moreThan","value":1}]}',
    'an operator of another kind',
  ],
  ['{"match":"all","conditions":[{"field":"saleAmount","operator":"is","value":"1"}]}', 'a wrong value'],
  ['{"match":"all","conditions":[{"match":"any","conditions":[]}]}', 'an empty group'],
  [
    '{"match":"all","conditions":[{"match":"all","conditions":[{"match":"any","conditions":[{"field":"notes","operator":"isEmpty"}]}]}]}',
    'a group in a group',
  ],
  [
    filterText(all(...Array.from({ length: MAX_FILTER_CONDITIONS + 1 }, () => notes)))!,
    'too many conditions',
  ],
])('%s is no filter: %s', (text) => {
  expect(parseFilter(text)).toBeNull();
  expect(offeredFilter(readFilter(text), undefined)).toBeNull();
});

test('the states of the email have their labels in the order of groups, which begins with rows without an email', () => {
  expect(Object.keys(labelsOfEmailStates)).toEqual([...emailStates]);
});

test('equal filters have equal texts, whatever the order of their keys', () => {
  const stored = '{"conditions":[{"value":"ring","field":"notes","operator":"contains"}],"match":"all"}';
  expect(filterText(parseFilter(stored))).toBe(filterText(all(notes)));
});

describe('the offered filter', () => {
  const options = (columns: string[], ids: string[] = [ID]) =>
    ({
      columns,
      statuses: ids.map((_id) => ({ _id, name: 'Called' })),
      dealerships: [],
      owners: [],
      items: [],
    }) as unknown as DealOptions;

  test('the offered filter lacks conditions on columns that do not exist for the user, also in groups', () => {
    const group = { match: 'any' as const, conditions: [notes, ofStatus(ID)] };
    const seesStatus = offeredFilter(all(notes, group), options(['status']));
    expect(seesStatus).toEqual(all({ match: 'any', conditions: [ofStatus(ID)] }));
    expect(offeredFilter(all(notes), options(['status']))).toBeNull();
    const overdue: FilterCondition = { field: 'isOverdue', operator: 'isTrue' };
    expect(offeredFilter(all(overdue), options(['followUpAt']))).toBeNull();
    expect(offeredFilter(all(overdue), options(['followUpAt', 'status']))).toEqual(all(overdue));
  });

  test('the offered filter lacks values that are not offered', () => {
    expect(offeredFilter(all(ofStatus(ID, OTHER)), options(['status']))).toEqual(all(ofStatus(ID)));
    expect(offeredFilter(all(ofStatus(OTHER)), options(['status']))).toBeNull();
  });

  test('the offered filter has custom fields that exist for the user, as their types allow', () => {
    const known = {
      ...options([]),
      customFields: [
        { key: 'custom1', type: 'select', options: [{ id: 'o1', name: 'Loan' }] },
        { key: 'custom2', type: 'number', options: [] },
      ],
    } as unknown as DealOptions;
    const anyOf = (...value: string[]): FilterCondition => ({ field: 'custom1', operator: 'isAnyOf', value });
    const more: FilterCondition = { field: 'custom2', operator: 'moreThan', value: 1 };
    expect(offeredFilter(all(anyOf('o1', 'o9'), more), known)).toEqual(all(anyOf('o1'), more));
    for (const condition of [
      anyOf('o9'),
      { ...more, field: 'custom3' } as const,
      { ...more, field: 'custom1' } as const,
      { ...more, operator: 'contains', value: 'x' } as const,
    ])
      expect(offeredFilter(all(condition), known)).toBeNull();
  });

  test('the offered filter is unchanged while the options are not loaded', () => {
    expect(offeredFilter(all(notes), undefined)).toEqual(all(notes));
  });
});

test('a part is removed by its position; without parts there is no filter', () => {
  expect(withoutPart(all(notes, ofStatus(ID)), 0)).toEqual(all(ofStatus(ID)));
  expect(withoutPart(all(notes), 0)).toBeNull();
});

test('the parameters of a link from a figure become conditions', () => {
  const options = { statuses: [{ _id: ID, name: 'Called' }] } as unknown as DealOptions;
  expect(filterOfLink({ status: 'Called', dealershipId: OTHER }, options)).toEqual(
    all(ofStatus(ID), { field: 'dealershipId', operator: 'isAnyOf', value: [OTHER] }),
  );
  expect(filterOfLink({ status: '', dealershipId: '' }, options)).toBeNull();
  expect(filterOfLink({ status: 'Unknown', owner: 'nobody' }, options)).toBeNull();
});

describe('the value of a condition', () => {
  const days = 'a date such as 2026-11-20';
  const list = (length: number) => Array.from({ length }, () => ID);
  test.each<[FilterCondition['field'], FilterCondition['operator'], unknown, string | undefined]>([
    ['notes', 'isEmpty', 'x', 'Must be absent'],
    ['notes', 'moreThan', 1, 'Must be one of contains, doesNotContain, is, isNot, isEmpty, isNotEmpty'],
    ['notes', 'is', 7, 'Must be a text'],
    ['notes', 'is', ' ', 'Must be a text'],
    ['notes', 'is', 'x'.repeat(200), undefined],
    ['notes', 'is', 'x'.repeat(201), 'Must be at most 200 characters'],
    ['notes', 'is', 'a\nb', 'Must be one line of plain text'],
    ['notes', 'is', '\ud800', 'Must be one line of plain text'],
    ['saleAmount', 'is', '1', 'Must be a number'],
    ['saleAmount', 'is', -MAX_MONEY, undefined],
    ['saleAmount', 'is', MAX_MONEY + 1, 'Must be a number'],
    ['saleAmount', 'between', [1, 1], undefined],
    ['saleAmount', 'between', [2, 1], 'The first value must not be greater than the second'],
    ['saleAmount', 'between', 1, 'Must be two of: a number'],
    ['saleAmount', 'between', [1], 'Must be two of: a number'],
    ['saleAmount', 'between', [1, 2, 3], 'Must be two of: a number'],
    ['saleAmount', 'between', [1, '2'], 'Must be two of: a number'],
    ['createdAt', 'is', '2026-02-29', `Must be ${days}`],
    ['createdAt', 'is', '2026-01-32', `Must be ${days}`],
    ['createdAt', 'is', '2100-01-01', `Must be ${days}`],
    ['createdAt', 'is', ['2026-11-20'], `Must be ${days}`],
    ['createdAt', 'is', '2024-02-29', undefined],
    ['createdAt', 'between', ['2026-11-20', 'today'], `Must be two of: ${days}`],
    ['createdAt', 'inLastDays', 0, 'Must be a number of days from 1 to 3653'],
    ['createdAt', 'inLastDays', 1, undefined],
    ['createdAt', 'inNextDays', 1.5, 'Must be a number of days from 1 to 3653'],
    ['createdAt', 'inNextDays', 3653, undefined],
    ['createdAt', 'inNextDays', 3654, 'Must be a number of days from 1 to 3653'],
    ['owner', 'isAnyOf', ID, 'Must be a list of values'],
    ['owner', 'isAnyOf', [], 'Must be a list of values'],
    ['owner', 'isAnyOf', [ID, 'me'], 'Must be a list of ids'],
    ['owner', 'isAnyOf', list(MAX_FILTER_VALUES), undefined],
    ['owner', 'isAnyOf', list(MAX_FILTER_VALUES + 1), 'Must have at most 50 values'],
    ['emailState', 'isAnyOf', ['sent', 'lost'], `Must be of ${emailStates.join(', ')}`],
    // Of a custom field whose type is not known, the value of any type.
    ['custom1', 'is', 'x', undefined],
    ['custom1', 'is', 999_999_999_999, undefined],
    ['custom1', 'isAnyOf', ['o1'], undefined],
    ['custom1', 'isTrue', 1, 'Must be absent'],
  ])('the value of a condition of %s %s: %j has the fault %j', (field, operator, value, message) => {
    const fault = conditionFault({ field, operator, value } as FilterCondition);
    expect(fault?.message).toBe(message);
    expect(fault?.key).toBe(
      message && (message.startsWith('Must be one of contains') ? 'operator' : 'value'),
    );
  });
});
