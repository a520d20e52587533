import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { EditorContent, type Editor } from '@tiptap/react';
import { useId, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { DeclaredVariables } from './declared-variables.ts';
import type { KeyRelay } from './suggestion.ts';
import { SuggestionList } from './SuggestionList.tsx';
import { Toolbar } from './Toolbar.tsx';
import { useSuggestions } from './use-suggestions.ts';
import { insertVariable } from './variable-commands.ts';
import styles from './BodyEditor.module.css';

type BodyEditorProps = {
  editor: Editor;
  keys: KeyRelay;
  variables: readonly TemplateVariable[];
  error: string | undefined;
};

/** The message itself: a toolbar, and text with headings, lists, links and variables as chips. */
export function BodyEditor({ editor, keys, variables, error }: BodyEditorProps): ReactNode {
  const errorId = useId();
  const { open, offered, index } = useSuggestions(editor, variables, keys);
  return (
    <div>
      <div className={styles.frame} data-error={error !== undefined || undefined}>
        {editor.isEditable && <Toolbar editor={editor} variables={variables} />}
        <div className={styles.page}>
          <DeclaredVariables value={variables}>
            <EditorContent editor={editor} className={styles.content} aria-describedby={errorId} />
          </DeclaredVariables>
          {open && (
            <SuggestionList
              editor={editor}
              position={open.from}
              variables={offered}
              active={index}
              onPick={({ key }) => insertVariable(editor, key, open)}
            />
          )}
        </div>
      </div>
      <p id={errorId} className={styles.error} role="alert">
        {error && `${texts.body}: ${error}`}
      </p>
    </div>
  );
}
