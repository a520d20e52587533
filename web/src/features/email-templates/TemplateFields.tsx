import { TextInput } from '@mantine/core';
import { useId, type ReactNode, type Ref } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { texts as usage } from '../../texts/template-usage.ts';
import { labelChoices } from '../../ui/choices.ts';
import { Segments } from '../../ui/Segments.tsx';
import type { useForm } from '../../ui/use-form.ts';
import { SubjectField, type SubjectHandle } from './SubjectField.tsx';
import type { TemplateValues } from './template-values.ts';
import styles from './TemplateEditor.module.css';

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
