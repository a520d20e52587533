import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/audit.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { schemas } from '../../ui/schemas.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useBlank } from './audit.queries.ts';

type BlankDialogProps = { recordId: string; name: string; onDone: () => void; onClose: () => void };

/** Asks for a reason and removes the values of all entries about a deleted record. */
export function BlankDialog({ recordId, name, onDone, onClose }: BlankDialogProps): ReactNode {
  const { mutateAsync } = useBlank();
  const form = useRecordForm({
    record: undefined,
    valuesOf: () => ({ reason: '' }),
    inputOf: ({ reason }) => ({ recordId, reason }),
    schema: schemas.blankAudit,
    failed: texts.blankFailed,
    save: async (body) => {
      const { blanked } = await mutateAsync(body);
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
      <p>{texts.blankWhat(name)}</p>
      <TextInput label={texts.blankReason} withAsterisk {...form.text('reason')} />
    </FormModal>
  );
}
