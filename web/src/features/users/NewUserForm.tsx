import type { Entry, NewUser, User } from '@forecourt/contract/users';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { schemas } from '../../ui/schemas.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { Choice, RoleChoice } from './Choices.tsx';
import { useAddUser } from './users.queries.ts';

type NewUserValues = { [K in keyof NewUser]-?: NonNullable<NewUser[K]> };

type NewUserFormProps = {
  onClose: () => void;
  /** Shows the entry once: a temporary password or an invitation link. */
  onAdded: (user: User, entry: Entry) => void;
};

/** A new user and the way of their first sign-in. */
export function NewUserForm({ onClose, onAdded }: NewUserFormProps): ReactNode {
  const { mutateAsync } = useAddUser();
  const form = useRecordForm({
    record: undefined,
    valuesOf: (): NewUserValues => ({ name: '', email: '', role: 'user', firstSignIn: 'password' }),
    schema: schemas.newUser,
    failed: texts.createFailed,
    save: async (body, idempotencyKey) => {
      const { entry, ...user } = await mutateAsync({ body, idempotencyKey });
      onAdded(user, entry);
    },
  });
  const { values } = form;

  return (
    <FormModal title={texts.add} form={form} submitLabel={texts.add} onClose={onClose}>
      <TextInput label={texts.name} withAsterisk data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput
        label={texts.email}
        withAsterisk
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
