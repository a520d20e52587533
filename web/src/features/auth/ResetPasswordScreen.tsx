import { Button, PasswordInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/auth.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { choosePassword } from './auth.queries.ts';
import { AuthForm, AuthLayout } from './AuthLayout.tsx';
import { useLinkKey } from './link-key.ts';
import { newPasswordErrors } from './new-password.ts';

/** Target of a reset link or an invitation: sets a new password. The user then signs in with it. */
export default function ResetPasswordScreen(): ReactNode {
  const navigate = useNavigate();
  const key = useLinkKey(paths.resetPassword);
  const [isSpent, setSpent] = useState(key === '');
  const form = useForm({
    initial: { newPassword: '', repeated: '' },
    validate: ({ newPassword, repeated }) => newPasswordErrors('newPassword', newPassword, repeated),
    submit: async ({ newPassword }) => {
      try {
        await choosePassword(key, newPassword);
      } catch (thrown) {
        if (!(thrown instanceof ApiError && thrown.code === 'LINK_INVALID')) throw thrown;
        return setSpent(true);
      }
      toastDone(texts.chosen);
      await navigate({ to: paths.login, replace: true });
    },
  });

  if (isSpent) {
    return (
      <AuthLayout title={texts.linkSpent} note={texts.linkSpentNote}>
        <div className="ui-line ui-mt-2">
          <Button component={Link} to={paths.forgotPassword}>
            {texts.askForLink}
          </Button>
          <Button variant="default" component={Link} to={paths.login}>
            {texts.toSignIn}
          </Button>
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={texts.chooseTitle} note={texts.chooseNote}>
      <AuthForm form={form} submitLabel={texts.save}>
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
