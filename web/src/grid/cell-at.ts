import type { Position } from './movement.ts';
import { columnAt } from './window.ts';

/** Positions of the cells in px. */
export interface CellPlaces {
  readonly rowHeight: number;
  readonly headerHeight: number;
  /** Px at the lower edge covered by the blank row. */
  readonly stickyHeight: number;
  readonly rowCount: number;
  /** One width for each visible column, from left to right. */
  readonly widths: readonly number[];
  readonly startCount: number;
  readonly startWidth: number;
  readonly endCount: number;
  readonly endWidth: number;
  readonly centerStarts: readonly number[];
}

/** The visible part of the grid: how far it is scrolled, and its size. */
export interface View {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the cell at a point, computed, or the nearest visible one.
 *
 * @param x px from the grid's left edge
 * @param y px from its upper edge
 */
export function cellAt(x: number, y: number, view: View, places: CellPlaces): Position {
  const { rowHeight, headerHeight, stickyHeight, rowCount } = places;
  const lastVisible = view.height - headerHeight - stickyHeight - 1;
  const down = Math.max(0, Math.min(y - headerHeight, lastVisible));
  const lastRow = Math.max(0, rowCount - 1 - Number(stickyHeight > 0));
  const row = Math.min(Math.floor((view.top + down) / rowHeight), lastRow);
  return { row, column: columnOf(Math.max(0, Math.min(x, view.width - 1)), view, places) };
}

function columnOf(x: number, view: View, places: CellPlaces): number {
  const { widths, startCount, startWidth, endCount, endWidth, centerStarts } = places;
  if (x < startWidth && startCount > 0) {
    let edge = startWidth;
    for (let column = startCount - 1; column > 0; column--) {
      edge -= widths[column] ?? 0;
      if (x >= edge) return column;
    }
    return 0;
  }
  const endFrom = widths.length - endCount;
  if (x >= view.width - endWidth && endCount > 0) {
    let edge = view.width;
    for (let column = widths.length - 1; column > endFrom; column--) {
      edge -= widths[column] ?? 0;
      if (x >= edge) return column;
    }
    return endFrom;
  }
  const across = columnAt(centerStarts, view.left + x - startWidth) + startCount;
  return Math.max(0, Math.min(across, endFrom - 1));
}

/** Returns px per frame to scroll for a point beyond an edge; 0 between the edges. */
export function edgeSpeed(at: number, from: number, to: number): number {
  if (at < from) return -stepOf(from - at);
  return at > to ? stepOf(at - to) : 0;
}

const FASTEST = 48;
const stepOf = (beyond: number): number => Math.min(FASTEST, 4 + beyond / 2);
