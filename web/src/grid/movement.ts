/**
 * Computes the movement of the active cell, without a DOM. Rows count from 0 and include trailing rows; the header is
 * row -1. Every function returns a position inside the grid.
 */
export interface Position {
  readonly row: number;
  readonly column: number;
}

export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Number of completely visible rows: the step of PageUp and PageDown. */
  readonly page: number;
}

export interface Keystroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export const HEADER_ROW = -1;

/** Returns the position that a key moves to; null if the key is no movement. */
export function keyMove(from: Position, stroke: Keystroke, extent: Extent): Position | null {
  if (stroke.altKey || stroke.shiftKey) return null;
  const far = stroke.ctrlKey || stroke.metaKey;
  const last = { row: extent.rows - 1, column: extent.columns - 1 };
  const { row, column } = from;
  switch (stroke.key) {
    case 'ArrowUp':
      return clamp({ row: far ? Math.min(row, 0) : row - 1, column }, extent);
    case 'ArrowDown':
      return clamp({ row: far ? last.row : row + 1, column }, extent);
    case 'ArrowLeft':
      return clamp({ row, column: far ? 0 : column - 1 }, extent);
    case 'ArrowRight':
      return clamp({ row, column: far ? last.column : column + 1 }, extent);
    case 'Home':
      return clamp({ row: far ? 0 : row, column: 0 }, extent);
    case 'End':
      return clamp({ row: far ? last.row : row, column: last.column }, extent);
    case 'PageUp':
      return far ? null : clamp({ row: row < 0 ? row : Math.max(row - extent.page, 0), column }, extent);
    case 'PageDown':
      return far ? null : clamp({ row: row + extent.page, column }, extent);
    default:
      return null;
  }
}

/** Returns the next cell in reading order; null if Tab leaves the grid. The header is a row of its own. */
export function tabMove({ row, column }: Position, backwards: boolean, extent: Extent): Position | null {
  const next = column + (backwards ? -1 : 1);
  if (next >= 0 && next < extent.columns) return { row, column: next };
  const nextRow = row + (backwards ? -1 : 1);
  if (row < 0 || nextRow < 0 || nextRow >= extent.rows) return null;
  return { row: nextRow, column: backwards ? extent.columns - 1 : 0 };
}

export function clamp({ row, column }: Position, extent: Extent): Position {
  return {
    row: Math.max(HEADER_ROW, Math.min(row, extent.rows - 1)),
    column: Math.max(0, Math.min(column, extent.columns - 1)),
  };
}
