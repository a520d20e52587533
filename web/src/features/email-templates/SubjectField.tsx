import { ActionIcon, TextInput } from '@mantine/core';
import Braces from 'lucide-react/icons/braces';
import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { VariableMenu } from './VariableMenu.tsx';

/** Imperative handle of the subject. */
export type SubjectHandle = { insert: (key: string) => void };

type SubjectFieldProps = {
  ref: Ref<SubjectHandle>;
  value: string;
  error: string | undefined;
  readOnly: boolean;
  onChange: (subject: string) => void;
  onFocus: () => void;
};

/** The subject: one line of text with `{{key}}` in it, typed or inserted at the cursor. */
export function SubjectField({
  ref,
  value,
  error,
  readOnly,
  onChange,
  onFocus,
}: SubjectFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);

  useEffect(() => {
    const place = caret.current;
    caret.current = null;
    if (place !== null) input.current?.setSelectionRange(place, place);
  });

  const insert = (key: string): void => {
    const element = input.current;
    if (!element) return;
    const start = element.selectionStart ?? value.length;
    const chip = `{{${key}}}`;
    caret.current = start + chip.length;
    onChange(value.slice(0, start) + chip + value.slice(element.selectionEnd ?? start));
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
