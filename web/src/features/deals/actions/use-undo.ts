import { useState, type RefObject } from 'react';
import type { CellAddress, GridHandle } from '../../../grid/grid.ts';
import { createStore, type Store } from '../../../platform/external-store.ts';
import { toastWarning } from '../../../ui/toasts.ts';
import { focusTable } from '../data-entry-context.ts';
import type { UndoOutcome } from '../store/undo-stack.ts';
import type { Deals } from '../use-deals.ts';

/** Ctrl+Z and Ctrl+Y: undoes or redoes, focuses the first affected cell and announces the result. */
export function useUndo(
  { history, rows }: Deals,
  grid: RefObject<GridHandle | null>,
  active: Store<CellAddress | null>,
) {
  /** Message of the last undo or redo. */
  const [announcement] = useState(() => createStore(''));

  function show({ message, isComplete, cells }: UndoOutcome): void {
    announcement.set(isComplete ? message : '');
    if (!isComplete) toastWarning(message);
    const places = cells ?? [active.get() ?? []].flat();
    const first = places.find(({ key }) => rows.get(key));
    if (first) grid.current?.focusCell(first.key, first.columnId);
    else focusTable();
  }

  return {
    announcement,
    undo: (): void => void history.undo().then(show),
    redo: (): void => void history.redo().then(show),
  };
}
