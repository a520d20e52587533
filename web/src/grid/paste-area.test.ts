import { expect, test } from 'vitest';
import { fillOfDrag, fillOfKey, pasteSize, withoutEmptyRows } from './paste-area.ts';

const block = (top: number, left: number, bottom: number, right: number) => ({ top, left, bottom, right });

test.each([
  ['one value into one cell', block(0, 0, 0, 0), [1, 1], [1, 1]],
  ['one value fills the selection', block(2, 1, 4, 2), [1, 1], [3, 2]],
  ['a row fills every row selected', block(0, 0, 9, 0), [1, 3], [10, 3]],
  ['a pattern repeats', block(0, 0, 3, 3), [2, 2], [4, 4]],
  ['a larger block goes from the corner', block(5, 5, 5, 5), [3, 4], [3, 4]],
  ['a selection that is no multiple is a corner', block(0, 0, 2, 2), [2, 2], [2, 2]],
])('a paste fills its area: %s', (_, selected, [height = 0, width = 0], [high, wide]) => {
  expect(pasteSize(selected, { height, width })).toEqual({ height: high, width: wide });
});

test('pasted lines without text create no rows', () => {
  expect(
    withoutEmptyRows([
      ['a', ''],
      ['', ' '],
      ['', 'b'],
    ]),
  ).toEqual([
    ['a', ''],
    ['', 'b'],
  ]);
});

test('Ctrl+D copies the first row of the selection, or the row above a single one', () => {
  expect(fillOfKey(block(2, 1, 5, 3), 'down')).toEqual({
    source: block(2, 1, 2, 3),
    target: block(2, 1, 5, 3),
  });
  expect(fillOfKey(block(2, 1, 2, 3), 'down')).toEqual({
    source: block(1, 1, 1, 3),
    target: block(1, 1, 2, 3),
  });
  expect(fillOfKey(block(0, 1, 0, 3), 'down')).toBeNull();
});

test('Ctrl+R copies the first column of the selection, or the one before a single one', () => {
  expect(fillOfKey(block(2, 1, 5, 3), 'right')).toEqual({
    source: block(2, 1, 5, 1),
    target: block(2, 1, 5, 3),
  });
  expect(fillOfKey(block(2, 1, 5, 1), 'right')).toEqual({
    source: block(2, 0, 5, 0),
    target: block(2, 0, 5, 1),
  });
  expect(fillOfKey(block(2, 0, 5, 0), 'right')).toBeNull();
});

test('the handle fills along the longer axis', () => {
  const source = block(2, 2, 3, 3);
  expect(fillOfDrag(source, { row: 3, column: 2 })).toBeNull();
  expect(fillOfDrag(source, { row: 8, column: 5 })?.target).toEqual(block(2, 2, 8, 3));
  expect(fillOfDrag(source, { row: 4, column: 9 })?.target).toEqual(block(2, 2, 3, 9));
  expect(fillOfDrag(source, { row: 0, column: 3 })?.target).toEqual(block(0, 2, 3, 3));
  expect(fillOfDrag(source, { row: 1, column: 0 })?.target).toEqual(block(2, 0, 3, 3));
});
