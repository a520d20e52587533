import type { Editor } from '@tiptap/react';

/** Inserts a variable at the cursor and places the cursor behind it. Replaces the range `over`. */
export function insertVariable(editor: Editor, key: string, over?: { from: number; to: number }): void {
  const { state } = editor;
  const { from, to } = over ?? state.selection;
  const chip = state.schema.nodes['variable']?.create({ key }, null, state.doc.resolve(from).marks());
  if (chip === undefined) return;
  editor.view.dispatch(state.tr.replaceRangeWith(from, to, chip).scrollIntoView());
  editor.view.focus();
}

/** Changes the key of every chip and condition of one variable, as one undo step. */
export function renameVariable(editor: Editor, from: string, to: string): void {
  const { state } = editor;
  const { tr } = state;
  state.doc.descendants((node, position) => {
    if (node.attrs['key'] === from) tr.setNodeAttribute(position, 'key', to);
  });
  if (tr.docChanged) editor.view.dispatch(tr);
}
