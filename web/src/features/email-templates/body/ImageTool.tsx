import { Popover, Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import ImageIcon from 'lucide-react/icons/image';
import { useState, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { ImageForm, type ImageAttributes } from './ImageForm.tsx';
import { leaveTable } from './table-commands.ts';
import styles from './Toolbar.module.css';

/** Adds an image from a file, or changes the selected one. */
export function ImageTool({ editor }: { editor: Editor }): ReactNode {
  const selected = useEditorState({
    editor,
    selector: (snapshot): ImageAttributes | null => {
      if (!snapshot.editor.isActive('image')) return null;
      const { alt, width } = snapshot.editor.getAttributes('image');
      return { alt: String(alt), width: Number(width) };
    },
  });
  // The selection when it was opened: inserting an image selects it.
  const [open, setOpen] = useState<{ image: ImageAttributes | null } | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Popover
      opened={open !== null}
      onDismiss={close}
      transitionProps={{ duration: 0 }}
      position="bottom-start"
      trapFocus
      width={340}
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={texts.image}>
          <UnstyledButton
            className={styles.tool}
            tabIndex={-1}
            aria-label={texts.image}
            aria-pressed={selected !== null}
            onClick={() => setOpen({ image: selected })}
          >
            <ImageIcon />
          </UnstyledButton>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={styles.popover}>
        {open && (
          <ImageForm
            image={open.image}
            onDone={(attrs) => {
              const chain = editor.chain().focus();
              if (open.image) chain.updateAttributes('image', attrs).run();
              else chain.command(leaveTable).insertContent({ type: 'image', attrs }).run();
              close();
            }}
            onRemove={() => {
              editor.chain().focus().deleteSelection().run();
              close();
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
