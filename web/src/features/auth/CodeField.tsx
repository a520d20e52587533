import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/auth.ts';
import styles from './TwoStep.module.css';

type CodeFieldProps = TextInputProps & {
  kind: 'app' | 'recovery';
  /** It has the focus as soon as it is there. */
  takesFocus?: boolean;
};

/** A code of the authenticator app, which phones and password managers may fill in, or a recovery code. */
export function CodeField({ kind, takesFocus = false, ...rest }: CodeFieldProps): ReactNode {
  const isApp = kind === 'app';
  return (
    <TextInput
      label={isApp ? texts.appCode : texts.recoveryCode}
      autoComplete={isApp ? 'one-time-code' : 'off'}
      inputMode={isApp ? 'numeric' : 'text'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      classNames={{ input: styles.code ?? '' }}
      // Only where it is what the screen was turned to for.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={takesFocus}
      {...rest}
    />
  );
}
