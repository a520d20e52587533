import { Plugin, type EditorState } from '@tiptap/pm/state';
import { Extension } from '@tiptap/react';

/** `{{` and the text typed after it: its range, and the part of a name to search for. */
export type Suggestion = { readonly from: number; readonly to: number; readonly query: string };

/** Returns the variable that is being typed at the end of a text, which ends at this position; null: none. */
export function suggestionIn(before: string, to: number): Suggestion | null {
  const found = /\{\{([\p{L}\p{N} ]{0,30})$/u.exec(before);
  return found ? { from: to - found[0].length, to, query: found[1] ?? '' } : null;
}

/** Returns the variable that is being typed right before the cursor; null: none. */
export function suggestionAt({ selection }: EditorState): Suggestion | null {
  if (!selection.empty) return null;
  const { $from } = selection;
  // Other nodes count as one character, so that positions remain correct.
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC');
  return suggestionIn(before, $from.pos);
}

/** Handles a key; true prevents the editor's own handling. */
type KeyListener = (event: KeyboardEvent) => boolean;

/** Passes keys of the text to the list above it while one is open. */
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

/** Passes keys to an open list above the text, before the editor handles them. */
export const SuggestionKeys = Extension.create<{ onKeyDown: KeyListener }>({
  name: 'suggestionKeys',
  priority: 1000,
  addOptions: () => ({ onKeyDown: () => false }),
  addProseMirrorPlugins() {
    const { onKeyDown } = this.options;
    return [new Plugin({ props: { handleKeyDown: (_, event) => onKeyDown(event) } })];
  },
});
