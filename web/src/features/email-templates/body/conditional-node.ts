import { mergeAttributes, Node, ReactNodeViewRenderer } from '@tiptap/react';
import { ConditionalFrame } from './ConditionalFrame.tsx';

/** The format of a variable's key (contract `VariableKey`): pasted content may have any. */
const KEY = /^[a-zA-Z][a-zA-Z0-9]{0,39}$/;

/** Blocks that are part of the message only when a variable has a value (contract `Conditional`). */
export const Conditional = Node.create({
  name: 'conditional',
  group: 'block',
  content: '(paragraph | heading | bulletList | orderedList | horizontalRule | button | table | image)+',
  defining: true,
  selectable: false,

  addAttributes: () => ({
    key: {
      default: '',
      parseHTML: (element: HTMLElement) => element.dataset['shownWhen'] ?? '',
      rendered: false,
    },
  }),

  parseHTML: () => [
    {
      tag: 'div[data-shown-when]',
      getAttrs: (element) => (KEY.test(element.dataset['shownWhen'] ?? '') ? null : false),
    },
  ],

  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-shown-when': String(node.attrs['key']) }),
    0,
  ],

  addNodeView: () => ReactNodeViewRenderer(ConditionalFrame),
});
