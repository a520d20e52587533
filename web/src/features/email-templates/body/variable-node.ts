import { InputRule, mergeAttributes, Node, nodePasteRule, ReactNodeViewRenderer } from '@tiptap/react';
import { VariableChip } from './VariableChip.tsx';

/**
 * A variable in the text: one piece that the cursor steps over and that carries bold and the like as text does.
 * Typed or pasted as `{{key}}`; copied to other programs as that, too.
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
