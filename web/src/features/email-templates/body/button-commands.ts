import type { Editor } from '@tiptap/react';
import { leaveTable } from './table-commands.ts';

/** Inserts a button that leads there and goes on in it; selected text becomes its text. */
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

/** Lets the button that the cursor is in lead there. */
export const setButtonAddress = (editor: Editor, href: string): boolean =>
  editor.chain().focus().updateAttributes('button', { href }).run();

/** Takes the button around the cursor away; its text stays as a paragraph. */
export const unwrapButton = (editor: Editor): boolean => editor.chain().focus().setNode('paragraph').run();
