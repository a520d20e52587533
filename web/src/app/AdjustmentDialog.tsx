import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/adjustments.ts';
import { FormModal } from '../ui/FormModal.tsx';
import { useRecordForm } from '../ui/use-record-form.ts';
import type { AdjustmentQuestion } from './adjustment-question.ts';

/** Asks for the reason of a change in a closed month. It may open while the user is typing in the table. */
export default function AdjustmentDialog({ month, lastReason, answer }: AdjustmentQuestion): ReactNode {
  const form = useRecordForm({
    valuesOf: () => ({ reason: lastReason }),
    inputOf: ({ reason }) => ({ reason: reason.replaceAll(/\s+/g, ' ') }),
    schema: 'adjustment',
    save: async ({ reason }) => answer(reason.trim()),
  });
  return (
    <FormModal
      title={texts.title(month)}
      form={form}
      submitLabel={texts.submit}
      isUnsaved={form.changed}
      onClose={() => answer(null)}
    >
      <p>{texts.note}</p>
      {/* Enter makes a line, because it may belong to what the user was typing. */}
      <Textarea
        label={texts.reason}
        withAsterisk
        autosize
        minRows={2}
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
        {...form.text('reason')}
      />
    </FormModal>
  );
}
