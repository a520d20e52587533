import { expect, test } from 'vitest';
import { createRowStore } from './row-store.ts';
import { nextSort, sortedOrder } from './sort.ts';

interface Row {
  readonly key: string;
  readonly name: string | null;
  readonly rank: number;
}

function sorted(rows: readonly Row[], ...sortKeys: Parameters<typeof sortedOrder<Row>>[2]) {
  const store = createRowStore<Row>(() => {});
  store.setRows(rows);
  return sortedOrder(store, store.getOrder(), sortKeys).join('');
}

const rows = [
  { key: 'a', name: 'D-10', rank: 2 },
  { key: 'b', name: null, rank: 1 },
  { key: 'c', name: 'd-9', rank: 2 },
  { key: 'd', name: 'É', rank: 1 },
];

test('numbers in a text compare as numbers, null is last in both directions', () => {
  expect(sorted(rows, { extract: (row) => row.name })).toBe('cadb');
  expect(sorted(rows, { extract: (row) => row.name, descending: true })).toBe('dacb');
});

test('equal values are ordered by the next key, else stable', () => {
  expect(sorted(rows, { extract: (row) => row.rank })).toBe('bdac');
  expect(sorted(rows, { extract: (row) => row.rank }, { extract: (row) => row.key, descending: true })).toBe(
    'dbca',
  );
});

test('clicks on a header sort ascending, descending, by default; another header starts again', () => {
  const first = nextSort(null, 'sale');
  const second = nextSort(first, 'sale');
  expect([first?.direction, second?.direction]).toEqual(['ascending', 'descending']);
  expect(nextSort(second, 'sale')).toBeNull();
  expect(nextSort(second, 'name')).toEqual({ columnId: 'name', direction: 'ascending' });
});
