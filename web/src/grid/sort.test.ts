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

test('texts of any case, accent and number are in the order of a plain comparison, equal ones by the next key', () => {
  const names = [
    'ann',
    'Ann',
    'Ánn',
    'Anna',
    'D-9',
    'd-10',
    'D-09',
    '',
    '(04) 12',
    'Émile',
    'emile b',
    'z',
    null,
  ];
  const many = Array.from({ length: 300 }, (_, at) => ({
    key: `${at},`,
    name: names[(at * at + 3 * at) % names.length] ?? null,
    rank: (at * 7) % 5,
  }));
  const { compare } = new Intl.Collator('en-AU', { numeric: true, sensitivity: 'base' });
  for (const descending of [false, true]) {
    const plain = many.toSorted((a, b) => {
      const order =
        a.name === null || b.name === null
          ? Number(a.name === null) - Number(b.name === null)
          : compare(a.name, b.name) * (descending ? -1 : 1);
      return order || b.rank - a.rank;
    });
    const byName = { extract: (row: Row) => row.name, descending };
    expect(sorted(many, byName, { extract: (row) => row.rank, descending: true })).toBe(
      plain.map(({ key }) => key).join(''),
    );
  }
});

test('clicks on a header sort ascending, descending, by default; another header starts again', () => {
  const first = nextSort(null, 'sale');
  const second = nextSort(first, 'sale');
  expect([first?.direction, second?.direction]).toEqual(['ascending', 'descending']);
  expect(nextSort(second, 'sale')).toBeNull();
  expect(nextSort(second, 'name')).toEqual({ columnId: 'name', direction: 'ascending' });
});
