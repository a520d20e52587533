import { heightOf, widthOf, type Block } from './block.ts';

export interface Size {
  readonly height: number;
  readonly width: number;
}

/**
 * Returns the size of a paste at the selection's upper left corner: that of the selection if it is a multiple of the
 * copied cells (a single value fills it), otherwise that of the copied cells.
 */
export function pasteSize(selected: Block, copied: Size): Size {
  const { height, width } = copied;
  const [high, wide] = [heightOf(selected), widthOf(selected)];
  const repeats = (high % height === 0 || high === 1) && (wide % width === 0 || wide === 1);
  if (!repeats) return copied;
  return { height: Math.max(high, height), width: Math.max(wide, width) };
}

/** Returns the copied rows that create new rows below the last one: rows with text. */
export const withoutEmptyRows = <T extends readonly string[]>(rows: readonly T[]): T[] =>
  rows.filter((row) => row.some((text) => text.trim() !== ''));

/** A fill: the copied cells, and all cells from their first one to the end of the fill. */
export interface Fill {
  readonly source: Block;
  readonly target: Block;
}

/**
 * Returns the fill of Ctrl+D and Ctrl+R. It copies the first row or column of the selection, or for a single cell the
 * cell above or to the left.
 * @param above the row above the selection; -1 if there is none
 */
export function fillOfKey(
  selected: Block,
  direction: 'down' | 'right',
  above = selected.top - 1,
): Fill | null {
  const { top, left, bottom, right } = selected;
  if (direction === 'down') {
    const from = top === bottom ? above : top;
    return from < 0
      ? null
      : { source: { ...selected, top: from, bottom: from }, target: { ...selected, top: from } };
  }
  const from = left === right ? left - 1 : left;
  return from < 0
    ? null
    : { source: { ...selected, left: from, right: from }, target: { ...selected, left: from } };
}

/** Returns the fill for a drag of the handle to a cell, along the longer axis; null while it is over its own cells. */
export function fillOfDrag(source: Block, to: { row: number; column: number }): Fill | null {
  const { top, left, bottom, right } = source;
  const down = Math.max(to.row - bottom, top - to.row, 0);
  const across = Math.max(to.column - right, left - to.column, 0);
  if (down === 0 && across === 0) return null;
  const target =
    down >= across
      ? { ...source, top: Math.min(top, to.row), bottom: Math.max(bottom, to.row) }
      : { ...source, left: Math.min(left, to.column), right: Math.max(right, to.column) };
  return { source, target };
}

/** Returns the index in the pattern for a cell `distance` after its start; negative if before. */
export const patternAt = (distance: number, length: number): number =>
  ((distance % length) + length) % length;
