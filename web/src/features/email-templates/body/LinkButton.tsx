import { Button, Popover, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import Link2 from 'lucide-react/icons/link-2';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { linkFrom } from './links.ts';
import styles from './Toolbar.module.css';

/** Links the selected text, or changes the link at the cursor. Web, mail and phone addresses only. */
export function LinkButton({ editor }: { editor: Editor }): ReactNode {
  const href = useEditorState({
    editor,
    selector: (snapshot): string | undefined => snapshot.editor.getAttributes('link')['href'],
  });
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setIsWrong] = useState(false);

  const close = (): void => {
    setTyped(null);
    setIsWrong(false);
  };

  const apply = (): void => {
    const address = linkFrom(typed ?? '');
    if (address === null) {
      setIsWrong(true);
      return;
    }
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && href === undefined) {
      chain.insertContent({
        type: 'text',
        text: typed?.trim() ?? '',
        marks: [{ type: 'link', attrs: { href: address } }],
      });
    } else chain.extendMarkRange('link').setLink({ href: address });
    chain.run();
    close();
  };

  const remove = (): void => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    close();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    apply();
  };

  return (
    <Popover
      opened={typed !== null}
      onDismiss={close}
      position="bottom-start"
      trapFocus
      width={340}
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={texts.link}>
          <UnstyledButton
            className={styles.tool}
            tabIndex={-1}
            aria-label={texts.link}
            aria-pressed={href !== undefined}
            onClick={() => setTyped(href ?? '')}
          >
            <Link2 />
          </UnstyledButton>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={styles.popover}>
        <TextInput
          label={texts.linkAddress}
          placeholder={texts.linkPlaceholder}
          data-autofocus
          value={typed ?? ''}
          error={isWrong && texts.linkInvalid}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setIsWrong(false);
          }}
          onKeyDown={onKeyDown}
        />
        <div className={styles.popoverButtons}>
          {href !== undefined && (
            <Button variant="default" onClick={remove}>
              {texts.linkRemove}
            </Button>
          )}
          <Button onClick={apply}>{texts.linkApply}</Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
