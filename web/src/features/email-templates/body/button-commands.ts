import type { Editor } from '@tiptap/react';
import { leaveTable } from './table-commands.ts';

/** Inserts a button with this address and places the cursor in it; selected text becomes its text. */
export function insertButton(editor: Editor, href: string): void {
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
export const setButtonAddress = (editor: Editor, href: string): boolean =>
  editor.chain().focus().updateAttributes('button', { href }).run();

/** Removes the button around the cursor; its text remains as a paragraph. */
export const unwrapButton = (editor: Editor): boolean => editor.chain().focus().setNode('paragraph').run();
