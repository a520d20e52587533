import { Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import Link2 from 'lucide-react/icons/link-2';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { AddressPopover } from './AddressPopover.tsx';
import styles from './Toolbar.module.css';

/** Links the selected text, or changes the link at the cursor. */
export function LinkButton({ editor }: { editor: Editor }): ReactNode {
  const href = useEditorState({
    editor,
    selector: (snapshot): string | undefined => snapshot.editor.getAttributes('link')['href'],
  });

  const apply = (address: string, typed: string): void => {
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && href === undefined) {
      const marks = [{ type: 'link', attrs: { href: address } }];
      chain.insertContent({ type: 'text', text: typed, marks });
    } else chain.extendMarkRange('link').setLink({ href: address });
    chain.run();
  };

  return (
    <AddressPopover
      address={href}
      onApply={apply}
      removeLabel={texts.linkRemove}
      onRemove={() => editor.chain().focus().extendMarkRange('link').unsetLink().run()}
    >
      {(open) => (
        <Tooltip label={texts.link}>
          <UnstyledButton
            className={styles.tool}
            tabIndex={-1}
            aria-label={texts.link}
            aria-pressed={href !== undefined}
            onClick={open}
          >
            <Link2 />
          </UnstyledButton>
        </Tooltip>
      )}
    </AddressPopover>
  );
}
