import { type Editor, useEditorState } from '@tiptap/react';
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { AddressPopover } from './AddressPopover.tsx';
import { leaveTable } from './table-commands.ts';
import { ToolButton } from './ToolButton.tsx';

/** Inserts a button with this address and places the cursor in it; selected text becomes its text. */
function insertButton(editor: Editor, href: string): void {
  const { doc, selection } = editor.state;
  const words = doc.textBetween(selection.from, selection.to, ' ');
  const content = words === '' ? {} : { content: [{ type: 'text', text: words }] };
  editor
    .chain()
    .focus()
    .command(leaveTable)
    .insertContent({ type: 'button', attrs: { href }, ...content })
    .run();
}

/** Sets the address of the button at the cursor. */
const setButtonAddress = (editor: Editor, href: string): boolean =>
  editor.chain().focus().updateAttributes('button', { href }).run();

/** Removes the button around the cursor; its text remains as a paragraph. */
const unwrapButton = (editor: Editor): boolean => editor.chain().focus().setNode('paragraph').run();

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
        <ToolButton
          label={texts.button}
          icon={RectangleEllipsis}
          aria-pressed={href !== undefined}
          onClick={open}
        />
      )}
    </AddressPopover>
  );
}
