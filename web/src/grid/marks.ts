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

/** A mark of a whole row, beside its checkbox. A click on it calls `onRowMark`: offer the same by a key. */
export interface RowMark {
  /** Its accessible name. */
  readonly label: string;
  /** Sets the look of the dot. */
  readonly className: string;
}

/** Marks by row key. */
export type RowMarks = ReadonlyMap<string, RowMark>;

/**
 * The current marks, outside React, so that a change renders the grid and the rows concerned without the screen around
 * it; scrolling costs one map lookup per row.
 */
export interface MarkStore<M = CellMarks> {
  readonly get: () => M;
  readonly subscribe: (listener: () => void) => () => void;
}

const none = new Map<string, never>();
export const noGroups: MarkStore<null> = { get: () => null, subscribe: () => () => {} };
export const noMarks: MarkStore<ReadonlyMap<string, never>> = { get: () => none, subscribe: () => () => {} };
