import { useState, type RefObject } from 'react';
import type { CellAddress, GridHandle } from '../../grid/grid.ts';
import { createStore, type Store } from '../../platform/external-store.ts';
import { toastWarning } from '../../ui/toasts.ts';
import type { UndoOutcome } from './deal-undo.ts';
import { focusTable } from './focus-table.ts';
import type { Deals } from './use-deals.ts';

/** Ctrl+Z and Ctrl+Y: shows in the table where something came back, and says it. */
export function useUndo(
  { history, rows }: Deals,
  grid: RefObject<GridHandle | null>,
  active: Store<CellAddress | null>,
) {
  /** What the last undo or redo came to, in words. */
  const [said] = useState(() => createStore(''));

  function show({ words, isWhole, cells }: UndoOutcome): void {
    said.set(isWhole ? words : '');
    if (!isWhole) toastWarning(words);
    const places = cells ?? [active.get() ?? []].flat();
    const first = places.find(({ key }) => rows.get(key));
    if (first) grid.current?.focusCell(first.key, first.columnId);
    else focusTable();
  }

  return {
    said,
    undo: (): void => void history.undo().then(show),
    redo: (): void => void history.redo().then(show),
  };
}
