import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import type { RecordFormState } from './record-form-state.ts';
import styles from './PermissionsScreen.module.css';

const fields = [
  { field: 'maxSessions', label: texts.maxSessions, hint: texts.maxSessionsHint },
  { field: 'sessionTimeout', label: texts.sessionTimeout, hint: texts.sessionTimeoutHint },
] as const;

/** How often a person may be signed in at once, and how long without doing anything (spec section 3). */
export function SessionLimits({ form }: { form: RecordFormState }): ReactNode {
  return (
    <div className={styles.fields}>
      {fields.map(({ field, label, hint }) => (
        <NumberInput
          key={field}
          label={label}
          description={hint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          allowDecimal={false}
          allowNegative={false}
          value={form.values[field]}
          error={form.errors[field]}
          onChange={(value) => form.set(field, value)}
        />
      ))}
    </div>
  );
}
