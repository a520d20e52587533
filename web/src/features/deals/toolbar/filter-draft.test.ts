import type {
  ColumnFilter,
  FilterCondition,
  FilterField,
  FilterOperator,
} from '@forecourt/contract/deal-filter-fields';
import { describe, expect, test } from 'vitest';
import {
  countConditions,
  draftOf,
  filterOfDraft,
  hasCondition,
  isDraftGroup,
  newCondition,
  newGroup,
  openedCondition,
  toggleCondition,
  withField as withAnyField,
  withOperator as withAnyOperator,
  withPart,
  type DraftCondition,
} from './filter-draft.ts';

const customFields = [
  { key: 'custom1', type: 'number' },
  { key: 'custom2', type: 'date' },
  { key: 'custom3', type: 'select' },
  { key: 'custom4', type: 'currency' },
] as const;
const withField = (condition: DraftCondition, field: FilterField) =>
  withAnyField(condition, field, customFields);
const withOperator = (condition: DraftCondition, operator: FilterOperator) =>
  withAnyOperator(condition, operator, customFields);

const ring: FilterCondition = { field: 'notes', operator: 'contains', value: 'ring' };
const dear: FilterCondition = { field: 'saleAmount', operator: 'moreThan', value: 500 };
const unmailed: FilterCondition = { field: 'emailState', operator: 'isAnyOf', value: ['notSent'] };
const filter: ColumnFilter = {
  match: 'all',
  conditions: [ring, { match: 'any', conditions: [dear, unmailed] }],
};
const keyed = (condition: FilterCondition): DraftCondition => ({ key: 1, ...condition });

test('a filter is the same after it was opened in the panel', () => {
  expect(filterOfDraft(draftOf(filter))).toEqual(filter);
  expect(countConditions(draftOf(filter))).toBe(3);
  expect(filterOfDraft(draftOf({ ...filter, match: 'any' }))?.match).toBe('any');
  expect(filterOfDraft(draftOf(null))).toBeNull();
});

test('incomplete conditions are not applied, and groups of nothing else neither', () => {
  const draft = draftOf(filter);
  const parts = [...draft.parts, newCondition(), newGroup(), keyed({ ...dear, value: undefined })];
  expect(filterOfDraft({ ...draft, parts })).toEqual(filter);
  expect(countConditions({ ...draft, parts })).toBe(6);
});

test('a part is replaced or removed by its key', () => {
  const draft = draftOf(filter);
  const [first, group] = draft.parts;
  expect(filterOfDraft(withPart(draft, first!.key, { key: first!.key, ...dear }))?.conditions[0]).toEqual(
    dear,
  );
  expect(filterOfDraft(withPart(draft, group!.key, null))?.conditions).toEqual([ring]);
});

describe('another operator', () => {
  test('choosing another operator keeps a value that it takes', () => {
    expect(withOperator(keyed(dear), 'lessThan')).toMatchObject({ operator: 'lessThan', value: 500 });
    expect(withOperator(keyed(ring), 'isNot').value).toBe('ring');
  });

  test('choosing another operator removes any other value', () => {
    expect(withOperator(keyed(dear), 'between').value).toBeUndefined();
    expect(withOperator(keyed(dear), 'isEmpty')).toEqual({
      key: 1,
      field: 'saleAmount',
      operator: 'isEmpty',
    });
  });
});

describe('another column', () => {
  test('choosing another column of the same kind keeps operator and value', () => {
    expect(withField(keyed(dear), 'costAmount')).toEqual({ ...keyed(dear), field: 'costAmount' });
    expect(withField(keyed({ ...dear, value: undefined }), 'costAmount').operator).toBe('moreThan');
    const range: FilterCondition = { field: 'saleAmount', operator: 'between', value: [1, 2] };
    expect(withField(keyed(range), 'costAmount').value).toEqual([1, 2]);
  });

  test('choosing another column of another kind has its first operator and no value', () => {
    expect(withField(keyed(dear), 'notes')).toEqual({ key: 1, field: 'notes', operator: 'contains' });
    expect(withField(newCondition(), 'isOverdue').operator).toBe('isTrue');
    // A day is a valid text.
    const created: FilterCondition = { field: 'createdAt', operator: 'is', value: '2026-11-20' };
    expect(withField(keyed(created), 'notes')).toEqual({ key: 1, field: 'notes', operator: 'contains' });
  });

  test('choosing another column that is a custom one does as its type does', () => {
    expect(withField(keyed(dear), 'custom1')).toEqual({ ...keyed(dear), field: 'custom1' });
    expect(withField(keyed({ ...dear, field: 'custom1' }), 'custom4').value).toBe(500);
    expect(withField(keyed(dear), 'custom2')).toEqual({ key: 1, field: 'custom2', operator: 'is' });
    expect(withField(keyed(dear), 'custom3').operator).toBe('isAnyOf');
    const recent: FilterCondition = { field: 'custom2', operator: 'inLastDays', value: 7 };
    // A number is no date, though some custom field has such a value.
    expect(withOperator(keyed(recent), 'is').value).toBeUndefined();
    expect(withOperator(keyed(recent), 'inNextDays').value).toBe(7);
  });

  test('choosing another column with records of its own has no value', () => {
    expect(withField(keyed(unmailed), 'status').value).toBeUndefined();
    const value = ['01900000-0000-7000-8000-000000000001'];
    for (const [from, to] of [
      ['owner', 'status'],
      ['items', 'custom3'],
    ] as const)
      expect(withField(keyed({ field: from, operator: 'isNoneOf', value }), to)).toEqual({
        key: 1,
        field: to,
        operator: 'isNoneOf',
      });
  });
});

test('a quick choice takes the place of a blank condition, and is removed by the next press', () => {
  const blank = { match: 'all' as const, parts: [newCondition()] };
  const chosen = toggleCondition(blank, unmailed);
  expect(chosen.parts).toHaveLength(1);
  expect(hasCondition(chosen, unmailed)).toBe(true);
  expect(filterOfDraft(chosen)?.conditions).toEqual([unmailed]);
  expect(toggleCondition(chosen, unmailed).parts).toEqual([]);
  const several = draftOf({ match: 'all', conditions: [ring, unmailed, dear] });
  expect(filterOfDraft(toggleCondition(several, unmailed))?.conditions).toEqual([ring, dear]);
  expect(filterOfDraft(toggleCondition(draftOf(filter), unmailed))?.conditions).toHaveLength(3);
});

test('the panel opens at the requested part, else at the first incomplete condition, else at the first', () => {
  const draft = draftOf(filter);
  const [first, group] = draft.parts;
  const inGroup = isDraftGroup(group!) ? group.conditions[0]!.key : undefined;
  expect(openedCondition(draft, filter.conditions[1]!)).toBe(inGroup);
  expect(openedCondition(draft, null)).toBe(first!.key);
  const blank = newCondition();
  expect(openedCondition({ ...draft, parts: [...draft.parts, blank] }, null)).toBe(blank.key);
  expect(openedCondition({ ...draft, parts: [...draft.parts, blank] }, ring)).toBe(first!.key);
  const valueless = keyed({ ...dear, value: undefined });
  expect(openedCondition({ ...draft, parts: [...draft.parts, valueless] }, null)).toBe(valueless.key);
  expect(openedCondition({ match: 'all', parts: [] }, null)).toBeUndefined();
});
