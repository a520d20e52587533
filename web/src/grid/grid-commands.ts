import type { GridCommand, GridParts } from './grid-props.ts';
import { parseTsv } from './tsv.ts';
import type { BlockCommands } from './use-block-commands.ts';
import type { Filling } from './use-fill.ts';

const MAY_NOT_PASTE = 'The browser does not let this page read the clipboard. Press Ctrl+V to paste.';

export type GridCommands = Readonly<Record<GridCommand, () => void>>;

/** Creates the functions that run the commands of keys, menus and the caller. */
export function createGridCommands(
  { active, editing }: Pick<GridParts, 'active' | 'editing'>,
  commands: BlockCommands,
  { fill }: Filling,
  showNote: (note: string) => void,
): GridCommands {
  return {
    edit() {
      if (!active.cell || !active.position) return;
      active.reveal(active.position);
      editing.start(active.cell);
    },
    copy: () => void document.execCommand('copy'),
    paste: () =>
      void navigator.clipboard.readText().then(
        (text) => commands.paste(parseTsv(text)),
        () => showNote(MAY_NOT_PASTE),
      ),
    clear: () => commands.clear('clear'),
    fillDown: () => fill('down'),
    fillRight: () => fill('right'),
  };
}
