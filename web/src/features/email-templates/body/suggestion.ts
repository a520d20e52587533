import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { Plugin, type EditorState } from '@tiptap/pm/state';
import { Extension } from '@tiptap/react';

/** `{{` and what was typed after it: where it stands, and the part of a name to look for. */
export type Suggestion = { readonly from: number; readonly to: number; readonly query: string };

/** Whether somebody is typing a variable right before the cursor. */
export function suggestionAt({ selection }: EditorState): Suggestion | null {
  if (!selection.empty) return null;
  const { $from } = selection;
  // Other nodes count as one character, so that positions stay right.
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC');
  const found = /\{\{([\p{L}\p{N} ]{0,30})$/u.exec(before);
  if (!found) return null;
  return { from: $from.pos - found[0].length, to: $from.pos, query: found[1] ?? '' };
}

/** The variables whose label or key holds what was typed; those that begin with it first. */
export function matchingVariables(
  variables: readonly TemplateVariable[],
  query: string,
): readonly TemplateVariable[] {
  const wanted = query.trim().toLowerCase();
  const place = ({ label, key }: TemplateVariable): number => {
    const names = [label.toLowerCase(), key.toLowerCase()];
    if (names.some((name) => name.startsWith(wanted))) return 0;
    return names.some((name) => name.includes(wanted)) ? 1 : 2;
  };
  return variables.filter((variable) => place(variable) < 2).sort((a, b) => place(a) - place(b));
}

/** Passes the keys of the text on to a list above it while one is open. */
export type KeyRelay = {
  /** Whether the list took the key. */
  readonly handle: (event: KeyboardEvent) => boolean;
  /** Names who listens now; returns a function that stops it. */
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

/** Hands keys to a list that is open above the text, before the editor itself has them. */
export const SuggestionKeys = Extension.create<{ onKeyDown: (event: KeyboardEvent) => boolean }>({
  name: 'suggestionKeys',
  priority: 1000,
  addOptions: () => ({ onKeyDown: () => false }),
  addProseMirrorPlugins() {
    const { onKeyDown } = this.options;
    return [new Plugin({ props: { handleKeyDown: (_, event) => onKeyDown(event) } })];
  },
});
