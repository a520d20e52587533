import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { offeredVariables, useVariableChoices } from '../variable-choices.ts';
import type { Suggestion } from './suggestion.ts';
import styles from './VariableSuggestions.module.css';

/**
 * The list that opens with `{{`: its entries, the active one, and its keys. Arrows move, Enter and Tab insert, Escape
 * closes it until braces are typed again. A field without a variable is declared when chosen.
 * @param typed the text after the braces; null without braces
 */
export function useVariableSuggestions(
  typed: Suggestion | null,
  insert: (key: string, at: Suggestion) => void,
) {
  const { declared, undeclared, declare } = useVariableChoices();
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const [active, setActive] = useState({ query: '', index: 0 });

  const open = typed !== null && typed.from !== dismissedAt ? typed : null;
  const offered = open === null ? [] : offeredVariables(declared, undeclared, open.query);
  // Another query starts at the top of the list.
  const index = active.query === open?.query ? Math.min(active.index, offered.length - 1) : 0;

  if (typed === null && dismissedAt !== null) setDismissedAt(null);

  const choose = (variable: TemplateVariable): void => {
    if (open === null) return;
    declare(variable);
    insert(variable.key, open);
  };

  /** Returns true for a key that the text must not handle. */
  const onKey = (key: string): boolean => {
    if (open === null) return false;
    const chosen = offered[index];
    if (key === 'Escape') setDismissedAt(open.from);
    else if (chosen === undefined) return false;
    else if (key === 'ArrowDown') setActive({ query: open.query, index: (index + 1) % offered.length });
    else if (key === 'ArrowUp') setActive({ query: open.query, index: (index || offered.length) - 1 });
    else if (key === 'Enter' || key === 'Tab') choose(chosen);
    else return false;
    return true;
  };

  return { open: offered.length > 0 ? open : null, offered, declared, index, choose, onKey };
}

type VariableSuggestionsProps = {
  of: ReturnType<typeof useVariableSuggestions>;
  /** Returns the focused text. */
  textOf: () => HTMLElement | null;
  /** Returns the position of the braces in the window. */
  placeOf: (from: number) => { left: number; bottom: number };
};

/** The variables to choose from while `{{` is being typed. The focus stays in the text. */
export function VariableSuggestions({ of, textOf, placeOf }: VariableSuggestionsProps): ReactNode {
  const { open, offered, declared, index: active, choose } = of;
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const element = list.current;
    const frame = element?.offsetParent?.getBoundingClientRect();
    if (!element || !frame || open === null) return;
    const caret = placeOf(open.from);
    const left = Math.min(caret.left - frame.left, frame.width - element.offsetWidth - 8);
    element.style.translate = `${Math.max(8, left)}px ${caret.bottom - frame.top + 4}px`;
  });

  // Runs after each render, because keys change the entries and the active one.
  useEffect(() => {
    const text = textOf();
    text?.setAttribute('aria-controls', id);
    text?.setAttribute('aria-activedescendant', `${id}-${active}`);
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
    return () => {
      text?.removeAttribute('aria-controls');
      text?.removeAttribute('aria-activedescendant');
    };
  });

  return (
    <div ref={list} id={id} className={styles.list} role="listbox" aria-label={texts.suggestions}>
      {offered.map((variable, index) => (
        <button
          key={variable.key}
          type="button"
          id={`${id}-${index}`}
          className={styles.option}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Prevents the text from losing the cursor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(variable)}
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
