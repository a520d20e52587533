/** Drawn over a cell and never read aloud: where a colleague is, for example. */
export interface CellMark {
  /** Two or three letters in the cell's corner. */
  readonly label: string;
  /** What they stand for, on hover. */
  readonly title: string;
  /** Sets `--grid-mark` and `--grid-mark-text`, its colours. */
  readonly className: string;
}

/** Marks by the row's key and the column's id. */
export type CellMarks = ReadonlyMap<string, ReadonlyMap<string, CellMark>>;

/**
 * Marks as they are now. They live outside React, so that a change of them renders the grid and the rows concerned and
 * not the screen around it; while somebody scrolls they cost one look into a map for each row.
 */
export interface MarkStore {
  readonly get: () => CellMarks;
  readonly subscribe: (listener: () => void) => () => void;
}

const none: CellMarks = new Map();
export const noMarks: MarkStore = { get: () => none, subscribe: () => () => {} };
