import type { Status } from '@forecourt/contract/statuses';
import { Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/statuses.ts';
import { namedChoices } from '../../ui/choices.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { required, useForm } from '../../ui/use-form.ts';
import { useDeleteStatus } from './statuses.queries.ts';

type DeleteStatusProps = { status: Status; others: readonly Status[]; onClose: () => void };

/** Confirms and deletes a status, with a replacement for its deals. */
export function DeleteStatus({ status, others, onClose }: DeleteStatusProps): ReactNode {
  const { mutateAsync } = useDeleteStatus();
  // Only the server also counts deleted deals and those created meanwhile.
  const [isUsed, setIsUsed] = useState(status.usage > 0);
  const form = useForm({
    initial: { replacement: '' },
    failed: texts.deleteFailed,
    validate: (values) => (isUsed ? required({ replacement: texts.replacementRequired })(values) : {}),
    submit: async ({ replacement }) => {
      try {
        await mutateAsync({ id: status._id, replacement });
        toastDone(texts.deleted);
        onClose();
      } catch (thrown) {
        if (thrown instanceof ApiError && thrown.code === 'IN_USE') setIsUsed(true);
        throw thrown;
      }
    },
  });
  return (
    <FormModal
      title={texts.deleteTitle}
      size="sm"
      form={form}
      submitLabel={texts.delete}
      destructive
      onClose={onClose}
    >
      <div>
        <p>{texts.deleteQuestion}</p>
        <p className="ui-box ui-strong ui-mt-3">{status.name}</p>
      </div>
      {status.usage > 0 && <p>{texts.inUse(status.usage)}</p>}
      {isUsed && (
        <Select
          label={texts.replacement}
          withAsterisk
          placeholder={texts.chooseReplacement}
          data={namedChoices(others.filter(({ _id, active }) => active && _id !== status._id))}
          {...form.choice('replacement')}
        />
      )}
    </FormModal>
  );
}
