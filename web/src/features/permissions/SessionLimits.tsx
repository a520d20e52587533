import type { ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import { WholeNumberInput } from '../../ui/WholeNumberInput.tsx';
import type { RecordFormState } from './record-form-state.ts';
import styles from './PermissionsScreen.module.css';

const fields = [
  { field: 'maxSessions', label: texts.maxSessions, hint: texts.maxSessionsHint },
  { field: 'sessionTimeout', label: texts.sessionTimeout, hint: texts.sessionTimeoutHint },
] as const;

/**
 * A user's maximum number of sessions, and their inactivity timeout
 * (docs/product/people-and-permissions.md, Sessions).
 */
export function SessionLimits({ form }: { form: RecordFormState }): ReactNode {
  return (
    <div className={styles.flags}>
      {fields.map(({ field, label, hint }) => (
        <WholeNumberInput
          key={field}
          label={label}
          description={hint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={form.values[field]}
          error={form.errors[field]}
          onChange={(value) => form.set(field, value)}
        />
      ))}
    </div>
  );
}
