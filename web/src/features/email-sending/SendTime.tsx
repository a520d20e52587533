import { Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-sending.ts';

type SendTimeProps = {
  /** On the company's clock, `2026-11-20T09:30`; empty: not chosen yet; null: now. */
  value: string | null;
  onChange: (value: string | null) => void;
  error?: string | undefined;
};

/** Whether a message goes out now or at a time on the company's clock. */
export function SendTime({ value, onChange, error }: SendTimeProps): ReactNode {
  return (
    <>
      <Checkbox
        label={texts.sendLater}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? '' : null)}
      />
      {value !== null && (
        <TextInput
          type="datetime-local"
          label={texts.sendAt}
          description={texts.sendAtNote}
          withAsterisk
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  );
}
