import { Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { AddressPopover } from './AddressPopover.tsx';
import { insertButton, setButtonAddress, unwrapButton } from './button-commands.ts';
import styles from './Toolbar.module.css';

/** Inserts a button, or changes the address of the one at the cursor. */
export function ButtonTool({ editor }: { editor: Editor }): ReactNode {
  const href = useEditorState({
    editor,
    selector: (snapshot): string | undefined => snapshot.editor.getAttributes('button')['href'],
  });
  return (
    <AddressPopover
      address={href}
      onApply={(address) =>
        href === undefined ? insertButton(editor, address) : setButtonAddress(editor, address)
      }
      removeLabel={texts.buttonUnwrap}
      onRemove={() => unwrapButton(editor)}
    >
      {(open) => (
        <Tooltip label={texts.button}>
          <UnstyledButton
            className={styles.tool}
            tabIndex={-1}
            aria-label={texts.button}
            aria-pressed={href !== undefined}
            onClick={open}
          >
            <RectangleEllipsis />
          </UnstyledButton>
        </Tooltip>
      )}
    </AddressPopover>
  );
}
