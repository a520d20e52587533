/** A decoration of a cell, hidden from screen readers: the active cell of another user, for example. */
export interface CellMark {
  /** Two or three letters in the cell's corner. */
  readonly label: string;
  /** Their meaning, as a tooltip. */
  readonly title: string;
  /** Sets `--grid-mark` and `--grid-mark-text`, its colours. */
  readonly className: string;
}

/** Marks by row key and column id. */
export type CellMarks = ReadonlyMap<string, ReadonlyMap<string, CellMark>>;

/**
 * The current marks, outside React, so that a change renders the grid and the rows concerned without the screen around
 * it; scrolling costs one map lookup per row.
 */
export interface MarkStore {
  readonly get: () => CellMarks;
  readonly subscribe: (listener: () => void) => () => void;
}

const none: CellMarks = new Map();
export const noMarks: MarkStore = { get: () => none, subscribe: () => () => {} };
