import { LINK_ADDRESS } from '@forecourt/contract/template-limits';
import { Node, ReactNodeViewRenderer } from '@tiptap/react';
import { ButtonBlock } from './ButtonBlock.tsx';

/** A button with an address; its text is edited in place, without formats (contract `Button`). */
export const ButtonNode = Node.create({
  name: 'button',
  group: 'block',
  content: '(text | variable)*',
  marks: '',
  defining: true,

  addAttributes: () => ({
    href: { default: '', parseHTML: (element: HTMLElement) => element.getAttribute('href') ?? '' },
  }),

  parseHTML: () => [
    {
      tag: 'a[data-button]',
      priority: 100,
      getAttrs: (element) => (LINK_ADDRESS.test(element.getAttribute('href') ?? '') ? null : false),
    },
  ],

  renderHTML: ({ node }) => ['a', { 'data-button': '', href: String(node.attrs['href']) }, 0],

  addNodeView: () => ReactNodeViewRenderer(ButtonBlock),

  addKeyboardShortcuts() {
    return {
      // Enter adds a paragraph below the button, not a second button.
      Enter: ({ editor }) => {
        const { $from } = editor.state.selection;
        if ($from.parent.type !== this.type) return false;
        const after = $from.after();
        return editor
          .chain()
          .insertContentAt(after, { type: 'paragraph' })
          .setTextSelection(after + 1)
          .run();
      },
    };
  },
});
