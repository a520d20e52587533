import { Button, PasswordInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { changePassword, signOut, useSession } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { toastDone } from '../../ui/toasts.ts';
import { requiredPassword, useForm } from '../../ui/use-form.ts';
import { AuthForm, AuthLayout } from './AuthLayout.tsx';
import { newPasswordErrors } from './new-password.ts';

/** Changes the user's password. If the change is required, signing out is the only alternative. */
export default function ChangePasswordScreen(): ReactNode {
  const { user } = useSession();
  const navigate = useNavigate();
  const forced = user?.forcePasswordChange === true;
  const form = useForm({
    initial: { currentPassword: '', newPassword: '', repeated: '' },
    validate: (values) => ({
      ...requiredPassword<typeof values>({ currentPassword: texts.passwordRequired })(values),
      ...newPasswordErrors('newPassword', values.newPassword, values.repeated),
    }),
    submit: async ({ currentPassword, newPassword }) => {
      await changePassword(currentPassword, newPassword);
      toastDone(texts.changed);
      await navigate({ to: paths.dashboard });
    },
  });

  return (
    <AuthLayout title={texts.changeTitle} note={forced ? texts.changeForced : texts.changeNote}>
      <AuthForm
        form={form}
        submitLabel={texts.save}
        beside={
          forced ? (
            <Button variant="default" onClick={signOut}>
              {texts.signOut}
            </Button>
          ) : (
            <Button variant="default" component={Link} to={paths.dashboard}>
              {texts.cancel}
            </Button>
          )
        }
      >
        {/* Password managers need the account's name beside a new password. */}
        <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordInput
          label={texts.currentPassword}
          autoComplete="current-password"
          {...form.text('currentPassword')}
        />
        <PasswordInput
          label={texts.newPassword}
          description={texts.newPasswordNote}
          autoComplete="new-password"
          {...form.text('newPassword')}
        />
        <PasswordInput label={texts.repeatPassword} autoComplete="new-password" {...form.text('repeated')} />
      </AuthForm>
    </AuthLayout>
  );
}
