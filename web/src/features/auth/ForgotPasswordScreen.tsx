import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/auth.ts';
import { required, useForm } from '../../ui/use-form.ts';
import { requestLink, setupQuery } from './auth.queries.ts';
import { AuthForm, AuthLayout } from './AuthLayout.tsx';
import styles from './AuthLayout.module.css';

/** Requests a link to choose a new password. If no email can be sent, shows whom to contact. */
export default function ForgotPasswordScreen(): ReactNode {
  const { data: setup, isPending } = useQuery(setupQuery);
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm({
    initial: { email: '' },
    validate: required({ email: texts.emailRequired }),
    submit: async ({ email }) => setAnswer(await requestLink(email)),
  });
  const toSignIn = (
    <Button variant="default" component={Link} to={paths.login}>
      {texts.toSignIn}
    </Button>
  );

  if (setup?.mailsResetLinks === false) {
    return (
      <AuthLayout title={texts.forgotTitle} note={texts.forgotAsk}>
        {toSignIn}
      </AuthLayout>
    );
  }
  if (answer !== null) {
    return (
      <AuthLayout title={texts.forgotSent} note={texts.forgotSentNote}>
        <div className="ui-stack">
          <output className={`ui-box ${styles.hint}`}>{answer}</output>
          <div>{toSignIn}</div>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={texts.forgotTitle} note={texts.forgotNote}>
      {!isPending && (
        <AuthForm form={form} submitLabel={texts.sendLink} beside={toSignIn}>
          <TextInput
            label={texts.email}
            type="email"
            autoComplete="username"
            // The only field of this screen.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            {...form.text('email')}
          />
        </AuthForm>
      )}
    </AuthLayout>
  );
}
