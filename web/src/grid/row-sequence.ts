import { useMemo, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type { GridRecord } from './columns.ts';
import type { Keystroke } from './movement.ts';
import type { RowStore } from './row-store.ts';

/** Key of the header row. */
export const HEADER_KEY = '#header';

/** The ordered rows, then the trailing ones, as one list without a copy; with groups, including their heads. */
export interface RowSequence {
  readonly length: number;
  readonly trailingCount: number;
  readonly keyAt: (index: number) => string | undefined;
  /** Returns -1 for the header, and null for a key that has no row in the grid. */
  readonly indexOf: (key: string) => number | null;
  /** Returns the keys of the records in these rows; both ends are included. */
  readonly keysBetween: (from: number, to: number) => string[];
  readonly countBetween: (from: number, to: number) => number;
  /** Returns the keys of all records above the trailing rows in order, including those in collapsed groups. */
  readonly getRecords: () => readonly string[];
  readonly recordCount: number;
  /** Whether a row is the head of a group. */
  readonly isHead: (index: number) => boolean;
  /** Returns the key of the collapsed group that hides a record; null if it is visible. */
  readonly hiddenIn: (key: string) => string | null;
}

/** Consecutive rows below a head. */
export interface RowGroup {
  /** The key of the head, which differs from every record's. */
  readonly key: string;
  readonly rows: readonly string[];
  readonly isExpanded: boolean;
  readonly selectLabel: string;
  /** Label of the button that adds a row; null if no row can be added to this group. */
  readonly addLabel: string | null;
}

export interface GroupHeadProps {
  readonly group: RowGroup;
  readonly renderHead: (key: string) => ReactNode;
  readonly prefix: string;
  readonly index: number;
  readonly rowHeight: number;
  readonly columnCount: number;
  /** Undefined in a grid without checkboxes. */
  readonly selected: ReadonlySet<string> | undefined;
  /** Id of the head while it is active. */
  readonly activeId: string | undefined;
}

/** The rows in groups, created by `createGridGroups`. Every change of the rows creates a new object. */
export interface GridGroups {
  /** Returns the rows of the grid: heads with the rows of expanded groups, then the trailing rows. */
  readonly sequenceOf: (trailing: readonly string[]) => RowSequence;
  readonly group: (key: string) => RowGroup | undefined;
  readonly Head: ComponentType<GroupHeadProps>;
  readonly renderHead: (key: string) => ReactNode;
  /** Expands the group of a record. */
  readonly reveal: (key: string) => void;
  /** Handles a click on a head. */
  readonly onPress: (key: string, part: 'add' | 'head') => void;
  /** Handles a key in a cell or a head. Returns whether it did. */
  readonly onKey: (stroke: Keystroke, cell: string) => boolean;
}

export function rowSequence(order: readonly string[], trailing: readonly string[]): RowSequence {
  // Cached, because every scroll step looks up the same few keys: the active cell and the corners of a block.
  const cachedIndexes = new Map<string, number>();
  const keyAt = (index: number) => order[index] ?? trailing[index - order.length];
  return {
    length: order.length + trailing.length,
    trailingCount: trailing.length,
    keyAt,
    keysBetween(from, to) {
      const keys = Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => keyAt(from + step));
      return keys.filter((key) => key !== undefined);
    },
    countBetween: (from, to) => to - from + 1,
    getRecords: () => order,
    recordCount: order.length,
    isHead: () => false,
    hiddenIn: () => null,
    indexOf(key) {
      if (key === HEADER_KEY) return -1;
      const cachedIndex = cachedIndexes.get(key);
      if (cachedIndex !== undefined) return cachedIndex;
      const below = trailing.indexOf(key);
      const index = below < 0 ? order.indexOf(key) : order.length + below;
      if (index < 0) return null;
      cachedIndexes.set(key, index);
      return index;
    },
  };
}

/** Skips the heads from a row on, in the direction of `step`; the result is outside the grid if no record follows. */
export function passHeads({ isHead }: RowSequence, row: number, step: 1 | -1): number {
  let at = row;
  while (isHead(at)) at += step;
  return at;
}

export function useRowSequence<R extends GridRecord>(
  store: RowStore<R>,
  trailing: readonly string[],
  groups: GridGroups | null,
): RowSequence {
  const order = useSyncExternalStore(store.subscribeOrder, store.getOrder);
  return useMemo(
    () => groups?.sequenceOf(trailing) ?? rowSequence(order, trailing),
    [order, trailing, groups],
  );
}
