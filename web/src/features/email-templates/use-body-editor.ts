import type { EmailTemplate, TemplateDocument } from '@forecourt/contract/email-templates';
import { Selection } from '@tiptap/pm/state';
import { useEditor, type Editor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { bodyExtensions } from './body/body-extensions.ts';
import { fromEditor, toEditor } from './body/document-conversion.ts';
import { createKeyRelay, SuggestionKeys, type KeyRelay } from './body/suggestion.ts';

/** The editor of the body, and the relay of its keys to the list of variables. */
export function useBodyEditor(
  initial: TemplateDocument,
  readOnly: boolean,
  onChange: (document: TemplateDocument) => void,
): { editor: Editor; keys: KeyRelay } {
  const [keys] = useState(createKeyRelay);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const [extensions] = useState(() => [
    ...bodyExtensions,
    SuggestionKeys.configure({ onKeyDown: keys.handle }),
  ]);
  const [content] = useState(() => toEditor(initial));
  const editor = useEditor({
    extensions,
    content,
    editable: !readOnly,
    injectCSS: false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': texts.body, spellcheck: 'true' },
    },
    onCreate: ({ editor: created }) => {
      // An image at the beginning would be selected, and the first insertion would replace it.
      const start = Selection.findFrom(created.state.doc.resolve(0), 1, true);
      if (start) created.view.dispatch(created.state.tr.setSelection(start));
    },
    onUpdate: ({ editor: changed }) => latest.current(fromEditor(changed.getJSON())),
  });
  return { editor, keys };
}

/** Returns whether the user may not change a template; a new one is their own. */
export const isReadOnly = (template: EmailTemplate | undefined): boolean =>
  template !== undefined && template.abilities.edit !== true;
