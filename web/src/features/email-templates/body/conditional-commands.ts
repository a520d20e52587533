import type { EditorState } from '@tiptap/pm/state';
import { findWrapping, liftTarget } from '@tiptap/pm/transform';
import type { Editor } from '@tiptap/react';

export type Condition = { readonly position: number; readonly key: string };

/** Returns the conditional block at the cursor. Conditional blocks exist only at the top level. */
export function conditionAround({ selection: { $from } }: EditorState): Condition | null {
  const node = $from.depth > 0 ? $from.node(1) : null;
  if (node?.type.name !== 'conditional') return null;
  return { position: $from.before(1), key: String(node.attrs['key']) };
}

/** Returns how to wrap the selected blocks in a condition; null if one of them already has one, or cannot have one. */
function wrapping({ schema, selection: { $from, $to } }: EditorState, key: string) {
  const range = $from.blockRange($to, (node) => node.type === schema.topNodeType);
  const wrappers = range && findWrapping(range, schema.nodes['conditional']!, { key });
  return range && wrappers && { range, wrappers };
}

/** Whether the selection can get a condition, or has one that can be changed. */
export const canHaveCondition = (state: EditorState): boolean =>
  conditionAround(state) !== null || wrapping(state, '') !== null;

/** Makes the selected blocks depend on this variable, or changes the variable of an existing condition. */
export function setCondition(editor: Editor, key: string, at = conditionAround(editor.state)): void {
  const { state, view } = editor;
  const { tr } = state;
  const wrapper = at === null ? wrapping(state, key) : null;
  if (at !== null) tr.setNodeAttribute(at.position, 'key', key);
  else if (wrapper) tr.wrap(wrapper.range, wrapper.wrappers);
  if (tr.docChanged) view.dispatch(tr.scrollIntoView());
  view.focus();
}

/** Removes the condition but not its blocks. */
export function removeCondition(editor: Editor, at = conditionAround(editor.state)): void {
  const { state, view } = editor;
  const node = at && state.doc.nodeAt(at.position);
  if (!at || !node) return;
  const $start = state.doc.resolve(at.position + 1);
  const range = $start.blockRange(state.doc.resolve(at.position + node.nodeSize - 1));
  const target = range && liftTarget(range);
  if (range && target !== null) view.dispatch(state.tr.lift(range, target));
  view.focus();
}
