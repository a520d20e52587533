import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { paths } from '../../platform/paths.ts';
import { signIn, useSession } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { required, requiredPassword, useForm } from '../../ui/use-form.ts';
import { setupQuery } from './auth.queries.ts';
import { AuthForm, AuthLayout } from './AuthLayout.tsx';
import { CodeField } from './CodeField.tsx';
import styles from './AuthLayout.module.css';

type Step = 'password' | 'app' | 'recovery';

/** Returns a refused code as an error of its field. */
function atCode({ status, code, message }: ApiError, step: Step): ApiError {
  const fieldMessage = step === 'app' ? message : texts.recoveryCodeWrong;
  return new ApiError(status, fieldMessage, code, { errors: { code: fieldMessage } });
}

/** The app redirects after the session has started. */
export default function LoginScreen(): ReactNode {
  const { error }: Record<string, string | undefined> = useSearch({ strict: false });
  const { notice, reason } = useSession();
  const { data: setup } = useQuery(setupQuery);
  const [step, setStep] = useState<Step>('password');
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    validate: (values) =>
      step === 'password'
        ? {
            ...required<typeof values>({ email: texts.emailRequired })(values),
            ...requiredPassword<typeof values>({ password: texts.passwordRequired })(values),
          }
        : required<typeof values>({ code: texts.codeRequired })(values),
    submit: async ({ email, password, code }) => {
      try {
        await signIn({ email, password, ...(step !== 'password' && { code }) });
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        if (thrown.code === 'TWO_STEP_REQUIRED') return setStep('app');
        if (thrown.code === 'TWO_STEP_FAILED') throw atCode(thrown, step);
        if (thrown.code === 'SIGN_IN_FAILED') setStep('password');
        throw thrown;
      }
    },
  });
  const turnTo = (next: Step): void => {
    form.set('code', '');
    setStep(next);
  };

  if (step !== 'password') {
    const other = step === 'app' ? 'recovery' : 'app';
    return (
      <AuthLayout title={texts.twoStep} note={step === 'app' ? texts.codeNote : texts.recoveryCodeNote}>
        <AuthForm
          form={form}
          submitLabel={texts.signIn}
          beside={
            <Button variant="default" disabled={form.busy} onClick={() => turnTo('password')}>
              {texts.back}
            </Button>
          }
          below={
            <Anchor component="button" type="button" className={styles.aside} onClick={() => turnTo(other)}>
              {step === 'app' ? texts.toRecoveryCode : texts.toAppCode}
            </Anchor>
          }
        >
          {/* Mounted again for each kind of code, so that it gets the focus. */}
          <CodeField key={step} kind={step} takesFocus {...form.text('code')} />
        </AuthForm>
      </AuthLayout>
    );
  }

  const earlier = notice ?? (error === 'guard_error' ? texts.guardError : null);
  return (
    <AuthLayout title={texts.signInTitle} note={texts.signInNote}>
      <AuthForm
        form={form}
        submitLabel={texts.signIn}
        earlier={earlier}
        note={reason}
        below={
          <Anchor component={Link} to={paths.forgotPassword} className={styles.aside}>
            {texts.forgot}
          </Anchor>
        }
      >
        {setup?.open && <p className={`ui-box ${styles.hint}`}>{texts.setUpOpen}</p>}
        <TextInput
          label={texts.email}
          type="email"
          autoComplete="username"
          // The first field of this screen.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          {...form.text('email')}
        />
        <PasswordInput label={texts.password} autoComplete="current-password" {...form.text('password')} />
      </AuthForm>
    </AuthLayout>
  );
}
