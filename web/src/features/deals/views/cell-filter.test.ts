import {
  MAX_FILTER_CONDITIONS,
  type ColumnFilter,
  type FilterCondition,
} from '@forecourt/contract/deal-filter-fields';
import { createFilterMatcher, type FilterFacts } from '@forecourt/contract/deal-filter-match';
import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, test } from 'vitest';
import { customColumns } from '../custom/custom-columns.ts';
import type { DealOptions } from '../deal-fields.ts';
import { dealColumns } from '../deals.columns.tsx';
import { cellCondition, filterFieldOf, withCellCondition } from './cell-filter.ts';

const idOf = (number: number) => `01900000-0000-7000-8000-00000000000${number}`;
const [CALLED, ENTERED, TINT, CAM] = [1, 2, 3, 4].map(idOf) as [string, string, string, string];
const options = {
  columns: [
    'status',
    'dealershipId',
    'items',
    'saleAmount',
    'notes',
    'followUpAt',
    'lastEmailedAt',
    'deliveryDate',
  ],
  statuses: [
    { _id: CALLED, name: 'Called', active: true },
    { _id: ENTERED, name: 'Entered', active: true },
  ],
  dealerships: [],
  owners: [],
  people: [],
  items: [
    { _id: TINT, name: 'Tint', price: 1 },
    { _id: CAM, name: 'Dash cam', price: 2 },
  ],
  customFields: [
    { key: 'custom1', name: 'Paid', type: 'checkbox', options: [], editable: true },
    {
      key: 'custom2',
      name: 'Extras',
      type: 'multiSelect',
      editable: true,
      options: [
        { id: 'o1', name: 'Mats', active: true },
        { id: 'o2', name: 'Rack', active: true },
      ],
    },
  ],
} as unknown as DealOptions;
const TIME_ZONE = 'Australia/Sydney';
const facts = {
  startOf: (day: string) => new Date(`${day}T00:00+11:00`).toISOString(),
  statusIdOf: (name?: string) => options.statuses.find((status) => status.name === name)?._id,
  customFields: options.customFields,
} as unknown as FilterFacts;

const columns = [...dealColumns(options, { canEditBlank: true }), ...customColumns(options)];
const dealOf = (part: object): Deal =>
  ({
    status: 'Called',
    notes: '',
    saleAmount: null,
    deliveryDate: null,
    followUpAt: null,
    items: [],
    custom: {},
    ...part,
  }) as unknown as Deal;

/** Returns the condition on a cell of a row. */
function conditionOn(columnId: string, part: object, isNot = false) {
  const deal = dealOf(part);
  const value = columns.find(({ id }) => id === columnId)!.get({ key: 'k', deal, draft: undefined });
  return cellCondition({ field: filterFieldOf(columnId, options)!, value, deal }, isNot, options, TIME_ZONE);
}

test.each([
  ['status', { status: 'Called' }, { status: 'Entered' }],
  ['items', { items: [{ itemId: TINT, name: 'Tint', quantity: 1, unitPrice: 1 }] }, { items: [] }],
  ['items', { items: [] }, { items: [{ itemId: CAM, name: 'Dash cam', quantity: 1, unitPrice: 1 }] }],
  ['saleAmount', { saleAmount: 0 }, { saleAmount: 5 }],
  ['saleAmount', { saleAmount: 12.5 }, { saleAmount: null }],
  ['saleAmount', { saleAmount: null }, { saleAmount: 0 }],
  ['notes', { notes: 'ring' }, { notes: 'ring back' }],
  ['notes', { notes: '' }, { notes: 'ring' }],
  ['deliveryDate', { deliveryDate: '2026-11-20' }, { deliveryDate: '2026-11-21' }],
  ['deliveryDate', { deliveryDate: '2026-11-20' }, { deliveryDate: null }],
  // 10:00 on 20 November in Sydney, and the first minute of the day after.
  ['followUpAt', { followUpAt: '2026-11-19T23:00:00.000Z' }, { followUpAt: '2026-11-20T13:00:00.000Z' }],
  [
    'emailStatus',
    { emailStatus: 'failed' },
    { emailStatus: 'sent', lastEmailedAt: '2026-11-19T23:00:00.000Z' },
  ],
  ['custom1', { custom: { custom1: true } }, { custom: {} }],
  ['custom1', { custom: {} }, { custom: { custom1: true } }],
  ['custom2', { custom: { custom2: ['o1'] } }, { custom: { custom2: ['o2'] } }],
  ['custom2', { custom: {} }, { custom: { custom2: ['o2'] } }],
])(
  'the condition on a cell of %s (%j) selects its rows, and its opposite all others, such as %j',
  (id, own, other) => {
    for (const isNot of [false, true]) {
      const filter = withCellCondition(null, conditionOn(id, own, isNot)!)!;
      const matches = createFilterMatcher(filter, facts);
      expect([matches(dealOf(own)), matches(dealOf(other))]).toEqual([!isNot, isNot]);
    }
  },
);

test('a text of several lines and a column without a filter have no condition', () => {
  expect(conditionOn('notes', { notes: 'ring\nback' })).toBeNull();
  expect(filterFieldOf('month', options)).toBeUndefined();
  expect(filterFieldOf('costAmount', options)).toBeUndefined();
});

describe('a condition added to a filter', () => {
  const ofStatus = (operator: 'isAnyOf' | 'isNoneOf', ...value: string[]): FilterCondition => ({
    field: 'status',
    operator,
    value,
  });
  const ring: FilterCondition = { field: 'notes', operator: 'is', value: 'ring' };
  const of = (match: 'all' | 'any', ...conditions: ColumnFilter['conditions']): ColumnFilter => ({
    match,
    conditions,
  });

  test('a condition added to a filter must be met as well, also where any of the others is enough', () => {
    expect(withCellCondition(of('all', ring), ofStatus('isAnyOf', CALLED))).toEqual(
      of('all', ring, ofStatus('isAnyOf', CALLED)),
    );
    const notes = { ...ring, value: 'back' };
    expect(withCellCondition(of('any', ring, notes), ofStatus('isAnyOf', CALLED))).toEqual(
      of('all', { match: 'any', conditions: [ring, notes] }, ofStatus('isAnyOf', CALLED)),
    );
    expect(withCellCondition(of('any', ring), notes)).toEqual(of('all', ring, notes));
  });

  test('a condition added to a filter becomes one with a condition on values of the same field', () => {
    expect(
      withCellCondition(of('all', ofStatus('isNoneOf', CALLED), ring), ofStatus('isNoneOf', ENTERED)),
    ).toEqual(of('all', ring, ofStatus('isNoneOf', CALLED, ENTERED)));
    expect(
      withCellCondition(of('all', ofStatus('isAnyOf', CALLED, ENTERED)), ofStatus('isAnyOf', CALLED)),
    ).toEqual(of('all', ofStatus('isAnyOf', CALLED)));
    expect(withCellCondition(of('all', ring), { ...ring })).toEqual(of('all', ring));
  });

  test('a condition added to a filter is refused where it cannot be combined', () => {
    const group = { match: 'all' as const, conditions: [ring] };
    expect(withCellCondition(of('any', ring, group), ofStatus('isAnyOf', CALLED))).toBeNull();
    const full = Array.from({ length: MAX_FILTER_CONDITIONS }, (_, at) => ({ ...ring, value: `${at}` }));
    expect(withCellCondition(of('all', ...full), ring)).toBeNull();
  });
});
