import type { Editor } from '@tiptap/react';

/** Inserts a variable at the cursor, or replaces the range `over`. The cursor is behind it afterwards. */
export function insertVariable(editor: Editor, key: string, over?: { from: number; to: number }): void {
  const { state } = editor;
  const { from, to } = over ?? state.selection;
  const chip = state.schema.nodes['variable']?.create({ key }, null, state.doc.resolve(from).marks());
  if (chip === undefined) return;
  editor.view.dispatch(state.tr.replaceRangeWith(from, to, chip).scrollIntoView());
  editor.view.focus();
}

/** Changes the key of a variable in all chips and conditions, as one undo step. */
export function renameVariable(editor: Editor, from: string, to: string): void {
  const { state } = editor;
  const { tr } = state;
  state.doc.descendants((node, position) => {
    if (node.attrs['key'] === from) tr.setNodeAttribute(position, 'key', to);
  });
  if (tr.docChanged) editor.view.dispatch(tr);
}
