import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { useEditorState, type Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';
import { matchingVariables, suggestionAt, type KeyRelay } from './suggestion.ts';
import { insertVariable } from './variable-commands.ts';

/**
 * The list that opens with `{{`: what it offers, which one is active, and its keys. Arrows move, Enter and Tab
 * insert, Escape closes it until braces are typed anew.
 */
export function useSuggestions(editor: Editor, variables: readonly TemplateVariable[], keys: KeyRelay) {
  const suggestion = useEditorState({
    editor,
    selector: ({ editor: { state, isFocused } }) => (isFocused ? suggestionAt(state) : null),
  });
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const [active, setActive] = useState({ query: '', index: 0 });

  const open = suggestion !== null && suggestion.from !== dismissedAt ? suggestion : null;
  const offered = open === null ? [] : matchingVariables(variables, open.query);
  // Another query is another list: it begins at the top.
  const index = active.query === open?.query ? Math.min(active.index, offered.length - 1) : 0;

  if (suggestion === null && dismissedAt !== null) setDismissedAt(null);

  useEffect(() =>
    keys.listen(({ key }) => {
      if (open === null) return false;
      const chosen = offered[index];
      if (key === 'Escape') setDismissedAt(open.from);
      else if (chosen === undefined) return false;
      else if (key === 'ArrowDown') setActive({ query: open.query, index: (index + 1) % offered.length });
      else if (key === 'ArrowUp') setActive({ query: open.query, index: (index || offered.length) - 1 });
      else if (key === 'Enter' || key === 'Tab') insertVariable(editor, chosen.key, open);
      else return false;
      return true;
    }),
  );

  return { open, offered, index };
}
