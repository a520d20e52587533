import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { useEditorState, type Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';
import { offeredVariables, useVariableChoices } from '../variable-choices.ts';
import { suggestionAt, type KeyRelay } from './suggestion.ts';
import { insertVariable } from './variable-commands.ts';

/**
 * The list that opens with `{{`: its entries, the active one, and its keys. Arrows move, Enter and Tab insert, Escape
 * closes it until braces are typed again. A variable that the template lacks is declared when chosen.
 */
export function useSuggestions(editor: Editor, keys: KeyRelay) {
  const { declared, declare } = useVariableChoices();
  const suggestion = useEditorState({
    editor,
    selector: ({ editor: { state, isFocused } }) => (isFocused ? suggestionAt(state) : null),
  });
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const [active, setActive] = useState({ query: '', index: 0 });

  const open = suggestion !== null && suggestion.from !== dismissedAt ? suggestion : null;
  const offered = open === null ? [] : offeredVariables(declared, open.query);
  // Another query starts at the top of the list.
  const index = active.query === open?.query ? Math.min(active.index, offered.length - 1) : 0;

  if (suggestion === null && dismissedAt !== null) setDismissedAt(null);

  const choose = (variable: TemplateVariable): void => {
    if (open === null) return;
    declare(variable);
    insertVariable(editor, variable.key, open);
  };

  useEffect(() =>
    keys.listen(({ key }) => {
      if (open === null) return false;
      const chosen = offered[index];
      if (key === 'Escape') setDismissedAt(open.from);
      else if (chosen === undefined) return false;
      else if (key === 'ArrowDown') setActive({ query: open.query, index: (index + 1) % offered.length });
      else if (key === 'ArrowUp') setActive({ query: open.query, index: (index || offered.length) - 1 });
      else if (key === 'Enter' || key === 'Tab') choose(chosen);
      else return false;
      return true;
    }),
  );

  return { open, offered, declared, index, choose };
}
