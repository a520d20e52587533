import { formatBusinessDate, formatDateTime } from './formats.ts';

/** Returns the start of a day (`2026-11-20`, plus `daysLater`) in the browser's zone; undefined if it is invalid. */
const startOf = (day: string, daysLater = 0): string | undefined => {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number);
  // `Date` converts an invalid day to one of the next month.
  if (new Date(year, month - 1, date).getDate() !== date) return undefined;
  return new Date(year, month - 1, date + daysLater).toISOString();
};

type Days = { fromDay?: string | undefined; toDay?: string | undefined };

/** Returns the query parameters for a range of days, both included. An invalid day is omitted. */
export function instantsOf({ fromDay = '', toDay = '' }: Days) {
  const [from, to] = [startOf(fromDay), startOf(toDay, 1)];
  return { ...(from && { from }), ...(to && { to }) };
}

/** Formats `from` or `to` of a stored filter as the chosen day. The audit log's `to` is an exclusive instant. */
export function formatFilterDay(name: 'from' | 'to', value: string): string {
  if (value.length === '2026-11-20'.length) return formatBusinessDate(value);
  const within = new Date(Date.parse(value) - (name === 'to' ? 1 : 0));
  return formatDateTime(within.toISOString()).split(',')[0]!;
}
