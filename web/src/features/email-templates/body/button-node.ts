import { Node, ReactNodeViewRenderer } from '@tiptap/react';
import { ButtonBlock } from './ButtonBlock.tsx';
import { LINK } from './links.ts';

/** A button that leads to an address; its text is typed in it, without formats (contract `Button`). */
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
      getAttrs: (element) => (LINK.test(element.getAttribute('href') ?? '') ? null : false),
    },
  ],

  renderHTML: ({ node }) => ['a', { 'data-button': '', href: String(node.attrs['href']) }, 0],

  addNodeView: () => ReactNodeViewRenderer(ButtonBlock),

  addKeyboardShortcuts() {
    return {
      // A text goes on below the button, not in a second one.
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
