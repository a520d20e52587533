/** A computed range of mounted rows or columns, half open: `from` is included, `to` is not. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Number of rows mounted above and below the visible ones; with fewer than 4, fast scrolling showed blank edges. */
const ROW_OVERSCAN = 4;
/** Columns are mounted in pairs, so that slow sideways scrolling renders half as often. */
const COLUMN_STEP = 2;

export function rowRange(scrollTop: number, height: number, rowHeight: number, count: number): Range {
  const first = Math.floor(scrollTop / rowHeight) - ROW_OVERSCAN;
  const last = Math.ceil((scrollTop + height) / rowHeight) + ROW_OVERSCAN;
  return { from: Math.max(0, Math.min(first, count)), to: Math.max(0, Math.min(last, count)) };
}

/** @param starts left edge of each column in px, then the right edge of the last one */
export function columnRange(scrollLeft: number, width: number, starts: readonly number[]): Range {
  const count = starts.length - 1;
  const from = Math.floor(columnAt(starts, scrollLeft) / COLUMN_STEP) * COLUMN_STEP;
  const to = Math.ceil((columnAt(starts, scrollLeft + width) + 1) / COLUMN_STEP) * COLUMN_STEP;
  return { from: Math.max(0, from), to: Math.min(to, count) };
}

/** Returns the index of the column at x by binary search; the nearest one if x is outside. */
export function columnAt(starts: readonly number[], x: number): number {
  let low = 0;
  let high = Math.max(0, starts.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the scroll position in px that makes an interval visible with the least movement. */
export function scrollInto(scroll: number, extent: number, start: number, end: number): number {
  if (start < scroll) return start;
  return end > scroll + extent ? end - extent : scroll;
}
