import { goToNextCell, tableEditing } from '@tiptap/pm/tables';
import { Node } from '@tiptap/react';
import { addRow } from './table-commands.ts';

/** Cells are never merged, also not pasted ones: the contract has plain rows of cells. */
const single = { default: 1, parseHTML: () => 1, rendered: false };
const spans = {
  colspan: single,
  rowspan: single,
  colwidth: { ...single, default: null, parseHTML: () => null },
};

const ROLES: Record<string, string> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
};

const cellNode = (name: string, tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'paragraph+',
    isolating: true,
    addAttributes: () => spans,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  });

/** Rows of cells, the first of which may be a header (contract `Table`). Tab moves between cells. */
export const tableNodes = [
  Node.create({
    name: 'table',
    group: 'block',
    content: 'tableRow+',
    isolating: true,
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', ['tbody', 0]],
    extendNodeSchema: ({ name }) => (name in ROLES ? { tableRole: ROLES[name] } : {}),
    addProseMirrorPlugins: () => [tableEditing()],
    addKeyboardShortcuts() {
      const { editor } = this;
      const goTo = (direction: 1 | -1): boolean =>
        goToNextCell(direction)(editor.state, editor.view.dispatch);
      return {
        Tab: () => goTo(1) || (addRow(editor) && goTo(1)),
        'Shift-Tab': () => goTo(-1),
      };
    },
  }),
  Node.create({
    name: 'tableRow',
    content: '(tableCell | tableHeader)+',
    parseHTML: () => [{ tag: 'tr' }],
    renderHTML: () => ['tr', 0],
  }),
  cellNode('tableCell', 'td'),
  cellNode('tableHeader', 'th'),
];
