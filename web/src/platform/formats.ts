import { createLazyValue } from './lazy-value.ts';
import { formatCount, formatMoney } from './numbers.ts';
import { zonedTime } from './time-zone.ts';

export { formatCount, formatMoney };

const shortMonth = createLazyValue(
  () => new Intl.DateTimeFormat('en-AU', { month: 'short', timeZone: 'UTC' }),
);

// Formats of en-AU without `Intl` (see `numbers.ts`): every page needs some before its rows (docs/product/screens.md,
// Formats).

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Formats 4.25 as `4.25%`. */
export const formatPercent = (percent: number): string => `${formatCount(percent)}%`;

/** Formats an instant as `20/11/2026, 3:04 pm`, in the browser's zone or in `timeZone`. */
export function formatDateTime(instant: string, timeZone = ''): string {
  const local = zonedTime(new Date(instant), timeZone);
  const hour = Number(local.slice(11, 13));
  return `${formatBusinessDate(local)}, ${hour % 12 || 12}:${local.slice(14, 16)} ${hour < 12 ? 'am' : 'pm'}`;
}

/** Formats `2026-11-20`, which has no time zone, as `20/11/2026`. */
export const formatBusinessDate = (day: string): string =>
  `${day.slice(8, 10)}/${day.slice(5, 7)}/${day.slice(0, 4)}`;

/** Formats `2026-11` as `November 2026`. */
export const formatMonth = (yearMonth: string): string =>
  `${formatMonthName(yearMonth)} ${yearMonth.slice(0, 4)}`;

/** Formats `2026-11` as `November`. */
export const formatMonthName = (yearMonth: string): string => MONTHS[Number(yearMonth.slice(5)) - 1] ?? '';

/** Formats `2026-11` as `Nov`. */
export const formatShortMonth = (yearMonth: string): string =>
  shortMonth().format(new Date(`${yearMonth}-01T00:00:00Z`));

/** For example `1 contact` or `3 contacts`. */
export const formatPlural = (number: number, one: string, many = `${one}s`): string =>
  `${formatCount(number)} ${number === 1 ? one : many}`;

const SIZES = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** Formats bytes as `1.5 MB`, base 1024, in the largest possible unit (docs/product/screens.md, Formats). */
export function formatSize(bytes: number): string {
  let unit = 0;
  let size = bytes;
  // Compares the rounded number: one byte less than 1 MB is 1 MB, not 1,024 KB.
  while (Math.round(size * 10) >= 10_240 && unit < SIZES.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${formatCount(Math.round(size * 10) / 10)} ${SIZES[unit]}`;
}
