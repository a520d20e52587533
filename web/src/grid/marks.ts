import type { ReactNode } from 'react';

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

/** A mark of a whole row, beside its checkbox. A row has at most one dot, at the right, and one icon, at the left. */
export interface RowMark {
  /** Its accessible name. */
  readonly label: string;
  /** Sets the look of the dot. */
  readonly className?: string;
  /** Shown instead of the dot, at most 14 px wide. */
  readonly icon?: ReactNode;
  /** Called on a click: offer the same by a key. */
  readonly onClick: () => void;
}

/** Marks by row key. */
export type RowMarks = ReadonlyMap<string, readonly RowMark[]>;

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
