import {
  columnOrderingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
  type ColumnOrderState,
  type ColumnPinningState,
  type ColumnSizingState,
  type ColumnVisibilityState,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { DEFAULT_COLUMN_WIDTH, MIN_COLUMN_WIDTH, type GridColumn, type GridRecord } from './columns.ts';

/** How the columns are arranged, in TanStack Table's shapes. The caller keeps it and may store it. */
export interface ColumnState {
  readonly columnOrder: ColumnOrderState;
  readonly columnSizing: ColumnSizingState;
  readonly columnVisibility: ColumnVisibilityState;
  readonly columnPinning: ColumnPinningState;
}

export type SetColumnState = (update: (old: ColumnState) => ColumnState) => void;

export const emptyColumnState: ColumnState = {
  columnOrder: [],
  columnSizing: {},
  columnVisibility: {},
  columnPinning: { start: [], end: [] },
};

/** Columns from left to right: pinned ones, those that scroll, those pinned to the right. */
export interface ColumnLayout<R extends GridRecord> {
  readonly columns: readonly GridColumn<R>[];
  /** Widths in px, one for each of `columns`. */
  readonly widths: readonly number[];
  readonly startCount: number;
  readonly endCount: number;
  readonly startWidth: number;
  readonly endWidth: number;
  /** Left edges of the scrolling columns counted from the first of them, then the right edge of the last. */
  readonly centerStarts: readonly number[];
  readonly totalWidth: number;
}

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
});
const noRows: object[] = [];

/** TanStack Table decides which columns stand where; it never sees a row. */
export function useColumnLayout<R extends GridRecord>(
  columns: readonly GridColumn<R>[],
  state: ColumnState,
  leadingWidth: number,
): ColumnLayout<R> {
  const { columnSizing } = state;
  const definitions = useMemo(() => columns.map(({ id }) => ({ id })), [columns]);
  const table = useTable({ features, columns: definitions, data: noRows, state });
  const start = table.getStartVisibleLeafColumns();
  const center = table.getCenterVisibleLeafColumns();
  const end = table.getEndVisibleLeafColumns();

  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const pick = (these: typeof start) =>
      these.map(({ id }) => byId.get(id)).filter((column) => column !== undefined);
    const widthOf = ({ id, size, minSize }: GridColumn<R>) =>
      Math.max(minSize ?? MIN_COLUMN_WIDTH, columnSizing[id] ?? size ?? DEFAULT_COLUMN_WIDTH);
    const sum = (these: readonly GridColumn<R>[]) =>
      these.reduce((width, column) => width + widthOf(column), 0);

    const [left, middle, right] = [pick(start), pick(center), pick(end)];
    const centerStarts = [0];
    for (const column of middle) centerStarts.push((centerStarts.at(-1) ?? 0) + widthOf(column));
    const shown = [...left, ...middle, ...right];
    const startWidth = leadingWidth + sum(left);
    return {
      columns: shown,
      widths: shown.map(widthOf),
      startCount: left.length,
      endCount: right.length,
      startWidth,
      endWidth: sum(right),
      centerStarts,
      totalWidth: startWidth + sum(middle) + sum(right),
    };
  }, [columns, start, center, end, columnSizing, leadingWidth]);
}

/**
 * Moves a column to where another one stands, in that one's zone (pinned left, scrolling, pinned right).
 *
 * @param ids every column in the order it was defined, since the stored order may be older than the newest column
 */
export function moveColumn(
  state: ColumnState,
  ids: readonly string[],
  moved: string,
  target: string,
): ColumnState {
  if (moved === target) return state;
  const place = (zone: readonly string[]) => {
    const rest = zone.filter((id) => id !== moved);
    if (!zone.includes(target)) return rest;
    const comesFromLeft = zone.includes(moved) && zone.indexOf(moved) < zone.indexOf(target);
    const at = rest.indexOf(target) + Number(comesFromLeft);
    return [...rest.slice(0, at), moved, ...rest.slice(at)];
  };
  return {
    ...state,
    columnOrder: place([...new Set([...state.columnOrder, ...ids])]),
    columnPinning: { start: place(state.columnPinning.start), end: place(state.columnPinning.end) },
  };
}

/** Sets a width in px, not below the column's minimum. */
export function resizeColumn<R extends GridRecord>(
  state: ColumnState,
  column: GridColumn<R>,
  width: number,
): ColumnState {
  const narrowest = column.minSize ?? MIN_COLUMN_WIDTH;
  return {
    ...state,
    columnSizing: { ...state.columnSizing, [column.id]: Math.max(narrowest, Math.round(width)) },
  };
}
