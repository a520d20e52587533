import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clamp,
  HEADER_ROW,
  keyMove,
  tabMove,
  type Extent,
  type Keystroke,
  type Position,
} from './movement.ts';

const MOVING_KEYS = [
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const;

const stroke = (key: string, more: Partial<Keystroke> = {}): Keystroke => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

const extents: fc.Arbitrary<Extent> = fc.record({
  rows: fc.integer({ min: 1, max: 200_000 }),
  columns: fc.integer({ min: 1, max: 60 }),
  page: fc.integer({ min: 1, max: 80 }),
});
const places = extents.chain((extent) =>
  fc.record({
    extent: fc.constant(extent),
    from: fc.record({
      row: fc.integer({ min: HEADER_ROW, max: extent.rows - 1 }),
      column: fc.integer({ min: 0, max: extent.columns - 1 }),
    }),
  }),
);

test('every move stays inside the grid', () => {
  fc.assert(
    fc.property(places, fc.constantFrom(...MOVING_KEYS), fc.boolean(), ({ extent, from }, key, ctrlKey) => {
      const to = keyMove(from, stroke(key, { ctrlKey }), extent) ?? from;
      expect(to).toEqual(clamp(to, extent));
    }),
  );
});

test('an arrow and its opposite return to the start, except at an edge', () => {
  const opposites = [
    ['ArrowUp', 'ArrowDown'],
    ['ArrowLeft', 'ArrowRight'],
  ] as const;
  fc.assert(
    fc.property(places, fc.constantFrom(...opposites), ({ extent, from }, [there, back]) => {
      const to = keyMove(from, stroke(there), extent) ?? from;
      const atEdge = to.row === from.row && to.column === from.column;
      expect(atEdge ? from : keyMove(to, stroke(back), extent)).toEqual(from);
    }),
  );
});

function tabWalk(start: Position, backwards: boolean, extent: Extent): Position[] {
  const seen: Position[] = [];
  for (let at: Position | null = start; at; at = tabMove(at, backwards, extent)) seen.push(at);
  return seen;
}

test('Tab moves through every cell once in reading order, and Shift+Tab back', () => {
  const sides = fc.integer({ min: 1, max: 6 });
  fc.assert(
    fc.property(sides, sides, (rows, columns) => {
      const extent = { rows, columns, page: 1 };
      const forth = tabWalk({ row: 0, column: 0 }, false, extent);
      const back = tabWalk({ row: rows - 1, column: columns - 1 }, true, extent);
      expect(forth).toHaveLength(rows * columns);
      expect(back).toEqual(forth.toReversed());
    }),
  );
});

test.each([
  ['ArrowDown', true, { row: 99, column: 3 }],
  ['ArrowUp', true, { row: 0, column: 3 }],
  ['ArrowLeft', true, { row: 5, column: 0 }],
  ['ArrowRight', true, { row: 5, column: 9 }],
  ['Home', false, { row: 5, column: 0 }],
  ['End', false, { row: 5, column: 9 }],
  ['Home', true, { row: 0, column: 0 }],
  ['End', true, { row: 99, column: 9 }],
  ['PageDown', false, { row: 25, column: 3 }],
  ['PageUp', false, { row: 0, column: 3 }],
])('the key %s (Ctrl: %s) moves as in a spreadsheet', (key, ctrlKey, expected) => {
  const extent = { rows: 100, columns: 10, page: 20 };
  expect(keyMove({ row: 5, column: 3 }, stroke(key, { ctrlKey }), extent)).toEqual(expected);
});

describe('in the header', () => {
  const extent = { rows: 100, columns: 10, page: 20 };
  const from = { row: HEADER_ROW, column: 3 };

  test.each([
    ['ArrowUp', false, from],
    ['ArrowUp', true, from],
    ['ArrowDown', false, { row: 0, column: 3 }],
    ['ArrowDown', true, { row: 99, column: 3 }],
    ['ArrowLeft', false, { row: HEADER_ROW, column: 2 }],
    ['ArrowRight', true, { row: HEADER_ROW, column: 9 }],
    ['Home', false, { row: HEADER_ROW, column: 0 }],
    ['End', false, { row: HEADER_ROW, column: 9 }],
    ['PageUp', false, from],
    ['PageDown', false, { row: 19, column: 3 }],
  ])('the key %s (Ctrl: %s) in the header stays there or enters the rows', (key, ctrlKey, expected) => {
    expect(keyMove(from, stroke(key, { ctrlKey }), extent)).toEqual(expected);
  });

  test('Ctrl with PageUp or PageDown is left to the browser', () => {
    for (const key of ['PageUp', 'PageDown'])
      expect(keyMove(from, stroke(key, { ctrlKey: true }), extent)).toBeNull();
  });

  test('Tab moves to the end of the header and leaves the grid there, and Shift+Tab likewise', () => {
    expect(tabWalk({ row: HEADER_ROW, column: 8 }, false, extent)).toEqual([
      { row: HEADER_ROW, column: 8 },
      { row: HEADER_ROW, column: 9 },
    ]);
    expect(tabWalk({ row: HEADER_ROW, column: 1 }, true, extent)).toHaveLength(2);
    // The first cell of the first row leads out of the grid, not into the header.
    expect(tabMove({ row: 0, column: 0 }, true, extent)).toBeNull();
  });
});

test('keys with Shift or Alt and keys that type do not move', () => {
  const extent = { rows: 100, columns: 10, page: 20 };
  for (const each of [
    stroke('ArrowDown', { shiftKey: true }),
    stroke('Home', { altKey: true }),
    stroke('a'),
  ]) {
    expect(keyMove({ row: 5, column: 3 }, each, extent)).toBeNull();
  }
});
