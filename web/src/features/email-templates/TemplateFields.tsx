import { TextInput } from '@mantine/core';
import { useId, type ReactNode, type Ref } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { Segments } from '../../ui/Segments.tsx';
import type { useForm } from '../../ui/use-form.ts';
import { SubjectField, type SubjectHandle } from './SubjectField.tsx';
import type { TemplateValues } from './template-values.ts';
import styles from './TemplateEditor.module.css';

type TemplateFieldsProps = {
  form: ReturnType<typeof useForm<TemplateValues>>;
  readOnly: boolean;
  subjectRef: Ref<SubjectHandle>;
  onSubjectFocus: () => void;
};

/** Name, status and subject of a template. */
export function TemplateFields({
  form,
  readOnly,
  subjectRef,
  onSubjectFocus,
}: TemplateFieldsProps): ReactNode {
  const statusId = useId();
  const { values, errors, set } = form;
  return (
    <div className={styles.fields}>
      <TextInput
        className={styles.name}
        label={texts.name}
        withAsterisk
        maxLength={120}
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
          data={[
            { value: 'draft', label: texts.draft },
            { value: 'active', label: texts.active },
          ]}
          value={values.status}
          onChange={(status) => set('status', status)}
        />
      </div>
      <div className={styles.subject}>
        <SubjectField
          ref={subjectRef}
          value={values.subject}
          readOnly={readOnly}
          variables={values.variables}
          error={errors['subject']}
          onChange={(typed) => set('subject', typed)}
          onFocus={onSubjectFocus}
        />
      </div>
    </div>
  );
}
