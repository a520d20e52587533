import { Checkbox, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { directoryQuery } from '../../platform/directory.ts';
import { texts } from '../../texts/sharing.ts';
import { descriptionBelow, FormModal } from '../FormModal.tsx';
import { toastDone } from '../toasts.ts';
import { required } from '../use-form.ts';
import { useRecordForm } from '../use-record-form.ts';
import { AccessWarning } from './AccessWarning.tsx';

type Transfer = { targetUserId: string; keepSharing: boolean; reason: string };

type TransferDialogProps = {
  /** Names the transferred records: a name, or a number. */
  what: string;
  /** If all records have the same owner, that user cannot be chosen. */
  records: readonly { readonly owner?: string | undefined }[];
  /** Returns which rights the chosen user lacks for the records. */
  warning?: (userId: string) => string | undefined;
  /** Returns the success message. */
  submit: (transfer: Transfer) => Promise<string>;
  onClose: () => void;
};

/** Transfers records to another user (docs/product/sharing.md, Transfer of ownership). */
export function TransferDialog({ what, records, warning, submit, onClose }: TransferDialogProps): ReactNode {
  const directory = useQuery(directoryQuery);
  const form = useRecordForm({
    valuesOf: (): Transfer => ({ targetUserId: '', keepSharing: false, reason: '' }),
    schema: 'transfer',
    validate: required<Transfer>({ targetUserId: texts.chooseUser }),
    failed: texts.transferFailed,
    save: async (transfer) => {
      toastDone(await submit(transfer));
      onClose();
    },
  });
  const people = (directory.data?.items ?? [])
    .filter(({ _id }) => !records.every(({ owner }) => owner === _id))
    .map(({ _id, name, email }) => ({ value: _id, label: texts.person(name, email) }));

  return (
    <FormModal
      title={texts.transferTitle(what)}
      form={form}
      submitLabel={texts.transferConfirm}
      busyLabel={texts.transferring}
      onClose={onClose}
    >
      <div>
        <Select
          label={texts.newOwner}
          withAsterisk
          searchable
          data={people}
          placeholder={texts.chooseOwner}
          nothingFoundMessage={directory.error ? texts.loadFailed : texts.nobodyFound}
          data-autofocus
          openOnFocus={false}
          {...form.choice('targetUserId')}
        />
        <AccessWarning text={warning?.(form.values.targetUserId)} />
      </div>
      <Checkbox label={texts.keep} description={texts.keepHint} {...form.check('keepSharing')} />
      <TextInput
        label={texts.reason}
        description={texts.reasonHint}
        {...descriptionBelow}
        {...form.text('reason')}
      />
    </FormModal>
  );
}
