import { LINK_ADDRESS } from '@forecourt/contract/template-limits';
import { Placeholder } from '@tiptap/extensions';
import { goToNextCell, tableEditing } from '@tiptap/pm/tables';
import { Node } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { texts } from '../../../texts/email-templates.ts';
import { ButtonNode } from './ButtonBlock.tsx';
import { Conditional } from './ConditionalFrame.tsx';
import { ImageNode } from './ImageBlock.tsx';
import { PastedImages } from './pasted-images.ts';
import { addRow } from './table-commands.ts';
import { Variable } from './VariableChip.tsx';

/** An item is one paragraph. Nested lists are excluded, because mail programs render them differently. */
const ListItem = Node.create({
  name: 'listItem',
  content: 'paragraph',
  defining: true,
  parseHTML: () => [{ tag: 'li' }],
  renderHTML: () => ['li', 0],
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) };
  },
});

/** Cells are never merged, not even pasted ones, because the contract has plain rows of cells. */
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

/** Rows of cells; the first row may be a header (contract `Table`). Tab moves between cells. */
const tableNodes = [
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

/** The complete schema of a template's body (contract `TemplateDocument`). */
export const bodyExtensions = [
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    listItem: false,
    heading: { levels: [1, 2, 3] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (address) => LINK_ADDRESS.test(address),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  ListItem,
  Variable,
  ButtonNode,
  ImageNode,
  PastedImages,
  ...tableNodes,
  Conditional,
  Placeholder.configure({ placeholder: texts.bodyPlaceholder }),
];
