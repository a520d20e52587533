import type { User, Entry, NewUser } from '@forecourt/contract/users';
import { Switch, TextInput, Input, type TextInputProps } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { texts } from '../../texts/users.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useSaveUser, useAddUser } from './users.queries.ts';

type UserValues = Pick<User, 'name' | 'email' | 'role' | 'isActive'>;

const comparedFields: readonly ComparedField<UserValues>[] = [
  { field: 'name', label: texts.name },
  { field: 'email', label: texts.email },
  { field: 'role', label: texts.role, text: ({ role }) => texts.roles[role] },
  {
    field: 'isActive',
    label: texts.status,
    text: ({ isActive }) => (isActive ? texts.statuses.active : texts.statuses.inactive),
  },
];

type UserFormProps = { user: User; onClose: () => void };

/** Name, address, role and status of a user. Concurrent changes by other users are conflicts. */
export function UserForm({ user, onClose }: UserFormProps): ReactNode {
  const { mutateAsync } = useSaveUser();
  const form = useRecordForm({
    record: user,
    valuesOf: ({ name, email, role, isActive }): UserValues => ({ name, email, role, isActive }),
    inputOf: (values, { version }) => ({ ...values, version }),
    schema: 'user',
    fields: comparedFields,
    failed: texts.updateFailed,
    send: (body, idempotencyKey) => mutateAsync({ params: { id: user._id }, body, idempotencyKey }),
    sent: texts.updated,
    onClose,
  });
  const { values, base } = form;
  const endsSessions = values.role !== base.role || values.email.trim() !== base.email;

  return (
    <FormModal title={texts.edit} form={form} isUnsaved={form.changed} onClose={onClose}>
      <AccountFields form={form} />
      <Switch label={texts.active} description={texts.activeHint} {...form.check('isActive')} />
      <div role="status">{endsSessions && texts.sessionsEnd}</div>
    </FormModal>
  );
}

type NewUserValues = { [K in keyof NewUser]-?: NonNullable<NewUser[K]> };

type NewUserFormProps = {
  onClose: () => void;
  /** Receives the temporary password or the invitation link. */
  onAdded: (user: User, entry: Entry) => void;
};

export function NewUserForm({ onClose, onAdded }: NewUserFormProps): ReactNode {
  const { mutateAsync } = useAddUser();
  const form = useRecordForm({
    valuesOf: (): NewUserValues => ({ name: '', email: '', role: 'user', firstSignIn: 'password' }),
    schema: 'newUser',
    failed: texts.createFailed,
    save: async (body, idempotencyKey) => {
      const { entry, ...user } = await mutateAsync({ body, idempotencyKey });
      onAdded(user, entry);
    },
  });

  return (
    <FormModal
      title={texts.add}
      form={form}
      submitLabel={texts.add}
      isUnsaved={form.changed}
      onClose={onClose}
    >
      <AccountFields form={form} />
      <Choice
        label={texts.firstSignIn}
        labels={texts.firstSignIns}
        hints={texts.firstSignInHints}
        {...form.value('firstSignIn')}
      />
    </FormModal>
  );
}

type AccountForm = {
  text: (name: 'name' | 'email') => Pick<TextInputProps, 'name' | 'value' | 'error' | 'onChange'>;
  value: (name: 'role') => Pick<ChoiceProps<User['role']>, 'value' | 'onChange'>;
};

function AccountFields({ form }: { form: AccountForm }): ReactNode {
  return (
    <>
      <TextInput label={texts.name} withAsterisk data-autofocus autoComplete="off" {...form.text('name')} />
      <TextInput
        label={texts.email}
        withAsterisk
        inputMode="email"
        autoComplete="off"
        {...form.text('email')}
      />
      <Choice label={texts.role} labels={texts.roles} hints={texts.roleHints} {...form.value('role')} />
    </>
  );
}

type ChoiceProps<K extends string> = {
  label: string;
  labels: Readonly<Record<K, string>>;
  /** A description of each option. */
  hints: Readonly<Record<K, string>>;
  value: K;
  onChange: (value: K) => void;
};

/** A choice of two or three options, with a description of the chosen one. */
function Choice<K extends string>({ label, labels, hints, value, onChange }: ChoiceProps<K>): ReactNode {
  const id = useId();
  return (
    <div>
      <Input.Label component="div" id={id}>
        {label}
      </Input.Label>
      <Segments aria-labelledby={id} fullWidth labels={labels} value={value} onChange={onChange} />
      <Input.Description mt="xs">{hints[value]}</Input.Description>
    </div>
  );
}
