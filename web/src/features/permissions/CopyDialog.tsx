import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { required } from '../../ui/required.ts';
import { useForm } from '../../ui/use-form.ts';
import type { PersonWithRecord } from './person-with-record.ts';

type CopyDialogProps = {
  people: readonly PersonWithRecord[];
  onCopy: (person: PersonWithRecord) => void;
  onClose: () => void;
};

/** Chooses the user whose record fills the form. */
export function CopyDialog({ people, onCopy, onClose }: CopyDialogProps): ReactNode {
  const form = useForm({
    initial: { userId: '' },
    validate: required({ userId: texts.copyRequired }),
    submit: async ({ userId }) => {
      const person = people.find((other) => other.userId === userId);
      if (person) onCopy(person);
      onClose();
    },
  });
  return (
    <FormModal title={texts.copyTitle} form={form} submitLabel={texts.copyConfirm} onClose={onClose}>
      <Select
        label={texts.copyLabel}
        description={texts.copyHint}
        placeholder={texts.copyChoose}
        searchable
        data-autofocus
        nothingFoundMessage={texts.nobodyFound}
        data={people.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))}
        {...form.choice('userId')}
      />
    </FormModal>
  );
}
