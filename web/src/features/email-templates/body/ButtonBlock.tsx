import { UnstyledButton } from '@mantine/core';
import { NodeViewContent, NodeViewWrapper, type NodeViewProps } from '@tiptap/react';
import Link2 from 'lucide-react/icons/link-2';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { AddressPopover } from './AddressPopover.tsx';
import styles from './ButtonBlock.module.css';

/** A button as in the message, with its address beside it. */
export function ButtonBlock({ node, editor, updateAttributes, deleteNode }: NodeViewProps): ReactNode {
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
