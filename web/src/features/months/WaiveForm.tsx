import type { CheckResult } from '@forecourt/contract/months';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/months.ts';
import { descriptionBelow } from '../../ui/description-below.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { schemas } from '../../ui/schemas.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useWaive } from './months.queries.ts';

type WaiveFormProps = {
  month: string;
  /** The check as the user saw it when they opened the form: later rows are not waived. */
  check: CheckResult;
  onClose: () => void;
};

export function WaiveForm({ month, check: { key, count, waiver }, onClose }: WaiveFormProps): ReactNode {
  const { mutateAsync } = useWaive();
  const { label } = texts.checks[key];
  const form = useRecordForm({
    record: undefined,
    valuesOf: () => ({ reason: waiver?.reason ?? '' }),
    inputOf: ({ reason }) => ({ check: key, rows: count, reason }),
    schema: schemas.waiver,
    failed: texts.waiveFailed,
    save: async (body, idempotencyKey) => {
      await mutateAsync({ params: { month }, body, idempotencyKey });
      toastDone(texts.waiveDone(label));
      onClose();
    },
  });
  return (
    <FormModal
      title={texts.waiveTitle(label)}
      form={form}
      submitLabel={texts.submit}
      isUnsaved={form.changed}
      onClose={onClose}
    >
      <TextInput
        label={texts.reason}
        description={texts.reasonHint(count)}
        {...descriptionBelow}
        withAsterisk
        data-autofocus
        {...form.text('reason')}
      />
    </FormModal>
  );
}
