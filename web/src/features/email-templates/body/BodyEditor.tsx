import { EditorContent, type Editor } from '@tiptap/react';
import { useId, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import type { KeyRelay } from './suggestion.ts';
import { SuggestionList } from './SuggestionList.tsx';
import { Toolbar } from './Toolbar.tsx';
import { useSuggestions } from './use-suggestions.ts';
import styles from './BodyEditor.module.css';

type BodyEditorProps = {
  editor: Editor;
  keys: KeyRelay;
  error: string | undefined;
};

/** The message: a toolbar, and text with headings, lists, links and variables as chips. */
export function BodyEditor({ editor, keys, error }: BodyEditorProps): ReactNode {
  const errorId = useId();
  const { open, offered, declared, index, choose } = useSuggestions(editor, keys);
  return (
    <div>
      <div className={styles.frame} data-error={error !== undefined || undefined}>
        {editor.isEditable && <Toolbar editor={editor} />}
        <div className={styles.page}>
          <EditorContent editor={editor} className={styles.content} aria-describedby={errorId} />
          {open && offered.length > 0 && (
            <SuggestionList
              editor={editor}
              position={open.from}
              offered={offered}
              declared={declared}
              active={index}
              onPick={choose}
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
