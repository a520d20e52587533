import { expect, test } from 'vitest';
import type { FilterCondition } from './deal-filter-fields.ts';
import { createFilterMatcher, daysOf } from './deal-filter-match.ts';
import type { Deal } from './deals.ts';

// What browser and server share. server/src/features/deals/list/deal-filter.test.ts compares the rest.

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
])('%j are these days', (condition, days) => {
  expect(daysOf({ field: 'deliveryDate', ...condition }, '2026-11-20')).toEqual(days);
});

const matches = (condition: FilterCondition, deal: Partial<Deal>): boolean =>
  createFilterMatcher({ match: 'all', conditions: [condition] }, {} as never)(deal as Deal);

test.each<[string, string, boolean]>([
  ['0412 345', '(0412) 345 678', true],
  ['+61 412 345 678', '(0412) 345 678', true],
  ['345-678', '(0412) 345 678', true],
  ['345 679', '(0412) 345 678', false],
  ['412x', '(0412) 345 678', false],
])('a phone number that contains %s: %s is %s', (value, customerNumber, isMet) => {
  expect(matches({ field: 'customerNumber', operator: 'contains', value }, { customerNumber })).toBe(isMet);
});

test('texts match without regard to case, surrounding spaces and the form of accents', () => {
  const condition: FilterCondition = { field: 'customerName', operator: 'is', value: ' zoe\u0308 ' };
  expect(matches(condition, { customerName: 'ZO\u00cb' })).toBe(true);
  expect(matches(condition, { customerName: 'Zoe' })).toBe(false);
});
