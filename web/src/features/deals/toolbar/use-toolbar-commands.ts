import { useScreenCommands } from '../../../platform/screen-commands.ts';
import { texts as undoTexts } from '../../../texts/deal-undo.ts';
import { texts as viewTexts } from '../../../texts/deal-views.ts';
import { texts } from '../../../texts/deals.ts';

type ToolbarCommands = {
  /** Undefined if the user may not do it. */
  onNewRow: (() => void) | undefined;
  onColumns: (() => void) | undefined;
  onFilter: () => void;
  onGroup: () => void;
  onUndo: () => void;
  onRedo: () => void;
  /** Whether the page of a deal covers the table. */
  isCovered: boolean;
};

/** Offers the buttons of the toolbar in the command palette. */
export function useToolbarCommands({ isCovered, ...on }: ToolbarCommands): void {
  const all = [
    ['newRow', texts.newRow, 'Alt+N', on.onNewRow],
    ['filter', viewTexts.filter, 'Ctrl+Shift+L', on.onFilter],
    ['group', viewTexts.group, 'Ctrl+Shift+G', on.onGroup],
    ['columns', texts.columnsMenu, undefined, on.onColumns],
    ['undo', undoTexts.undo, 'Ctrl+Z', on.onUndo],
    ['redo', undoTexts.redo, 'Ctrl+Y', on.onRedo],
  ] as const;
  useScreenCommands(() =>
    all.flatMap(([id, label, keys, run]) =>
      run && (!isCovered || id === 'undo' || id === 'redo') ? [{ id, label, keys, ability: true, run }] : [],
    ),
  );
}
