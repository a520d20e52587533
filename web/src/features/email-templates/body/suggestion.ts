import { Plugin, type EditorState } from '@tiptap/pm/state';
import { Extension } from '@tiptap/react';

/** The range of `{{` with the text typed after it, and that text. */
export type Suggestion = { readonly from: number; readonly to: number; readonly query: string };

/** Returns the variable being typed at the end of a text that ends at position `to`; null if there is none. */
export function suggestionIn(before: string, to: number): Suggestion | null {
  const match = /\{\{([\p{L}\p{N} ]{0,30})$/u.exec(before);
  return match ? { from: to - match[0].length, to, query: match[1] ?? '' } : null;
}

/** Returns the variable being typed in front of the cursor; null if there is none. */
export function suggestionAt({ selection }: EditorState): Suggestion | null {
  if (!selection.empty) return null;
  const { $from } = selection;
  // Other nodes are replaced by one character, so that positions are correct.
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC');
  return suggestionIn(before, $from.pos);
}

/** Returns true to prevent the editor's own handling. */
type KeyListener = (event: KeyboardEvent) => boolean;

/** Passes keys of the text to the open list of suggestions. */
export function createKeyRelay() {
  let listener: KeyListener | null = null;
  return {
    handle: (event: KeyboardEvent): boolean => listener?.(event) ?? false,
    listen(next: KeyListener): () => void {
      listener = next;
      return () => {
        listener = null;
      };
    },
  };
}

export type KeyRelay = ReturnType<typeof createKeyRelay>;

/** Passes keys to the open list before the editor handles them. */
export const SuggestionKeys = Extension.create<{ onKeyDown: KeyListener }>({
  name: 'suggestionKeys',
  priority: 1000,
  addOptions: () => ({ onKeyDown: () => false }),
  addProseMirrorPlugins() {
    const { onKeyDown } = this.options;
    return [new Plugin({ props: { handleKeyDown: (_, event) => onKeyDown(event) } })];
  },
});
