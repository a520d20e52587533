import { expect, test } from 'vitest';
import { emptyColumnState, moveColumn, resizeColumn } from './column-state.ts';

const ids = ['a', 'b', 'c', 'd'];

test('the state of columns moves a column to the position of the drop target, in both directions', () => {
  expect(moveColumn(emptyColumnState, ids, 'a', 'c').columnOrder).toEqual(['b', 'c', 'a', 'd']);
  expect(moveColumn(emptyColumnState, ids, 'd', 'b').columnOrder).toEqual(['a', 'd', 'b', 'c']);
});

test('pins a column dropped on a pinned one, unpins one dropped outside', () => {
  const pinned = { ...emptyColumnState, columnPinning: { start: ['a', 'b'], end: [] } };
  expect(moveColumn(pinned, ids, 'd', 'a').columnPinning.start).toEqual(['d', 'a', 'b']);
  expect(moveColumn(pinned, ids, 'b', 'd').columnPinning.start).toEqual(['a']);
});

test('the state of columns includes columns that the stored order lacks', () => {
  const old = { ...emptyColumnState, columnOrder: ['c', 'a'] };
  expect(moveColumn(old, ids, 'd', 'a').columnOrder.toSorted()).toEqual(ids);
});

test('the widths of columns are clamped to the minimum', () => {
  const column = { id: 'a', header: 'A', type: 'text', get: () => null } as const;
  expect(resizeColumn(emptyColumnState, column, 12).columnSizing).toEqual({ a: 50 });
  expect(resizeColumn(emptyColumnState, { ...column, minSize: 80 }, 12).columnSizing).toEqual({ a: 80 });
});
