/** How things are shown: en-AU, AUD with 2 decimals (spec section 9). Formatters are made once; each costs 50 µs. */
const LOCALE = 'en-AU';

const money = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'AUD' });
const count = new Intl.NumberFormat(LOCALE);
const businessDate = new Intl.DateTimeFormat(LOCALE, {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
});
const dateTime = new Intl.DateTimeFormat(LOCALE, {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const month = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthName = new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone: 'UTC' });
const shortMonth = new Intl.DateTimeFormat(LOCALE, { month: 'short', timeZone: 'UTC' });

/** `$1,234.50`. */
export const formatMoney = (dollars: number): string => money.format(dollars);

/** `1,234`. */
export const formatCount = (number: number): string => count.format(number);

/** `4.25%`. */
export const formatPercent = (percent: number): string => `${count.format(percent)}%`;

/** An instant on the viewer's clock: `20/11/2026, 3:04 pm`. */
export const formatDateTime = (instant: string): string => dateTime.format(new Date(instant));

/** A business date `2026-11-20`, which has no time zone: `20/11/2026`. */
export const formatBusinessDate = (day: string): string => businessDate.format(new Date(`${day}T00:00:00Z`));

/** A business month `2026-11`: `November 2026`. */
export const formatMonth = (yearMonth: string): string => month.format(new Date(`${yearMonth}-01T00:00:00Z`));

/** The same without its year: `November`. */
export const formatMonthName = (yearMonth: string): string =>
  monthName.format(new Date(`${yearMonth}-01T00:00:00Z`));

/** As narrow as it gets: `Nov`. */
export const formatShortMonth = (yearMonth: string): string =>
  shortMonth.format(new Date(`${yearMonth}-01T00:00:00Z`));

/** `1 contact`, `3 contacts`. */
export const formatPlural = (number: number, one: string, many = `${one}s`): string =>
  `${formatCount(number)} ${number === 1 ? one : many}`;

const SIZES = ['Bytes', 'KB', 'MB', 'GB'] as const;

/** Bytes in the largest unit that leaves a number of 1 or more, base 1024 (spec section 9): `1.5 MB`. */
export function formatSize(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${count.format(Math.round((bytes / 1024 ** unit) * 10) / 10)} ${SIZES[unit]}`;
}
