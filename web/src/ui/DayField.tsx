import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import Calendar from 'lucide-react/icons/calendar';
import { useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts/day-field.ts';
import { dayText, isDay, isWholeDay, readDayText, type Precision } from './day-text.ts';

const PICKER = { month: 'month', day: 'date', minute: 'datetime-local' } as const;

type DayFieldProps = Omit<TextInputProps, 'type' | 'value' | 'onChange'> & {
  /** A day of the `precision`: `2026-11`, `2026-11-20` or `2026-11-20T09:30`; empty for no day. */
  value: string;
  onChange: (value: string) => void;
  precision?: Precision;
};

/**
 * A month, day or time that is typed as in the table of deals, or chosen from the browser's calendar. Native fields use
 * the order of the browser's language, and some browsers have none for months; this field shows `20/11/2026`
 * everywhere. An invalid text remains with its reason and is the value, so that no form treats it as empty; see
 * `isDay`.
 */
export function DayField({
  value,
  onChange,
  precision = 'day',
  error,
  readOnly = false,
  ...rest
}: DayFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const calendar = useRef<HTMLInputElement>(null);

  const type = (text: string): void => {
    setTyped(text);
    setWrong(false);
    const read = isWholeDay(text, precision) ? readDayText(text, precision) : null;
    if (read !== null || text.trim() === '') onChange(read ?? '');
  };
  const settle = (): void => {
    if (typed === null) return;
    const read = readDayText(typed, precision);
    const isEmpty = typed.trim() === '';
    setWrong(read === null && !isEmpty);
    if (read !== null || isEmpty) setTyped(null);
    const next = isEmpty ? '' : (read ?? typed);
    if (next !== value) onChange(next);
  };
  const choose = (chosen: string): void => {
    setTyped(null);
    setWrong(false);
    onChange(chosen);
  };

  return (
    <TextInput
      placeholder={texts.placeholders[precision]}
      autoComplete="off"
      {...rest}
      readOnly={readOnly}
      value={typed ?? dayText(value, precision)}
      error={error ?? (isWrong && texts.invalid[precision])}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => event.key === 'Enter' && settle()}
      rightSection={
        <>
          <ActionIcon
            aria-label={texts.choose}
            disabled={readOnly}
            onClick={() => calendar.current?.showPicker()}
          >
            <Calendar size={14} />
          </ActionIcon>
          <span className="ui-hidden">
            <input
              ref={calendar}
              type={PICKER[precision]}
              tabIndex={-1}
              aria-hidden="true"
              value={isDay(value, precision) ? value : ''}
              onChange={(event) => choose(event.currentTarget.value)}
            />
          </span>
        </>
      }
    />
  );
}
