import { describe, expect, test } from 'vitest';
import { emptyColumnState } from '../../../grid/grid.ts';
import { arrangementOf, isSameArrangement, screenOf } from './arrangement.ts';
import { noFilters } from './filters.ts';

const CALLED = {
  _id: 's-2',
  name: 'Called',
  color: '#2f6fb2',
  order: 2,
  active: true,
  isDefault: false,
  countsForCommission: false,
};
const known = {
  columnIds: ['status', 'customerName', 'saleAmount', 'notes', 'emailStatus'],
  statuses: [CALLED],
};
const plain = { filters: noFilters, sort: null, columns: emptyColumnState };
const column = (name: string, changes: object = {}) => ({
  column: name,
  shown: true,
  width: null,
  pinned: null,
  ...changes,
});

const screen = {
  filters: { status: 'Called', dealershipId: 'd-1', owner: 'u-1' },
  sort: { columnId: 'status', direction: 'other' as const, first: 'Called' },
  columns: {
    columnOrder: ['notes', 'saleAmount'],
    columnSizing: { saleAmount: 90.4, notes: 5000 },
    columnVisibility: { customerName: false },
    columnPinning: { start: ['status'], end: ['emailStatus'] },
  },
};

test('a view has every column by its position, statuses by id, and widths in whole px', () => {
  expect(arrangementOf(screen, known)).toEqual({
    filters: { statusId: 's-2', dealershipId: 'd-1', ownerId: 'u-1' },
    sort: { column: 'status', firstStatusId: 's-2' },
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
  expect(screenOf(saved, known)).toMatchObject({ filters: screen.filters, sort: screen.sort });
});

test('hidden columns and statuses are not shown', () => {
  const saved = arrangementOf(screen, known);
  const shown = screenOf(saved, { columnIds: ['customerName', 'notes'], statuses: [] });
  expect(shown).toEqual({
    filters: { status: '', dealershipId: 'd-1', owner: 'u-1' },
    sort: null,
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

  test.each([
    { filters: { statusId: 's-2', dealershipId: null, ownerId: null } },
    { filters: { statusId: null, dealershipId: null, ownerId: 'u-1' } },
    { sort: { column: 'saleAmount', direction: 'ascending' } },
    { columns: initial.columns.toReversed() },
    { columns: [column('status', { width: 80 }), ...initial.columns.slice(1)] },
    { columns: [column('status', { pinned: 'left' }), ...initial.columns.slice(1)] },
    { columns: [column('status', { shown: false }), ...initial.columns.slice(1)] },
  ])('%j is a difference', (changes) => {
    expect(isSame(changes)).toBe(false);
  });
});
