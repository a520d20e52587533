import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { signIn, useSession } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { required } from '../../ui/required.ts';
import { useForm } from '../../ui/use-form.ts';
import { setupQuery } from './auth.queries.ts';
import { AuthLayout } from './AuthLayout.tsx';
import styles from './AuthLayout.module.css';

/** Sign-in. Where it leads is decided by the app, which sees the session begin. */
export function LoginScreen(): ReactNode {
  const { error }: Record<string, string | undefined> = useSearch({ strict: false });
  const { notice } = useSession();
  const { data: setup } = useQuery(setupQuery);
  const form = useForm({
    initial: { email: '', password: '' },
    validate: required({ email: texts.emailRequired, password: texts.passwordRequired }),
    submit: async ({ email, password }) => {
      await signIn(email, password);
    },
  });
  const earlier = notice ?? (error === 'guard_error' ? texts.guardError : null);

  return (
    <AuthLayout title={texts.signInTitle} note={texts.signInNote}>
      <form className={styles.form} onSubmit={form.onSubmit} noValidate>
        <FormMessage text={form.message ?? earlier} />
        {setup?.open && <p className={styles.hint}>{texts.setUpOpen}</p>}
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="username"
          // The only thing to do on this screen.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          {...form.text('email')}
        />
        <PasswordInput label={texts.password} autoComplete="current-password" {...form.text('password')} />
        <Button type="submit" loading={form.busy} fullWidth mt={8}>
          {texts.signIn}
        </Button>
      </form>
    </AuthLayout>
  );
}
