import { placeholderProblems } from '@forecourt/contract/template-keys';
import { ActionIcon, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import Braces from 'lucide-react/icons/braces';
import {
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react';
import { texts } from '../../texts/email-templates.ts';
import { texts as usage } from '../../texts/template-usage.ts';
import { Segments } from '../../ui/Segments.tsx';
import type { useForm } from '../../ui/use-form.ts';
import { suggestionIn } from './body/suggestion.ts';
import { useVariableSuggestions, VariableSuggestions } from './body/VariableSuggestions.tsx';
import type { TemplateValues } from './template-values.ts';
import { VariableMenu } from './VariableMenu.tsx';
import styles from './TemplateEditor.module.css';

export type SubjectHandle = { insert: (key: string) => void };

type TemplateFieldsProps = {
  form: Pick<ReturnType<typeof useForm<TemplateValues>>, 'values' | 'errors' | 'set' | 'text'>;
  readOnly: boolean;
  /** Number of dealerships that have it as their default. */
  usedBy: number;
  subjectRef: Ref<SubjectHandle>;
  onSubjectFocus: () => void;
};

export function TemplateFields({
  form,
  readOnly,
  usedBy,
  subjectRef,
  onSubjectFocus,
}: TemplateFieldsProps): ReactNode {
  const statusId = useId();
  const { values, errors, set } = form;
  return (
    <div className="ui-row ui-top ui-gap-4">
      <TextInput
        flex="1 1 240px"
        label={texts.name}
        withAsterisk
        readOnly={readOnly}
        {...form.text('name')}
      />
      <div>
        <span id={statusId} className={styles.statusLabel}>
          {texts.status}
        </span>
        <Segments
          aria-labelledby={statusId}
          disabled={readOnly}
          labels={texts.statusLabels}
          value={values.status}
          onChange={(status) => set('status', status)}
        />
        {values.status === 'draft' && usedBy > 0 && (
          <p className="ui-small ui-warn ui-mt-1" role="status">
            {usage.draftUsed(usedBy)}
          </p>
        )}
      </div>
      <div className={`ui-stack ui-gap-2 ${styles.subject}`}>
        <SubjectField
          ref={subjectRef}
          value={values.subject}
          readOnly={readOnly}
          error={errors['subject']}
          onChange={(typed) => set('subject', typed)}
          onFocus={onSubjectFocus}
        />
        {values.status === 'draft' && !readOnly && <Unfinished values={values} />}
      </div>
    </div>
  );
}

/** Delay after a keystroke in milliseconds, so that a placeholder that is being typed is not reported. */
const PAUSE_MS = 800;

/** The problems with placeholders that prevent a draft from being active. */
function Unfinished({ values }: { values: TemplateValues }): ReactNode {
  const [checked] = useDebouncedValue(values, PAUSE_MS);
  const problems = useMemo(() => placeholderProblems(checked), [checked]);
  if (problems.length === 0) return null;
  const labels = { subject: texts.subject, document: texts.body, variables: texts.variables };
  return (
    <div className="ui-small ui-warn" role="status">
      <p>{texts.beforeActive}</p>
      <ul className="ui-bullets">
        {problems.map(({ field, message }) => (
          <li key={`${field} ${message}`} className="ui-anywhere">{`${labels[field]}: ${message}`}</li>
        ))}
      </ul>
    </div>
  );
}

type SubjectFieldProps = {
  ref: Ref<SubjectHandle>;
  value: string;
  error: string | undefined;
  readOnly: boolean;
  onChange: (subject: string) => void;
  onFocus: () => void;
};

/** The subject: one line of text. A `{{key}}` is typed, chosen from suggestions, or inserted at the cursor. */
function SubjectField({ ref, value, error, readOnly, onChange, onFocus }: SubjectFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  /** The position of the cursor while the field is focused without a selection. */
  const [cursor, setCursor] = useState<number | null>(null);
  const typed = readOnly || cursor === null ? null : suggestionIn(value.slice(0, cursor), cursor);

  useEffect(() => {
    const position = caret.current;
    caret.current = null;
    if (position !== null) input.current?.setSelectionRange(position, position);
  });

  const insert = (key: string): void => {
    const element = input.current;
    if (!element) return;
    const start = element.selectionStart ?? value.length;
    replace(key, start, element.selectionEnd ?? start);
    element.focus();
  };
  const replace = (key: string, from: number, to: number): void => {
    const placeholder = `{{${key}}}`;
    caret.current = from + placeholder.length;
    // Removes braces that were typed to close it.
    onChange(value.slice(0, from) + placeholder + value.slice(to).replace(/^\}\}/, ''));
  };
  const suggestions = useVariableSuggestions(typed, (key, { from, to }) => replace(key, from, to));

  useImperativeHandle(ref, () => ({ insert }));

  return (
    <div className={styles.suggested}>
      <TextInput
        ref={input}
        label={texts.subject}
        withAsterisk
        name="subject"
        autoComplete="off"
        placeholder={texts.subjectPlaceholder}
        value={value}
        error={error}
        onFocus={onFocus}
        onBlur={() => setCursor(null)}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
          setCursor(selectionStart === selectionEnd ? selectionStart : null)
        }
        onKeyDown={(event) => {
          if (suggestions.onKey(event.key)) event.preventDefault();
        }}
        onChange={(event) => onChange(event.currentTarget.value)}
        readOnly={readOnly}
        rightSection={
          readOnly ? null : (
            <VariableMenu onPick={({ key }) => insert(key)}>
              <ActionIcon aria-label={texts.insertIntoSubject}>
                <Braces />
              </ActionIcon>
            </VariableMenu>
          )
        }
      />
      {suggestions.open && (
        <VariableSuggestions
          of={suggestions}
          textOf={() => input.current}
          placeOf={() => input.current!.getBoundingClientRect()}
        />
      )}
    </div>
  );
}
