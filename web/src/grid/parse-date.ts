import { instantOf, zonedTime } from '../platform/time-zone.ts';
import type { Parsed } from './columns.ts';

/** The current time in the company's time zone, to which relative dates refer. */
export interface Clock {
  readonly now: Date;
  readonly timeZone: string;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** Hour, minute, am or pm. A single number is not a time, as in '5 mar 26'. */
const TIME_AT_END = /(?:^|[\s,]|(?<=\d)t)(\d{1,2})(?:[:.](\d\d))?(?::\d\d(?:\.\d+)?)?\s*([ap])?\.?\s?m?\.?$/;
/** Spreadsheets export a day as its first instant. */
const MIDNIGHT = /[\st](?:0?0:00(?::00(?:\.0+)?)?|12:00(?::00)?\s?a\.?m\.?)$/;
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
/** Direction marks, which copied text can contain. */
const UNSEEN = /\p{Cf}/gu;
const SKIPPED = 'The clocks go forward then and skip this time';
const DAY_IN_MS = 86_400_000;

/**
 * Parses Australian dates as users type them: 5/3/2026, 5/3/26, 5-3-26, 5.3.26, 05032026, 5 mar 26, 5 March, mar 5, 5/3,
 * 2026-03-05, and days relative to today: tomorrow, fri, next friday, last monday, in 3 days, 2 weeks ago. The day is
 * before the month. Two-digit years are of this century; without a year, the year that is closest to today is used. A
 * correct weekday may precede the date, and midnight may follow it.
 */
export function parseDate(text: string, clock: Clock): Parsed {
  const date = readDate(plain(text).replace(MIDNIGHT, ''), clock);
  return date ? { ok: true, value: date } : { ok: false, message: 'Please enter a valid date' };
}

/**
 * Parses a date followed by a time (5/3 2pm, 5 mar 14:30, tomorrow 9.15 am), an ISO 8601 instant, or a time relative to
 * now (in 20 minutes). A time alone is today's; a date alone is at 9:00. A time that a clock change skips is refused.
 */
export function parseMoment(text: string, clock: Clock): Parsed {
  const lower = plain(text);
  if (/^\d{4}-\d\d-\d\dt.*(z|[+-]\d\d:?\d\d)$/.test(lower)) {
    const instant = Date.parse(text);
    if (!Number.isNaN(instant)) return { ok: true, value: new Date(instant).toISOString() };
  }
  const [, count, unit = ''] = /^in (an?|\d{1,3}) ?(min|minute|h|hr|hour)s?$/.exec(lower) ?? [];
  if (count !== undefined) {
    const minutes = numberOf(count) * (unit.startsWith('h') ? 60 : 1);
    const instant = new Date(clock.now.getTime() + minutes * 60_000);
    return { ok: true, value: `${instant.toISOString().slice(0, 16)}:00.000Z` };
  }
  const typed = TIME_AT_END.exec(lower);
  const timed = typed?.[2] !== undefined || typed?.[3] !== undefined;
  const time = timed ? readTime(typed?.[1], typed?.[2], typed?.[3]) : '09:00';
  const day = timed ? lower.slice(0, typed?.index).replace(/[\s,]+at$/, '') || 'today' : lower;
  const date = readDate(day.trim(), clock);
  if (!date || !time) return { ok: false, message: 'Please enter a valid date and time' };
  const instant = instantOf(`${date}T${time}:00`, clock.timeZone);
  return instant ? { ok: true, value: instant.toISOString() } : { ok: false, message: SKIPPED };
}

const plain = (text: string): string =>
  text.replaceAll(UNSEEN, '').trim().toLowerCase().replaceAll(/\s+/g, ' ');

function readTime(hour = '', minute = '00', half = ''): string | null {
  let hours = Number(hour);
  if (half && (hours < 1 || hours > 12)) return null;
  if (half) hours = (hours % 12) + (half === 'p' ? 12 : 0);
  return hours < 24 && Number(minute) < 60 ? `${String(hours).padStart(2, '0')}:${minute}` : null;
}

function readDate(text: string, clock: Clock): string | null {
  const [, name = '', rest = ''] = /^([a-z]{3,})[.,]?\s+(.*)$/.exec(text) ?? [];
  const weekday = WEEKDAYS.findIndex((each) => each.startsWith(name));
  if (name === '' || weekday < 0) return readDay(text, clock);
  const day = readDay(rest, clock);
  return day !== null && new Date(day).getUTCDay() === weekday ? day : null;
}

function readDay(text: string, clock: Clock): string | null {
  const today = zonedTime(clock.now, clock.timeZone).slice(0, 10);
  const relative = readRelative(text, today);
  if (relative !== null) return relative;

  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (iso) return validDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const run = /^(\d\d)(\d\d)(\d{4})$/.exec(text);
  if (run) return validDay(Number(run[3]), Number(run[2]), Number(run[1]));

  const [first, second, third, ...rest] = text.split(/[\s/.,-]+/).filter(Boolean);
  if (!first || !second || rest.length > 0 || (third && !/^(\d\d|\d{4})$/.test(third))) return null;
  const [day, month] = monthNumber(first)
    ? [second, monthNumber(first)]
    : [first, monthNumber(second) ?? second];
  if (!/^\d{1,2}(st|nd|rd|th)?$/.test(day) || !/^\d{1,2}$/.test(String(month))) return null;
  const [days, months] = [Number.parseInt(day, 10), Number(month)];
  if (third) return validDay(Number(third) + (third.length === 2 ? 2000 : 0), months, days);
  return closestDay(months, days, today);
}

/** Days from today by word. */
const DISTANCES: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1, tmrw: 1 };
const STEPS: Readonly<Record<string, number>> = { last: -1, next: 1 };

const numberOf = (count: string): number => (count.startsWith('a') ? 1 : Number(count));

function readRelative(text: string, today: string): string | null {
  const after = (days: number): string => isoDay(Date.parse(today) + days * DAY_IN_MS);
  const distance = DISTANCES[text];
  if (distance !== undefined) return after(distance);

  const [, which = '', word = ''] = /^(?:on )?(?:(this|next|last) )?([a-z]{3,})$/.exec(text) ?? [];
  const weekday = word === '' ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(word));
  if (weekday >= 0) return after(daysUntil(weekday, which, new Date(today).getUTCDay()));

  const [, count, unit = word, ago] =
    /^(?:in )?(an?|\d{1,3}) (day|week|fortnight|month)s?( ago)?$/.exec(text) ?? [];
  // '3 days' without `in` or `ago` is a duration, not a date.
  if (count !== undefined && text.startsWith('in ') === (ago !== undefined)) return null;
  const step = count === undefined ? STEPS[which] : numberOf(count) * (ago ? -1 : 1);
  if (step === undefined) return null;
  const days = { day: 1, week: 7, fortnight: 14 }[unit];
  if (days !== undefined) return after(step * days);
  return unit === 'month' ? inMonths(today, step) : null;
}

/** A weekday alone is the next one after today; with `next` it is in the next week, which begins on Monday. */
function daysUntil(weekday: number, which: string, current: number): number {
  const ahead = (weekday - current + 7) % 7;
  if (which === 'this') return ahead;
  if (which === 'last') return ahead - 7;
  return which === 'next' ? 7 - ((current + 6) % 7) + ((weekday + 6) % 7) : ahead || 7;
}

/** Returns the same day of another month, or the last day of a shorter month. */
function inMonths(today: string, months: number): string {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)));
}

/** For example 1 for 'jan', 'janu', 'january'; undefined for other texts. */
function monthNumber(text: string): number | undefined {
  const index = MONTHS.findIndex((month) => month.startsWith(text));
  return text.length < 3 || index < 0 ? undefined : index + 1;
}

function closestDay(month: number, day: number, today: string): string | null {
  const year = Number(today.slice(0, 4));
  const candidates = [year - 1, year, year + 1]
    .map((each) => validDay(each, month, day))
    .filter((each) => each !== null);
  const distance = (date: string) => Math.abs(Date.parse(date) - Date.parse(today));
  return candidates.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Returns null for invalid days, such as 31 February, and for years outside 1900 to 2199. */
function validDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && year >= 1900 && year < 2200 ? isoDay(date.getTime()) : null;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
