import { Plugin, type EditorState } from '@tiptap/pm/state';
import { Extension } from '@tiptap/react';

/** `{{` and the text typed after it: its range, and the part of a name to search for. */
export type Suggestion = { readonly from: number; readonly to: number; readonly query: string };

/** Returns the variable that is being typed right before the cursor; null: none. */
export function suggestionAt({ selection }: EditorState): Suggestion | null {
  if (!selection.empty) return null;
  const { $from } = selection;
  // Other nodes count as one character, so that positions remain correct.
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC');
  const found = /\{\{([\p{L}\p{N} ]{0,30})$/u.exec(before);
  if (!found) return null;
  return { from: $from.pos - found[0].length, to: $from.pos, query: found[1] ?? '' };
}

/** Passes keys of the text to the list above it while one is open. */
export type KeyRelay = {
  readonly handle: (event: KeyboardEvent) => boolean;
  readonly listen: (listener: (event: KeyboardEvent) => boolean) => () => void;
};

export function createKeyRelay(): KeyRelay {
  let listener: ((event: KeyboardEvent) => boolean) | null = null;
  return {
    handle: (event) => listener?.(event) ?? false,
    listen(next) {
      listener = next;
      return () => {
        listener = null;
      };
    },
  };
}

/** Passes keys to an open list above the text, before the editor handles them. */
export const SuggestionKeys = Extension.create<{ onKeyDown: (event: KeyboardEvent) => boolean }>({
  name: 'suggestionKeys',
  priority: 1000,
  addOptions: () => ({ onKeyDown: () => false }),
  addProseMirrorPlugins() {
    const { onKeyDown } = this.options;
    return [new Plugin({ props: { handleKeyDown: (_, event) => onKeyDown(event) } })];
  },
});
