import { EditorContent, type Editor, useEditorState } from '@tiptap/react';
import { useEffect, useId, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { type KeyRelay, suggestionAt } from './suggestion.ts';
import { Toolbar } from './Toolbar.tsx';
import { insertVariable } from './variable-commands.ts';
import { useVariableSuggestions, VariableSuggestions } from './VariableSuggestions.tsx';
import styles from './BodyEditor.module.css';

type BodyEditorProps = {
  editor: Editor;
  keys: KeyRelay;
  error: string | undefined;
};

/** The body of a template: a toolbar, and text with headings, lists, links and variables as chips. */
export function BodyEditor({ editor, keys, error }: BodyEditorProps): ReactNode {
  const errorId = useId();
  const typed = useEditorState({
    editor,
    selector: ({ editor: { state, isFocused } }) => (isFocused ? suggestionAt(state) : null),
  });
  const suggestions = useVariableSuggestions(typed, (key, at) => insertVariable(editor, key, at));
  useEffect(() => keys.listen(({ key }) => suggestions.onKey(key)));
  return (
    <div>
      <div className={styles.frame} data-error={error !== undefined || undefined}>
        {editor.isEditable && <Toolbar editor={editor} />}
        <div className={styles.page}>
          <EditorContent editor={editor} className={styles.content} aria-describedby={errorId} />
          {suggestions.open && (
            <VariableSuggestions
              of={suggestions}
              textOf={() => editor.view.dom}
              placeOf={(from) => editor.view.coordsAtPos(from)}
            />
          )}
        </div>
      </div>
      <p id={errorId} className={`ui-danger ui-small ui-mt-1 ${styles.error}`} role="alert">
        {error && `${texts.body}: ${error}`}
      </p>
    </div>
  );
}
