import { ActionIcon, TextInput } from '@mantine/core';
import Braces from 'lucide-react/icons/braces';
import { useEffect, useId, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { texts as usage } from '../../texts/template-usage.ts';
import { labelChoices } from '../../ui/choices.ts';
import { Segments } from '../../ui/Segments.tsx';
import type { useForm } from '../../ui/use-form.ts';
import type { TemplateValues } from './template-values.ts';
import { VariableMenu } from './VariableMenu.tsx';
import styles from './TemplateEditor.module.css';

/** Imperative handle of the subject. */
export type SubjectHandle = { insert: (key: string) => void };

type TemplateFieldsProps = {
  form: Pick<ReturnType<typeof useForm<TemplateValues>>, 'values' | 'errors' | 'set' | 'text'>;
  readOnly: boolean;
  /** How many dealerships have it as their default. */
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
        className={styles.name}
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
          data={labelChoices(texts.statusLabels)}
          value={values.status}
          onChange={(status) => set('status', status)}
        />
        {values.status === 'draft' && usedBy > 0 && (
          <p className="ui-small ui-warn ui-mt-1" role="status">
            {usage.draftUsed(usedBy)}
          </p>
        )}
      </div>
      <div className={styles.subject}>
        <SubjectField
          ref={subjectRef}
          value={values.subject}
          readOnly={readOnly}
          error={errors['subject']}
          onChange={(typed) => set('subject', typed)}
          onFocus={onSubjectFocus}
        />
      </div>
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

/** The subject: one line of text with `{{key}}` in it, typed or inserted at the cursor. */
function SubjectField({ ref, value, error, readOnly, onChange, onFocus }: SubjectFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);

  useEffect(() => {
    const position = caret.current;
    caret.current = null;
    if (position !== null) input.current?.setSelectionRange(position, position);
  });

  const insert = (key: string): void => {
    const element = input.current;
    if (!element) return;
    const start = element.selectionStart ?? value.length;
    const placeholder = `{{${key}}}`;
    caret.current = start + placeholder.length;
    onChange(value.slice(0, start) + placeholder + value.slice(element.selectionEnd ?? start));
    element.focus();
  };

  useImperativeHandle(ref, () => ({ insert }));

  return (
    <TextInput
      ref={input}
      label={texts.subject}
      withAsterisk
      name="subject"
      placeholder={texts.subjectPlaceholder}
      value={value}
      error={error}
      onFocus={onFocus}
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
  );
}
