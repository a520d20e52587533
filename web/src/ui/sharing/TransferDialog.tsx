import { Checkbox, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/sharing.ts';
import { FormModal } from '../FormModal.tsx';
import { required } from '../required.ts';
import { useForm } from '../use-form.ts';
import type { Directory } from './shares.ts';

type Transfer = { targetUserId: string; keepSharing: boolean; reason: string };

type TransferDialogProps = {
  /** What is handed over: a name, or how many. */
  what: string;
  directory: Directory;
  /** Whose it is now, where that is one person. */
  ownerId?: string | undefined;
  submit: (transfer: Transfer) => Promise<void>;
  onClose: () => void;
};

/** Gives records to somebody else: to whom, what the owner until now keeps, and why (spec section 7). */
export function TransferDialog({
  what,
  directory,
  ownerId,
  submit,
  onClose,
}: TransferDialogProps): ReactNode {
  const form = useForm<Transfer>({
    initial: { targetUserId: '', keepSharing: false, reason: '' },
    failed: texts.handOverFailed,
    validate: required({ targetUserId: texts.chooseUser }),
    submit: async (transfer) => {
      await submit(transfer);
      onClose();
    },
  });
  const people = (directory.data?.items ?? [])
    .filter(({ _id }) => _id !== ownerId)
    .map(({ _id, name, email }) => ({ value: _id, label: texts.person(name, email) }));

  return (
    <FormModal
      title={texts.handOver(what)}
      form={form}
      submitLabel={texts.handOverConfirm}
      busyLabel={texts.handingOver}
      onClose={onClose}
    >
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
      <Checkbox label={texts.keep} description={texts.keepHint} {...form.check('keepSharing')} />
      <TextInput
        label={texts.reason}
        description={texts.reasonHint}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        maxLength={400}
        {...form.text('reason')}
      />
    </FormModal>
  );
}
