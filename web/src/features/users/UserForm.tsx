import type { User } from '@forecourt/contract/users';
import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { schemas } from '../../ui/schemas.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { RoleChoice } from './Choices.tsx';
import { useSaveUser } from './users.queries.ts';

type UserValues = Pick<User, 'name' | 'email' | 'role' | 'isActive'>;

const comparedFields: readonly ComparedField<UserValues>[] = [
  { field: 'name', label: texts.name },
  { field: 'email', label: texts.email },
  { field: 'role', label: texts.role, words: ({ role }) => texts.roles[role] },
  {
    field: 'isActive',
    label: texts.status,
    words: ({ isActive }) => (isActive ? texts.statuses.active : texts.statuses.inactive),
  },
];

type UserFormProps = { user: User; onClose: () => void };

/** Name, address, role and status of a user. Concurrent changes by other users are shown as conflicts. */
export function UserForm({ user, onClose }: UserFormProps): ReactNode {
  const { mutateAsync } = useSaveUser();
  const form = useRecordForm({
    record: user,
    valuesOf: ({ name, email, role, isActive }): UserValues => ({ name, email, role, isActive }),
    inputOf: (values, { version }) => ({ ...values, version }),
    schema: schemas.user,
    fields: comparedFields,
    failed: texts.updateFailed,
    save: async (changes, idempotencyKey) => {
      await mutateAsync({ id: user._id, changes, idempotencyKey });
      toastDone(texts.updated);
      onClose();
    },
  });
  const { values, base } = form;
  const endsSessions = values.role !== base.role || values.email.trim() !== base.email;

  return (
    <FormModal title={texts.edit} form={form} submitLabel={texts.save} onClose={onClose}>
      <TextInput label={texts.name} withAsterisk data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput
        label={texts.email}
        withAsterisk
        inputMode="email"
        autoComplete="off"
        {...form.text('email')}
      />
      <RoleChoice value={values.role} onChange={(role) => form.set('role', role)} />
      <Switch label={texts.active} description={texts.activeHint} {...form.check('isActive')} />
      <div role="status">{endsSessions && texts.sessionsEnd}</div>
    </FormModal>
  );
}
