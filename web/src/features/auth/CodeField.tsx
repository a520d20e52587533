import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/auth.ts';
import styles from './TwoStep.module.css';

type CodeFieldProps = TextInputProps & {
  kind: 'app' | 'recovery';
  takesFocus?: boolean;
};

/** A code of the authenticator app, which phones and password managers can fill in, or a recovery code. */
export function CodeField({ kind, takesFocus = false, ...rest }: CodeFieldProps): ReactNode {
  const isApp = kind === 'app';
  return (
    <TextInput
      label={isApp ? texts.appCode : texts.recoveryCode}
      autoComplete={isApp ? 'one-time-code' : 'off'}
      inputMode={isApp ? 'numeric' : 'text'}
      autoCapitalize="none"
      spellCheck={false}
      classNames={{ input: styles.code ?? '' }}
      // It takes the focus only where the user has opened the screen for this field.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={takesFocus}
      {...rest}
    />
  );
}
