import { useEffect, useState } from 'react';
import { emptyColumnState, type ColumnState, type SetColumnState } from './column-state.ts';

/**
 * Column widths, order, visibility and pins, stored in localStorage (docs/product/data-entry.md, Columns and saved
 * views). Without storage, or with invalid content, the defaults apply.
 */
export function useStoredColumnState(
  storageKey: string,
  defaults: ColumnState = emptyColumnState,
): [ColumnState, SetColumnState] {
  const [state, setState] = useState(() => ({ ...defaults, ...read(storageKey) }));
  useEffect(() => {
    try {
      localStorage.setItem(storageKey, JSON.stringify(state));
    } catch {
      // Full or blocked storage loses the layout at the next visit only.
    }
  }, [storageKey, state]);
  return [state, setState];
}

function read(storageKey: string): Partial<ColumnState> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return isObject(stored) ? checked(stored) : {};
  } catch {
    return {};
  }
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
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
