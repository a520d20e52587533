import type { ColumnState } from './column-state.ts';

/** Columns from left to right: pinned to the left, scrolling, pinned to the right. */
export interface Zones<C> {
  readonly start: readonly C[];
  readonly center: readonly C[];
  readonly end: readonly C[];
}

/**
 * Every column, hidden ones too, where it stands.
 *
 * @param ids every column in the order it was defined: those that the state does not know come after the others
 */
export function columnZones(
  { columnOrder, columnPinning }: Pick<ColumnState, 'columnOrder' | 'columnPinning'>,
  ids: readonly string[],
): Zones<string> {
  const { start, end } = columnPinning;
  const known = (these: readonly string[]) => these.filter((id) => ids.includes(id));
  const pinned = new Set([...start, ...end]);
  const center = [...new Set([...columnOrder, ...ids])].filter((id) => !pinned.has(id));
  return { start: known(start), center: known(center), end: known(end) };
}

/**
 * The zones as far as there is room for pins: those nearest to the middle scroll with the others until the rest fits.
 * No column changes its place.
 *
 * @param room px that pinned columns may take
 */
export function fittingZones<C>(
  { start, center, end }: Zones<C>,
  widthOf: (column: C) => number,
  room: number,
): Zones<C> {
  const sum = (these: readonly C[]) => these.reduce((width, column) => width + widthOf(column), 0);
  let [left, right] = [sum(start), sum(end)];
  let [lefts, rights] = [start.length, 0];
  while (left + right > room && lefts + end.length - rights > 0) {
    // From the wider side, so that neither takes all the room.
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
