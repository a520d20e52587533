import type {
  ColumnOrderState,
  ColumnPinningState,
  ColumnSizingState,
  ColumnVisibilityState,
} from '@tanstack/react-table';
import { allowedWidth } from '../platform/column-widths.ts';
import type { GridColumn, GridRecord } from './columns.ts';

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

/** Pins a column beside those that are pinned there already, or lets it scroll again. */
export function pinColumn(state: ColumnState, id: string, side: 'left' | 'right' | null): ColumnState {
  const start = state.columnPinning.start.filter((other) => other !== id);
  const end = state.columnPinning.end.filter((other) => other !== id);
  return {
    ...state,
    columnPinning: {
      start: side === 'left' ? [...start, id] : start,
      end: side === 'right' ? [id, ...end] : end,
    },
  };
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
  return {
    ...state,
    columnSizing: { ...state.columnSizing, [column.id]: allowedWidth(width, column.minSize) },
  };
}
