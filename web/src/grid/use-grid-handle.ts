import { useImperativeHandle, type Ref } from 'react';
import type { GridCommands } from './grid-commands.ts';
import type { GridHandle, GridParts } from './grid-props.ts';
import type { RowSequence } from './row-sequence.ts';

interface HandleActions {
  readonly findNext: (backwards: boolean) => boolean;
  readonly run: GridCommands;
  /** Returns the rows as the next render shows them: a group may have been expanded since the last one. */
  readonly nextSequence: () => RowSequence;
}

export function useGridHandle(
  ref: Ref<GridHandle> | undefined,
  { scroller, prefix, groups, columnIds, active, editing, gestures, focusGrid }: GridParts,
  { findNext, run, nextSequence }: HandleActions,
): void {
  useImperativeHandle(ref, () => ({
    focusCell(key, columnId) {
      editing.finish('leave');
      groups?.reveal(key);
      // The focus moves first, because a grid activates its first cell when it first receives the focus.
      focusGrid();
      active.activate({ key, columnId });
    },
    scrollToRow(key) {
      groups?.reveal(key);
      const row = nextSequence().indexOf(key);
      if (row !== null) active.reveal({ row, column: -1 });
    },
    findNext,
    run(command) {
      focusGrid();
      run[command]();
    },
    fitColumn(columnId) {
      if (scroller.current) gestures.fit(columnIds.indexOf(columnId), scroller.current, prefix);
    },
  }));
}
