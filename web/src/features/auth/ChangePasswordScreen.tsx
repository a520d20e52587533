import { Button, PasswordInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { changePassword, signOut, useSession } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { AuthLayout } from './AuthLayout.tsx';
import { newPasswordErrors } from './new-password.ts';

/** Changes the user's password. With a required change, signing out is the only alternative. */
export function ChangePasswordScreen(): ReactNode {
  const { user } = useSession();
  const navigate = useNavigate();
  const forced = user?.forcePasswordChange === true;
  const form = useForm({
    initial: { currentPassword: '', newPassword: '', repeated: '' },
    validate: ({ currentPassword, newPassword, repeated }) => ({
      ...(currentPassword === '' ? { currentPassword: texts.passwordRequired } : {}),
      ...newPasswordErrors('newPassword', newPassword, repeated),
    }),
    submit: async ({ currentPassword, newPassword }) => {
      await changePassword(currentPassword, newPassword);
      toastDone(texts.changed);
      await navigate({ to: paths.dashboard });
    },
  });

  return (
    <AuthLayout title={texts.changeTitle} note={forced ? texts.changeForced : texts.changeNote}>
      <form className="ui-stack" onSubmit={form.onSubmit} noValidate>
        <FormMessage text={form.message} />
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
        <div className="ui-line ui-mt-2">
          <Button type="submit" loading={form.busy}>
            {texts.save}
          </Button>
          {forced ? (
            <Button variant="default" onClick={signOut}>
              {texts.signOut}
            </Button>
          ) : (
            <Button variant="default" component={Link} to={paths.dashboard}>
              {texts.cancel}
            </Button>
          )}
        </div>
      </form>
    </AuthLayout>
  );
}
