import type { ReactNode } from 'react';

/** A decoration of a cell, for example the active cell of another user. Screen readers ignore it. */
export interface CellMark {
  /** Two or three letters in the cell's corner. */
  readonly label: string;
  /** The tooltip, which explains the letters. */
  readonly title: string;
  /** Sets the colours `--grid-mark` and `--grid-mark-text`. */
  readonly className: string;
}

/** Marks by row key and column id. */
export type CellMarks = ReadonlyMap<string, ReadonlyMap<string, CellMark>>;

/** A mark of a whole row, beside its checkbox. A row has at most one dot, at the right, and one icon, at the left. */
export interface RowMark {
  /** Accessible name. */
  readonly label: string;
  /** Sets the appearance of the dot. */
  readonly className?: string;
  /** Replaces the dot; at most 14 px wide. */
  readonly icon?: ReactNode;
  /** Called on a click. The caller must offer the same by a key. */
  readonly onClick: () => void;
}

/** Marks by row key. */
export type RowMarks = ReadonlyMap<string, readonly RowMark[]>;

/**
 * The current marks, outside React: a change renders the grid and the affected rows, not the screen around it.
 * Scrolling costs one map lookup per row.
 */
export interface MarkStore<M = CellMarks> {
  readonly get: () => M;
  readonly subscribe: (listener: () => void) => () => void;
}

const none = new Map<string, never>();
export const noGroups: MarkStore<null> = { get: () => null, subscribe: () => () => {} };
export const noMarks: MarkStore<ReadonlyMap<string, never>> = { get: () => none, subscribe: () => () => {} };
