import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-sending.ts';
import { isDay } from '../../ui/day-text.ts';
import { DayField } from '../../ui/DayField.tsx';

type SendTimeProps = {
  /** A time in the company's zone, `2026-11-20T09:30`; empty until one is chosen; null to send now. */
  value: string | null;
  onChange: (value: string | null) => void;
  error?: string | undefined;
};

/** The field may be outside the visible part of the dialog. */
const scrollIntoView = (field: HTMLElement | null): void => field?.scrollIntoView({ block: 'center' });

/** Chooses whether a message is sent now or at a time in the company's zone. */
export function SendTime({ value, onChange, error }: SendTimeProps): ReactNode {
  return (
    <>
      <Checkbox
        label={texts.sendLater}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? '' : null)}
      />
      {value !== null && (
        <div ref={scrollIntoView}>
          <DayField
            precision="minute"
            label={texts.sendAt}
            description={texts.sendAtNote}
            withAsterisk
            value={value}
            error={error}
            onChange={(moment) => onChange(isDay(moment) ? moment : '')}
          />
        </div>
      )}
    </>
  );
}
