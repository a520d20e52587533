import { InputRule, mergeAttributes, Node, nodePasteRule, ReactNodeViewRenderer } from '@tiptap/react';
import { VariableChip } from './VariableChip.tsx';

/**
 * A variable in the text: an atom that can be bold and the like as text. Typed or pasted as `{{key}}`; copied to other
 * programs in that form, too.
 */
export const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,

  addAttributes: () => ({
    key: {
      default: '',
      parseHTML: (element: HTMLElement) => element.dataset['variable'] ?? '',
      rendered: false,
    },
  }),

  parseHTML: () => [{ tag: 'span[data-variable]' }],

  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { 'data-variable': String(node.attrs['key']) }),
    `{{${String(node.attrs['key'])}}}`,
  ],

  renderText: ({ node }) => `{{${String(node.attrs['key'])}}}`,

  addNodeView: () => ReactNodeViewRenderer(VariableChip),

  addInputRules() {
    return [
      new InputRule({
        find: /\{\{([a-zA-Z][a-zA-Z0-9]{0,39})\}\}$/,
        handler: ({ state, range, match }) => {
          const marks = state.selection.$from.marks();
          state.tr.replaceWith(range.from, range.to, this.type.create({ key: match[1] }, null, marks));
        },
      }),
    ];
  },

  addPasteRules() {
    return [
      nodePasteRule({
        find: /\{\{([a-zA-Z][a-zA-Z0-9]{0,39})\}\}/g,
        type: this.type,
        getAttributes: ([, key]) => ({ key }),
      }),
    ];
  },
});
