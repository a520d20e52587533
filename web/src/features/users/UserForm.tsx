import type { User } from '@forecourt/contract/users';
import { Switch, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/users.ts';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormModal } from '../../ui/FormModal.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useConflict } from '../../ui/use-conflict.ts';
import { useForm } from '../../ui/use-form.ts';
import { RoleChoice } from './Choices.tsx';
import { comparedFields, userErrors, valuesOf, type UserValues } from './user-values.ts';
import { useSaveUser } from './users.queries.ts';
import styles from './UsersScreen.module.css';

type UserFormProps = { user: User; onClose: () => void };

/** Name, address, role and whether the person may sign in. What somebody else changed meanwhile is kept apart. */
export function UserForm({ user, onClose }: UserFormProps): ReactNode {
  const { mutateAsync } = useSaveUser();
  const [keyFor] = useState(createIntentionKeys);

  const form = useForm<UserValues>({
    initial: valuesOf(user),
    validate: userErrors,
    failed: texts.updateFailed,
    submit: async (values) => {
      const changes = { ...values, version: base.version };
      try {
        await mutateAsync({ id: user._id, changes, idempotencyKey: keyFor(changes) });
        toastDone(texts.updated);
        onClose();
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || thrown.code !== 'CONFLICT') throw thrown;
        conflict.meet(base, thrown.current as User, values);
      }
    },
  });
  const { values } = form;

  const conflict = useConflict<User, UserValues>({
    fields: comparedFields,
    valuesOf,
    put: (field, theirs) => form.set(field, theirs[field]),
  });
  // What the next save is a change of.
  const base = conflict.record ?? user;
  const endsSessions = values.role !== base.role || values.email.trim() !== base.email;

  return (
    <FormModal title={texts.edit} form={form} submitLabel={texts.save} onClose={onClose}>
      {conflict.changes && <ConflictNotice changes={conflict.changes} onTake={conflict.take} />}
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
      <Switch label={texts.active} description={texts.activeHint} {...form.check('isActive')} />
      <div role="status" className={styles.what}>
        {endsSessions && texts.sessionsEnd}
      </div>
    </FormModal>
  );
}
