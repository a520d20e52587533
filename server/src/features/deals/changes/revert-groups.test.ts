import { describe, expect, test } from 'vitest';
import { groupRows, refuseTogether } from './revert-groups.ts';
import type { RowPlan } from './revert-plan.ts';

const ids = Array.from({ length: 2500 }, (_, number) => `row ${number}`);

test('the rows of a merge are together in one part, also if 1,000 other rows are between them', () => {
  const merges = [
    { rowId: 'row 2400', survivorId: 'row 0' },
    { rowId: 'row 1200', survivorId: 'row 1300' },
    { rowId: 'row 1300', survivorId: 'row 2400' },
    { rowId: 'row 999', survivorId: 'another row' },
  ];
  const parts = groupRows(ids, merges);
  expect(parts[0]![0]!.toSorted()).toEqual(['row 0', 'row 1200', 'row 1300', 'row 2400']);
  expect(parts.flat().find((group) => group.includes('row 999'))).toContain('another row');
  expect(parts.map((part) => part.flat().length)).toEqual([1000, 1000, 501]);
  expect(parts.flat(2).toSorted()).toEqual([...ids, 'another row'].toSorted());
});

test('more than 1,000 rows that were merged into one row are a part of their own', () => {
  const merges = ids.slice(1, 1200).map((rowId) => ({ rowId, survivorId: 'row 1200' }));
  expect(groupRows(ids, merges).map((part) => part.flat().length)).toEqual([1, 1200, 1000, 299]);
});

test('rows of the same merge that are named twice are in their group once', () => {
  const merge = { rowId: 'row 1', survivorId: 'row 2' };
  expect(groupRows(['row 1', 'row 2'], [merge, merge]).flat()).toEqual([['row 2', 'row 1']]);
});

describe('the plans of a group', () => {
  const plan = (id: string, reason: string | null) => ({ id, reason }) as unknown as RowPlan;
  const reasonsOf = (...plans: RowPlan[]) => refuseTogether(plans).map(({ reason }) => reason);

  test('the plans of a group stay as they are if none is refused', () => {
    const plans = [plan('a', null), plan('b', null)];
    expect(refuseTogether(plans)).toBe(plans);
  });

  test('the plans of a group are all refused if one is refused, and keep a reason of their own', () => {
    const together = 'A row with which it was merged cannot go back: Purged';
    expect(reasonsOf(plan('a', null), plan('b', 'Purged'), plan('c', 'Changed'))).toEqual([
      together,
      'Purged',
      'Changed',
    ]);
  });
});
