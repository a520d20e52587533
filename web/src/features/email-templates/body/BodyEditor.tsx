import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { EditorContent, type Editor, useEditorState } from '@tiptap/react';
import { useId, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { offeredVariables, useVariableChoices } from '../variable-choices.ts';
import { type KeyRelay, suggestionAt } from './suggestion.ts';
import { Toolbar } from './Toolbar.tsx';
import { insertVariable } from './variable-commands.ts';
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

type SuggestionListProps = {
  editor: Editor;
  position: number;
  offered: readonly TemplateVariable[];
  /** Those declared by the template; the others are added to it. */
  declared: readonly TemplateVariable[];
  active: number;
  onPick: (variable: TemplateVariable) => void;
};

const LIST_ID = 'variable-suggestions';
const optionId = (index: number): string => `${LIST_ID}-${index}`;

/** The variables to choose from while `{{` is being typed. The focus remains in the text. */
function SuggestionList({
  editor,
  position,
  offered,
  declared,
  active,
  onPick,
}: SuggestionListProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = list.current;
    const frame = element?.offsetParent?.getBoundingClientRect();
    if (!element || !frame) return;
    const caret = editor.view.coordsAtPos(position);
    const left = Math.min(caret.left - frame.left, frame.width - element.offsetWidth - 8);
    element.style.translate = `${Math.max(8, left)}px ${caret.bottom - frame.top + 4}px`;
  });

  useEffect(() => {
    const text = editor.view.dom;
    text.setAttribute('aria-controls', LIST_ID);
    return () => {
      text.removeAttribute('aria-controls');
      text.removeAttribute('aria-activedescendant');
    };
  }, [editor]);

  useEffect(() => {
    editor.view.dom.setAttribute('aria-activedescendant', optionId(active));
    document.querySelector(`#${optionId(active)}`)?.scrollIntoView({ block: 'nearest' });
  }, [editor, active]);

  return (
    <div ref={list} id={LIST_ID} className={styles.list} role="listbox" aria-label={texts.suggestions}>
      {offered.map((variable, index) => (
        <button
          key={variable.key}
          type="button"
          id={optionId(index)}
          className={styles.option}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Otherwise the text would lose its cursor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(variable)}
        >
          <span>{variable.label}</span>
          <span className="ui-quiet ui-ellipsis">
            {declared.includes(variable) ? variable.key : texts.addsKey(variable.key)}
          </span>
        </button>
      ))}
    </div>
  );
}

/**
 * The list that opens with `{{`: its entries, the active one, and its keys. Arrows move, Enter and Tab insert, Escape
 * closes it until braces are typed again. A variable that the template lacks is declared when chosen.
 */
function useSuggestions(editor: Editor, keys: KeyRelay) {
  const { declared, undeclared, declare } = useVariableChoices();
  const suggestion = useEditorState({
    editor,
    selector: ({ editor: { state, isFocused } }) => (isFocused ? suggestionAt(state) : null),
  });
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const [active, setActive] = useState({ query: '', index: 0 });

  const open = suggestion !== null && suggestion.from !== dismissedAt ? suggestion : null;
  const offered = open === null ? [] : offeredVariables(declared, undeclared, open.query);
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
