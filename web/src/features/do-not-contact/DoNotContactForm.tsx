import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/do-not-contact.ts';
import { descriptionBelow, FormModal } from '../../ui/FormModal.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { errorWithin } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useAddContacts } from './do-not-contact.queries.ts';

type ContactValues = { values: string; reason: string };

/** Each line, or part between commas, is one value. */
const inputOf = ({ values, reason }: ContactValues) => ({
  values: values.split(/[\n\r,;]+/).filter((text) => text.trim() !== ''),
  reason,
});

const nothing: readonly string[] = [];

type DoNotContactFormProps = {
  /** Initial values. */
  values?: readonly string[];
  onClose: () => void;
};

export default function DoNotContactForm({ values = nothing, onClose }: DoNotContactFormProps): ReactNode {
  const { mutateAsync } = useAddContacts();
  const form = useRecordForm({
    valuesOf: (): ContactValues => ({ values: values.join('\n'), reason: '' }),
    inputOf,
    schema: 'doNotContact',
    failed: texts.saveFailed,
    save: async (body, idempotencyKey) => {
      const { total } = await mutateAsync({ body, idempotencyKey });
      toastDone(texts.added(total));
      onClose();
    },
  });
  return (
    <FormModal
      title={texts.formTitle}
      form={form}
      submitLabel={texts.submit}
      isUnsaved={form.changed}
      onClose={onClose}
    >
      <Textarea
        label={texts.values}
        description={texts.valuesHint}
        {...descriptionBelow}
        withAsterisk
        autosize
        minRows={2}
        maxRows={10}
        data-autofocus={values.length === 0 || undefined}
        {...form.text('values')}
        error={errorWithin(form.errors, 'values')}
      />
      <TextInput
        label={texts.reason}
        description={texts.reasonHint}
        {...descriptionBelow}
        withAsterisk
        data-autofocus={values.length > 0 || undefined}
        {...form.text('reason')}
      />
    </FormModal>
  );
}
