import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';

type WholeNumberInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: number | string;
  onChange: (typed: string) => void;
};

/** Passes the text as typed, so that an invalid number is reported instead of changed into another one. */
export function WholeNumberInput({ value, onChange, ...rest }: WholeNumberInputProps): ReactNode {
  return (
    <TextInput
      inputMode="numeric"
      {...rest}
      value={String(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
