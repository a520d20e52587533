import { LINK_ADDRESS } from '@forecourt/contract/template-limits';
import { UnstyledButton } from '@mantine/core';
import {
  NodeViewContent,
  NodeViewWrapper,
  type NodeViewProps,
  Node,
  ReactNodeViewRenderer,
} from '@tiptap/react';
import Link2 from 'lucide-react/icons/link-2';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { AddressPopover } from './AddressPopover.tsx';
import styles from './ButtonBlock.module.css';

/** A button as in the message, with its address beside it. */
function ButtonBlock({ node, editor, updateAttributes, deleteNode }: NodeViewProps): ReactNode {
  const href = String(node.attrs['href']);
  return (
    <NodeViewWrapper className="ui-row ui-gap-3">
      <span
        className={styles.button}
        data-placeholder={node.content.size === 0 ? texts.buttonText : undefined}
      >
        <NodeViewContent<'span'> as="span" />
      </span>
      <span className="ui-quiet ui-anywhere" contentEditable={false}>
        {editor.isEditable ? (
          <AddressPopover
            address={href}
            onApply={(address) => updateAttributes({ href: address })}
            removeLabel={texts.buttonRemove}
            onRemove={deleteNode}
          >
            {(open) => (
              <UnstyledButton
                className={`ui-inline ui-quiet ${styles.address}`}
                aria-label={texts.buttonChangeAddress(href)}
                onClick={open}
              >
                <Link2 size={14} /> {href}
              </UnstyledButton>
            )}
          </AddressPopover>
        ) : (
          href
        )}
      </span>
    </NodeViewWrapper>
  );
}

/** A button with an address. Its text is edited in place and has no formats (contract `Button`). */
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
      // Enter adds a paragraph below the button instead of a second button.
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
