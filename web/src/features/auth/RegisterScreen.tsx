import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { registerFirst } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { required, useForm } from '../../ui/use-form.ts';
import { setupQuery } from './auth.queries.ts';
import { AuthForm, AuthLayout } from './AuthLayout.tsx';
import { useLinkKey } from './link-key.ts';
import { newPasswordErrors } from './new-password.ts';

/**
 * Creates the first administrator with the one-time key of the printed link
 * (docs/product/people-and-permissions.md, First administrator).
 */
export default function RegisterScreen(): ReactNode {
  const { data: setup } = useQuery(setupQuery);
  const givenKey = useLinkKey(paths.register);
  const form = useForm({
    initial: { key: givenKey, name: '', email: '', password: '', repeated: '' },
    validate: (values) => ({
      ...required<typeof values>({
        key: texts.keyRequired,
        name: texts.nameRequired,
        email: texts.emailRequired,
      })(values),
      ...newPasswordErrors('password', values.password, values.repeated),
    }),
    submit: ({ key, name, email, password }) => registerFirst({ key: key.trim(), name, email, password }),
  });

  if (setup?.open === false) {
    return (
      <AuthLayout title={texts.registerTitle} note={texts.registerClosed}>
        <Button component={Link} to={paths.login}>
          {texts.toSignIn}
        </Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={texts.registerTitle} note={texts.registerNote}>
      <AuthForm form={form} submitLabel={texts.register}>
        {(givenKey === '' || form.errors['key'] !== undefined) && (
          <TextInput
            label={texts.keyLabel}
            description={texts.keyNote}
            autoComplete="off"
            {...form.text('key')}
          />
        )}
        <TextInput label={texts.name} autoComplete="name" {...form.text('name')} />
        <TextInput label={texts.email} type="email" autoComplete="username" {...form.text('email')} />
        <PasswordInput
          label={texts.password}
          description={texts.newPasswordNote}
          autoComplete="new-password"
          {...form.text('password')}
        />
        <PasswordInput
          label={texts.repeatFirstPassword}
          autoComplete="new-password"
          {...form.text('repeated')}
        />
      </AuthForm>
    </AuthLayout>
  );
}
