import type { ColumnFilter, FilterCondition } from '@forecourt/contract/deal-filter-fields';
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
  withField,
  withOperator,
  withPart,
  type DraftCondition,
} from './filter-draft.ts';

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
  test('keeps a value that it takes', () => {
    expect(withOperator(keyed(dear), 'lessThan')).toMatchObject({ operator: 'lessThan', value: 500 });
    expect(withOperator(keyed(ring), 'isNot').value).toBe('ring');
  });

  test('removes any other value', () => {
    expect(withOperator(keyed(dear), 'between').value).toBeUndefined();
    expect(withOperator(keyed(dear), 'isEmpty')).toEqual({
      key: 1,
      field: 'saleAmount',
      operator: 'isEmpty',
    });
  });
});

describe('another column', () => {
  test('of the same kind keeps operator and value', () => {
    expect(withField(keyed(dear), 'costAmount')).toEqual({ ...keyed(dear), field: 'costAmount' });
    expect(withField(keyed({ ...dear, value: undefined }), 'costAmount').operator).toBe('moreThan');
  });

  test('of another kind has its first operator and no value', () => {
    expect(withField(keyed(dear), 'notes')).toEqual({ key: 1, field: 'notes', operator: 'contains' });
    expect(withField(newCondition(), 'isOverdue').operator).toBe('isTrue');
  });

  test('with records of its own has no value', () => {
    expect(withField(keyed(unmailed), 'status').value).toBeUndefined();
  });
});

test('a quick choice takes the place of a blank condition, and is removed by the next press', () => {
  const blank = { match: 'all' as const, parts: [newCondition()] };
  const chosen = toggleCondition(blank, unmailed);
  expect(chosen.parts).toHaveLength(1);
  expect(hasCondition(chosen, unmailed)).toBe(true);
  expect(filterOfDraft(chosen)?.conditions).toEqual([unmailed]);
  expect(toggleCondition(chosen, unmailed).parts).toEqual([]);
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
});
