import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { describe, expect, test } from 'vitest';
import { emptyColumnState } from '../../../grid/grid.ts';
import type { DealOptions } from '../deal-fields.ts';
import { arrangementOf, isSameArrangement, screenOf } from './arrangement.ts';
import { offeredFilter } from './filter.ts';

const S2 = '01900000-0000-7000-8000-000000000002';
const CALLED = {
  _id: S2,
  name: 'Called',
  color: '#2f6fb2',
  order: 2,
  active: true,
  isDefault: false,
  isClosed: false,
  countsForCommission: false,
};
const offeredFor = (statuses: (typeof CALLED)[]) => ({
  statuses,
  offered: (filter: ColumnFilter | null) =>
    offeredFilter(filter, { columns: ['status', 'notes'], statuses } as unknown as DealOptions),
});
const known = {
  columnIds: ['status', 'customerName', 'saleAmount', 'notes', 'emailStatus'],
  ...offeredFor([CALLED]),
};
const notes = { field: 'notes', operator: 'isEmpty' } as const;
const filter: ColumnFilter = {
  match: 'any',
  conditions: [{ field: 'status', operator: 'isAnyOf', value: [S2] }, notes],
};
const plain = { filter: null, sort: null, group: null, columns: emptyColumnState };
const column = (name: string, changes: object = {}) => ({
  column: name,
  shown: true,
  width: null,
  pinned: null,
  ...changes,
});

const screen = {
  filter,
  sort: { columnId: 'status', direction: 'other' as const, first: 'Called' },
  group: 'emailState' as const,
  columns: {
    columnOrder: ['notes', 'saleAmount'],
    columnSizing: { saleAmount: 90.4, notes: 5000 },
    columnVisibility: { customerName: false },
    columnPinning: { start: ['status'], end: ['emailStatus'] },
  },
};

test('a view has every column by its position, the first status by id, and widths in whole px', () => {
  expect(arrangementOf(screen, known)).toEqual({
    filter,
    sort: { column: 'status', firstStatusId: S2 },
    group: 'emailState',
    columns: [
      column('status', { pinned: 'left' }),
      column('notes', { width: 2000 }),
      column('saleAmount', { width: 90 }),
      column('customerName', { shown: false }),
      column('lastEmailedAt', { pinned: 'right' }),
    ],
  });
});

test('a view restores the same arrangement', () => {
  const saved = arrangementOf(screen, known);
  expect(arrangementOf(screenOf(saved, known), known)).toEqual(saved);
  expect(screenOf(saved, known)).toMatchObject({ filter, sort: screen.sort });
});

test('an order by status has that of its name among several, and none if it does not exist', () => {
  const other = { ...CALLED, _id: '01900000-0000-7000-8000-000000000003', name: 'Entered' };
  const [several, without] = [offeredFor([other, CALLED]), offeredFor([other])];
  const saved = arrangementOf(screen, { ...known, ...several });
  expect(saved.sort).toEqual({ column: 'status', firstStatusId: S2 });
  expect(screenOf(saved, { ...known, ...several }).sort).toEqual(screen.sort);
  expect(arrangementOf(screen, { ...known, ...without }).sort).toBeNull();
  expect(screenOf(saved, { ...known, ...without }).sort).toBeNull();
});

test('hidden columns and statuses are not shown', () => {
  const saved = arrangementOf(screen, known);
  const shown = screenOf(saved, { columnIds: ['customerName', 'notes'], ...offeredFor([]) });
  expect(shown).toEqual({
    filter: { match: 'any', conditions: [notes] },
    sort: null,
    group: null,
    columns: {
      columnOrder: ['notes', 'customerName'],
      columnSizing: { notes: 2000 },
      columnVisibility: { customerName: false },
      columnPinning: { start: [], end: [] },
    },
  });
});

describe('compares the screen with its saved view', () => {
  const initial = arrangementOf(plain, known);
  const isSame = (changes: object) => isSameArrangement(initial, { ...initial, ...changes }, known);

  test('a column that a view does not contain gets its default position', () => {
    expect(isSame({ columns: initial.columns.slice(0, 3) })).toBe(true);
  });

  test('the order of the keys in a filter is no difference', () => {
    const stored = { conditions: [{ operator: 'isEmpty', field: 'notes' }], match: 'all' } as const;
    const shown = { match: 'all', conditions: [notes] } as const;
    const saved = { ...initial, filter: stored } as unknown as typeof initial;
    const current = { ...initial, filter: shown } as unknown as typeof initial;
    expect(isSameArrangement(saved, current, known)).toBe(true);
  });

  test.each([
    { filter },
    { group: 'status' },
    { sort: { column: 'saleAmount', direction: 'ascending' } },
    { columns: initial.columns.toReversed() },
    { columns: [column('status', { width: 80 }), ...initial.columns.slice(1)] },
    { columns: [column('status', { pinned: 'left' }), ...initial.columns.slice(1)] },
    { columns: [column('status', { shown: false }), ...initial.columns.slice(1)] },
  ])('a screen with %j differs from its saved view', (changes) => {
    expect(isSame(changes)).toBe(false);
  });
});

test('columns of custom fields are part of a view by their keys, and gone with the field', () => {
  const withCustom = { ...known, columnIds: [...known.columnIds, 'custom7'] };
  const columns = {
    ...emptyColumnState,
    columnSizing: { custom7: 90 },
    columnVisibility: { custom7: false },
  };
  const sort = { columnId: 'custom7', direction: 'descending' } as const;
  const view = arrangementOf({ ...plain, sort, columns }, withCustom);
  expect(view.columns).toContainEqual(column('custom7', { shown: false, width: 90 }));
  expect(view.sort).toEqual({ column: 'custom7', direction: 'descending' });
  expect(screenOf(view, withCustom)).toMatchObject({
    sort,
    columns: { columnVisibility: { custom7: false } },
  });
  expect(screenOf(view, known)).toMatchObject({ sort: null, columns: { columnSizing: {} } });
});
