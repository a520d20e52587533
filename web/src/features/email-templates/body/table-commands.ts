import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS } from '@forecourt/contract/template-limits';
import { chainCommands } from '@tiptap/pm/commands';
import { TextSelection, type Command, type EditorState, type Transaction } from '@tiptap/pm/state';
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  selectedRect,
  TableMap,
  toggleHeaderRow,
} from '@tiptap/pm/tables';
import type { Command as ChainedCommand, Editor } from '@tiptap/react';

const run =
  (command: Command) =>
  (editor: Editor): boolean => {
    const isDone = command(editor.state, editor.view.dispatch);
    editor.view.focus();
    return isDone;
  };

const within =
  (limit: (state: EditorState) => boolean, command: Command): Command =>
  (state, dispatch) =>
    isInTable(state) && limit(state) && command(state, dispatch);

export const addRow = run(within((state) => selectedRect(state).map.height < MAX_TABLE_ROWS, addRowAfter));
export const addColumn = run(
  within((state) => selectedRect(state).map.width < MAX_TABLE_COLUMNS, addColumnAfter),
);
/** Removing the last row or column removes the table. The cursor moves to its position. */
const removing = (command: Command) =>
  run((state, dispatch) => {
    if (!isInTable(state)) return false;
    const { top, left, tableStart } = selectedRect(state);
    const stay = (tr: Transaction): void => {
      const table = tr.doc.nodeAt(tableStart - 1);
      if (table?.type.spec['tableRole'] === 'table') {
        const map = TableMap.get(table);
        const cell = map.positionAt(Math.min(top, map.height - 1), Math.min(left, map.width - 1), table);
        tr.setSelection(TextSelection.near(tr.doc.resolve(tableStart + cell + 1)));
      }
      dispatch?.(tr);
    };
    return chainCommands(command, deleteTable)(state, stay);
  });

export const removeRow = removing(deleteRow);
export const removeColumn = removing(deleteColumn);
export const removeTable = run(deleteTable);
export const toggleHeader = run(toggleHeaderRow);

/** Returns the table at the cursor; null if there is none. */
export function tableAround(state: EditorState): { hasHeader: boolean } | null {
  if (!isInTable(state)) return null;
  return { hasHeader: selectedRect(state).table.firstChild?.firstChild?.type.name === 'tableHeader' };
}

/** Moves the cursor below the table before a block is inserted, because cells contain only text. */
export const leaveTable: ChainedCommand = ({ tr, state }) => {
  const { $from } = tr.selection;
  const depth = Array.from({ length: $from.depth + 1 }, (_, at) => at).find(
    (at) => $from.node(at).type.name === 'table',
  );
  if (depth === undefined) return true;
  const below = $from.after(depth);
  tr.insert(below, state.schema.nodes['paragraph']!.create());
  tr.setSelection(TextSelection.create(tr.doc, below + 1));
  return true;
};

/** Inserts three rows of three cells, the first one a header, and places the cursor in the first cell. */
export function insertTable({ state, view }: Editor): void {
  const { tableCell, tableHeader, tableRow, table } = state.schema.nodes;
  const row = (cell = tableCell!) =>
    tableRow!.create(
      null,
      Array.from({ length: 3 }, () => cell.createAndFill()!),
    );
  const { tr } = state;
  const inside = tr.selection.from + 1;
  tr.replaceSelectionWith(table!.create(null, [row(tableHeader), row(), row()]));
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(inside))).scrollIntoView());
  view.focus();
}
