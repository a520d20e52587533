import { expect, test } from 'vitest';
import type { CellType, GridColumn } from './columns.ts';
import { cellFinder, nextMatch } from './find-cell.ts';

interface Row {
  readonly key: string;
  readonly value: string | number | null;
}
const finds = (looked: string, type: CellType, value: Row['value']) => {
  const column: GridColumn<Row> = { id: 'c', header: 'C', type, get: (row) => row.value };
  return cellFinder(looked)?.(column, { key: 'k', value }, 'Australia/Sydney');
};

test.each([
  ['nguyen', 'text', 'Ava Nguyen', true],
  ['NGU', 'text', 'Ava Nguyen', true],
  ['smith', 'text', 'Ava Nguyen', false],
  ['1,234', 'currency', 1234.5, true],
  ['$1', 'currency', 1234.5, true],
  ['abc', 'currency', 1234.5, false],
  ['05/03', 'date', '2026-03-05', true],
  ['0412345', 'phone', '(0412) 345 678', true],
  ['0412 345', 'phone', '(0412) 345 678', true],
  ['+61 412 345 678', 'phone', '(0412) 345 678', true],
  ['61412345678', 'phone', '(0412) 345 678', true],
  ['0061 0412', 'phone', '(0412) 345 678', true],
  ['61412', 'phone', '(0412) 345 678', false],
  ['0412345', 'text', '(0412) 345 678', false],
  ['a', 'text', null, false],
] as const)('the search for %s in a %s of %s finds the right cell: %s', (looked, type, value, found) => {
  expect(finds(looked, type, value)).toBe(found);
});

test('an empty search text has no finder', () => expect(cellFinder('  ')).toBeNull());

test('the search wraps around to its start', () => {
  const hits = new Set([2, 7]);
  const next = (from: number, backwards = false) => nextMatch(from, 10, backwards, (at) => hits.has(at));
  expect([next(-1), next(2), next(7), next(5)]).toEqual([2, 7, 2, 7]);
  expect([next(7, true), next(2, true), next(0, true), next(-1, true)]).toEqual([2, 7, 7, 7]);
  expect(nextMatch(3, 10, false, (at) => at === 3)).toBe(3);
  expect(nextMatch(3, 10, false, () => false)).toBeNull();
  expect(nextMatch(-1, 0, true, () => true)).toBeNull();
});
