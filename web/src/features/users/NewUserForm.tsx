import type { Entry, User } from '@forecourt/contract/users';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { useForm } from '../../ui/use-form.ts';
import { Choice, RoleChoice } from './Choices.tsx';
import { userErrors, type NewUserValues } from './user-values.ts';
import { useAddUser } from './users.queries.ts';

type NewUserFormProps = {
  onClose: () => void;
  /** Shows, once, how the person gets in. */
  onAdded: (user: User, entry: Entry) => void;
};

/** A new person and how they sign in first. */
export function NewUserForm({ onClose, onAdded }: NewUserFormProps): ReactNode {
  const { mutateAsync } = useAddUser();
  const form = useForm<NewUserValues>({
    initial: { name: '', email: '', role: 'user', firstSignIn: 'password' },
    validate: userErrors,
    failed: texts.createFailed,
    submit: async (values) => {
      const { entry, ...user } = await mutateAsync(values);
      onAdded(user, entry);
    },
  });
  const { values } = form;

  return (
    <FormModal title={texts.add} form={form} submitLabel={texts.add} onClose={onClose}>
      <TextInput
        label={texts.name}
        withAsterisk
        maxLength={120}
        data-autofocus
        autoComplete="off"
        {...form.text('name')}
      />
      <TextInput
        label={texts.email}
        withAsterisk
        maxLength={254}
        inputMode="email"
        autoComplete="off"
        {...form.text('email')}
      />
      <RoleChoice value={values.role} onChange={(role) => form.set('role', role)} />
      <Choice
        label={texts.firstSignIn}
        words={texts.firstSignIns}
        hints={texts.firstSignInHints}
        value={values.firstSignIn}
        onChange={(firstSignIn) => form.set('firstSignIn', firstSignIn)}
      />
    </FormModal>
  );
}
