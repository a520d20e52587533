import { heightOf, widthOf, type Block } from './block.ts';

export interface Size {
  readonly height: number;
  readonly width: number;
}

/**
 * Returns the size of a paste from the selection's upper left corner: the selection, when it is a multiple of the copied
 * cells (a single value fills it), else the copied size.
 */
export function pasteSize(selected: Block, copied: Size): Size {
  const { height, width } = copied;
  const [high, wide] = [heightOf(selected), widthOf(selected)];
  const repeats = (high % height === 0 || high === 1) && (wide % width === 0 || wide === 1);
  if (!repeats) return copied;
  return { height: Math.max(high, height), width: Math.max(wide, width) };
}

/** Returns the copied rows that create new rows below the last one: those with text. */
export const withoutEmptyRows = <T extends readonly string[]>(rows: readonly T[]): T[] =>
  rows.filter((row) => row.some((text) => text.trim() !== ''));

/** A fill: the copied cells, and all cells from them to its end. */
export interface Fill {
  readonly source: Block;
  readonly target: Block;
}

/**
 * Ctrl+D and Ctrl+R: from the selection's first row or column, or from the cell before a single one.
 * @param above the row above the selection; -1: none
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

/** The fill handle dragged to a cell: along the longer axis; null while it is over its own cells. */
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

/** Returns the pattern index for a cell `distance` after the pattern's start, or before it where negative. */
export const patternAt = (distance: number, length: number): number =>
  ((distance % length) + length) % length;
