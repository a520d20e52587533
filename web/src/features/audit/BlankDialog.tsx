import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/audit.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { required } from '../../ui/required.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { useBlank } from './audit.queries.ts';
import styles from './AuditScreen.module.css';

type BlankDialogProps = { recordId: string; name: string; onDone: () => void; onClose: () => void };

/** Asks why, names what goes, and removes the values of all entries about a deleted record. */
export function BlankDialog({ recordId, name, onDone, onClose }: BlankDialogProps): ReactNode {
  const { mutateAsync } = useBlank();
  const form = useForm({
    initial: { reason: '' },
    failed: texts.blankFailed,
    validate: required({ reason: texts.blankReasonRequired }),
    submit: async ({ reason }) => {
      const { blanked } = await mutateAsync({ recordId, reason });
      toastDone(texts.blankDone(blanked));
      onDone();
    },
  });
  return (
    <FormModal
      title={texts.blankTitle}
      size="sm"
      form={form}
      submitLabel={texts.blankSubmit}
      destructive
      onClose={onClose}
    >
      <p className={styles.said}>{texts.blankWhat(name)}</p>
      <TextInput label={texts.blankReason} withAsterisk maxLength={400} {...form.text('reason')} />
    </FormModal>
  );
}
