import type { ColumnState } from './column-state.ts';

/** Columns from left to right: pinned to the left, scrolling, pinned to the right. */
export interface Zones<C> {
  readonly start: readonly C[];
  readonly center: readonly C[];
  readonly end: readonly C[];
}

/**
 * Returns the ids of all columns, including hidden ones, by zone.
 *
 * @param ids every column in the order of definition: columns missing in the state come last
 */
export function columnZones(
  { columnOrder, columnPinning }: Pick<ColumnState, 'columnOrder' | 'columnPinning'>,
  ids: readonly string[],
): Zones<string> {
  const { start, end } = columnPinning;
  const existingIds = (these: readonly string[]) => these.filter((id) => ids.includes(id));
  const pinned = new Set([...start, ...end]);
  const center = [...new Set([...columnOrder, ...ids])].filter((id) => !pinned.has(id));
  return { start: existingIds(start), center: existingIds(center), end: existingIds(end) };
}

/**
 * Returns the zones with as many pinned columns as fit. From the inside, pinned columns become scrolling ones until the
 * rest fits. The order of columns does not change.
 *
 * @param available px available for pinned columns
 */
export function fittingZones<C>(
  { start, center, end }: Zones<C>,
  widthOf: (column: C) => number,
  available: number,
): Zones<C> {
  const sum = (these: readonly C[]) => these.reduce((width, column) => width + widthOf(column), 0);
  let [left, right] = [sum(start), sum(end)];
  let [lefts, rights] = [start.length, 0];
  while (left + right > available && lefts + end.length - rights > 0) {
    // Unpins from the wider side, so that neither side occupies the whole space.
    const fromLeft = left >= right && lefts > 0;
    const column = fromLeft ? start[lefts - 1] : end[rights];
    if (column === undefined) break;
    if (fromLeft) {
      left -= widthOf(column);
      lefts -= 1;
    } else {
      right -= widthOf(column);
      rights += 1;
    }
  }
  return {
    start: start.slice(0, lefts),
    center: [...start.slice(lefts), ...center, ...end.slice(0, rights)],
    end: end.slice(rights),
  };
}
