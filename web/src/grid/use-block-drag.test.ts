import { expect, test } from 'vitest';
import { cellAt, edgeSpeed, type CellPlaces } from './use-block-drag.ts';

/** Checkboxes of 36 px, one pinned column of 100, three of 200 that scroll, one of 80 pinned to the right. */
const places: CellPlaces = {
  rowHeight: 32,
  headerHeight: 36,
  stickyHeight: 32,
  rowCount: 1001,
  widths: [100, 200, 200, 200, 80],
  startCount: 1,
  startWidth: 136,
  endCount: 1,
  endWidth: 80,
  centerStarts: [0, 200, 400, 600],
};
const view = { top: 0, left: 0, width: 500, height: 500 };

test.each([
  [40, 40, { row: 0, column: 0 }],
  [10, 40, { row: 0, column: 0 }],
  [140, 70, { row: 1, column: 1 }],
  [350, 70, { row: 1, column: 2 }],
  [430, 70, { row: 1, column: 4 }],
])('a drag to %i, %i ends at the cell %j', (x, y, cell) => expect(cellAt(x, y, view, places)).toEqual(cell));

test('a drag adds the scroll offset for scrolling columns, not for pinned ones', () => {
  const scrolled = { ...view, top: 3200, left: 300 };
  expect(cellAt(40, 40, scrolled, places)).toEqual({ row: 100, column: 0 });
  expect(cellAt(140, 40, scrolled, places)).toEqual({ row: 100, column: 2 });
});

test('a point outside returns the nearest visible cell, and never the blank row', () => {
  expect(cellAt(-50, -50, view, places)).toEqual({ row: 0, column: 0 });
  expect(cellAt(9000, 9000, view, places)).toEqual({ row: 13, column: 4 });
  expect(cellAt(140, 9000, { ...view, top: 1e6 }, places)).toEqual({ row: 999, column: 1 });
});

test('scrolls faster the further the point is beyond an edge', () => {
  expect(edgeSpeed(100, 50, 400)).toBe(0);
  expect(edgeSpeed(410, 50, 400)).toBeLessThan(edgeSpeed(430, 50, 400));
  expect(edgeSpeed(20, 50, 400)).toBeLessThan(0);
  expect(edgeSpeed(9000, 50, 400)).toBe(48);
});
