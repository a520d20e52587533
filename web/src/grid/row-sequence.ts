import { useMemo, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type { GridRecord } from './columns.ts';
import type { Keystroke } from './movement.ts';
import type { RowStore } from './row-store.ts';

/** Key of the header, in place of a record's key. */
export const HEADER_KEY = '#header';

/** The ordered rows followed by the trailing ones, as one list without copying either; with groups, also their heads. */
export interface RowSequence {
  readonly length: number;
  readonly trailingCount: number;
  readonly keyAt: (index: number) => string | undefined;
  /** Returns -1 for the header, null for a key that is not shown. */
  readonly indexOf: (key: string) => number | null;
  /** Returns the keys of the records in these rows, both ends included. */
  readonly keysBetween: (from: number, to: number) => string[];
  /** Returns the number of these keys. */
  readonly countBetween: (from: number, to: number) => number;
  /** The keys of all records above the trailing rows, from top to bottom, also of those in collapsed groups. */
  readonly getRecords: () => readonly string[];
  /** The number of these records. */
  readonly recordCount: number;
  /** Whether a row is the head of a group. */
  readonly isHead: (index: number) => boolean;
  /** Returns the collapsed group that hides a record; null: none. */
  readonly hiddenIn: (key: string) => string | null;
}

/** Consecutive rows below a head. */
export interface RowGroup {
  /** The key of the head, which differs from every record's. */
  readonly key: string;
  readonly rows: readonly string[];
  readonly isExpanded: boolean;
  /** Label of the group's checkbox. */
  readonly selectLabel: string;
  /** Label of the button that adds a row; null: rows cannot be added to this group. */
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

/** The rows in groups, created by `createGridGroups`. A new object with each change of the rows in them. */
export interface GridGroups {
  /** Returns the rows of the grid: the heads with the rows of expanded groups, then the trailing ones. */
  readonly sequenceOf: (trailing: readonly string[]) => RowSequence;
  readonly group: (key: string) => RowGroup | undefined;
  readonly Head: ComponentType<GroupHeadProps>;
  readonly renderHead: (key: string) => ReactNode;
  /** Expands the group of a record. */
  readonly reveal: (key: string) => void;
  /** Handles a click on a head. */
  readonly onPress: (key: string, part: 'add' | 'head') => void;
  /** Handles a key in a cell or a head; returns whether it was one. */
  readonly onKey: (stroke: Keystroke, cell: string) => boolean;
}

export function rowSequence(order: readonly string[], trailing: readonly string[]): RowSequence {
  // The same few keys are looked up at every scroll step: those of the active cell and of a block's corners.
  const found = new Map<string, number>();
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
      const known = found.get(key);
      if (known !== undefined) return known;
      const below = trailing.indexOf(key);
      const index = below < 0 ? order.indexOf(key) : order.length + below;
      if (index < 0) return null;
      found.set(key, index);
      return index;
    },
  };
}

/** Returns the first row of a record from a row on; beyond the ends where there is none. */
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
