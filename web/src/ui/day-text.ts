import { parseDate, parseMoment, type Clock } from '../grid/parse-date.ts';
import { formatBusinessDate, formatDateTime, formatShortMonth } from '../platform/formats.ts';

/** A field's time is a wall clock time of the zone in its label: parsed and formatted in a zone without offset. */
const ZONE = 'UTC';

const clockOfBrowser = (): Clock => {
  const now = new Date();
  return { now: new Date(now.getTime() - now.getTimezoneOffset() * 60_000), timeZone: ZONE };
};

/** Precision of a field: `2026-11`, `2026-11-20` or `2026-11-20T09:30`. */
export type Precision = 'month' | 'day' | 'minute';

const LENGTH = { month: 7, day: 10, minute: 16 } as const;

/** Whether a field's value is a valid day (or month, by `precision`), not an invalid text. */
export const isDay = (value: string, precision: Precision = 'day'): boolean =>
  (precision === 'month'
    ? /^(19|20)\d\d-(0[1-9]|1[0-2])$/
    : /^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/
  ).test(value);

/** Formats a value: `Nov 2026`, `20/11/2026`, `20/11/2026, 9:30 am`. */
export function dayText(value: string, precision: Precision): string {
  if (!isDay(value, precision)) return value;
  if (precision === 'month') return `${formatShortMonth(value)} ${value.slice(0, 4)}`;
  return precision === 'minute' ? formatDateTime(`${value}:00Z`, ZONE) : formatBusinessDate(value);
}

/** Parses a typed month, day or time to a value; null if it is invalid. */
export function readDayText(text: string, precision: Precision, clock = clockOfBrowser()): string | null {
  const parsed =
    precision === 'minute'
      ? parseMoment(text, clock)
      : parseDate(precision === 'month' ? firstDayOf(text.trim()) : text, clock);
  return parsed.ok ? String(parsed.value).slice(0, LENGTH[precision]) : null;
}

/** Converts `11/2026`, `2026-11` or `nov 26` to a text of the first day of that month. */
function firstDayOf(month: string): string {
  if (/^\d{4}\D\d{1,2}$/.test(month)) return `${month.slice(0, 4)}-${month.slice(5)}-1`;
  return /^\d+\D/.test(month) ? `1/${month}` : `1 ${month}`;
}

const WHOLE: Record<Precision, RegExp> = {
  month: /^(\d{1,2}\D\d{4}|[a-z]{3,}\W+\d{4}|\d{4}-\d\d)$/i,
  day: /^(\d{1,2}\D\d{1,2}\D\d{4}|\d{4}-\d\d-\d\d)$/,
  minute: /\d{4}\D.*\d:\d\d\s*([ap]m)?$/i,
};

/** Whether further typing cannot change the meaning of the text: its year has four digits. */
export const isWholeDay = (text: string, precision: Precision): boolean => WHOLE[precision].test(text.trim());
