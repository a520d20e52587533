import type { TemplateVariable } from '@forecourt/contract/email-templates';
import type { Editor } from '@tiptap/react';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import styles from './SuggestionList.module.css';

type SuggestionListProps = {
  editor: Editor;
  /** Position of the two braces. */
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
export function SuggestionList({
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
