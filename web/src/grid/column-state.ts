import { useEffect, useState } from 'react';
import { allowedWidth } from '../platform/column-widths.ts';
import {
  isObject,
  parsedObject,
  readStored,
  writeStored,
  type StorageKey,
} from '../platform/storage-keys.ts';
import type { GridColumn, GridRecord } from './columns.ts';

/** The layout of columns by column id. The caller owns it and may store it. */
export interface ColumnState {
  /** Column ids in order. Columns that are missing here come last, in the order of their definition. */
  readonly columnOrder: string[];
  /** Widths in px of the resized columns. */
  readonly columnSizing: Record<string, number>;
  /** A column without an entry is visible. */
  readonly columnVisibility: Record<string, boolean>;
  readonly columnPinning: { start: string[]; end: string[] };
}

export type SetColumnState = (update: (old: ColumnState) => ColumnState) => void;

export const emptyColumnState: ColumnState = {
  columnOrder: [],
  columnSizing: {},
  columnVisibility: {},
  columnPinning: { start: [], end: [] },
};

/** Pins a column next to the columns pinned on that side, or unpins it. */
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
 * Moves a column to the position of another one, in that one's zone (pinned left, scrolling, pinned right).
 *
 * @param ids every column in the order of definition, since the stored order may lack newer columns
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

/** Sets a width in px; at least the minimum of the column. */
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

/**
 * Column widths, order, visibility and pins, stored in localStorage (docs/product/data-entry.md, Columns and saved
 * views). Invalid content is replaced by the defaults.
 */
export function useStoredColumnState(
  storageKey: StorageKey,
  defaults: ColumnState = emptyColumnState,
): [ColumnState, SetColumnState] {
  const [state, setState] = useState(() => ({
    ...defaults,
    ...checked(parsedObject(readStored(storageKey))),
  }));
  useEffect(() => writeStored(storageKey, JSON.stringify(state)), [storageKey, state]);
  return [state, setState];
}

/** Returns the parts with a valid shape. */
function checked(stored: Record<string, unknown>): Partial<ColumnState> {
  const { columnOrder, columnSizing, columnVisibility, columnPinning } = stored;
  return {
    ...(isListOf('string', columnOrder) && { columnOrder }),
    ...(isObject(columnSizing) && isRecordOf('number', columnSizing) && { columnSizing }),
    ...(isObject(columnVisibility) && isRecordOf('boolean', columnVisibility) && { columnVisibility }),
    ...(isPinning(columnPinning) && { columnPinning }),
  };
}

function isListOf(type: 'string', value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === type);
}

function isRecordOf(type: 'number', value: object): value is Record<string, number>;
function isRecordOf(type: 'boolean', value: object): value is Record<string, boolean>;
function isRecordOf(type: string, value: object): boolean {
  return Object.values(value).every((each) => typeof each === type);
}

function isPinning(value: unknown): value is ColumnState['columnPinning'] {
  return isObject(value) && isListOf('string', value['start']) && isListOf('string', value['end']);
}
