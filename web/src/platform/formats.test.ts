import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatBusinessDate,
  formatDateTime,
  formatMoney,
  formatMonth,
  formatPlural,
  formatSize,
} from './formats.ts';

test('money is AUD with 2 decimals', () => {
  expect(formatMoney(1234.5)).toBe('$1,234.50');
  expect(formatMoney(-0.1)).toBe('-$0.10');
});

test('business dates and months are the same days in every time zone', () => {
  expect(formatBusinessDate('2026-11-01')).toBe('01/11/2026');
  expect(formatMonth('2026-01')).toBe('January 2026');
});

test('days, times and months match en-AU, at any time', () => {
  const inFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-AU', options);
  const day = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
  const dateTime = inFormat({ ...day, hour: 'numeric', minute: '2-digit' });
  const date = inFormat({ ...day, timeZone: 'UTC' });
  const month = inFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });
  const from = { min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(from), (instant) => {
      const text = instant.toISOString();
      // Browsers differ in the space before am and pm.
      expect(formatDateTime(text)).toBe(dateTime.format(instant).replace('\u202f', ' '));
      expect(formatBusinessDate(text.slice(0, 10))).toBe(date.format(instant));
      expect(formatMonth(text.slice(0, 7))).toBe(month.format(instant));
    }),
  );
});

test('an instant is formatted in a zone, across its clock changes too', () => {
  expect(formatDateTime('2026-11-23T04:05:00.000Z', 'Australia/Sydney')).toBe('23/11/2026, 3:05 pm');
  expect(formatDateTime('2026-11-23T04:05:00.000Z', 'Australia/Perth')).toBe('23/11/2026, 12:05 pm');
  expect(formatDateTime('2026-07-31T14:00:00.000Z', 'Australia/Sydney')).toBe('01/08/2026, 12:00 am');
});

test('a count is formatted in the singular or the plural', () => {
  expect(formatPlural(1, 'contact')).toBe('1 contact');
  expect(formatPlural(1200, 'contact')).toBe('1,200 contacts');
});

test.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1,023 Bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1023.9 * 1024, '1,023.9 KB'],
  [1024 ** 2 - 1, '1 MB'],
  [1024 ** 2, '1 MB'],
  [1024 ** 3 - 1, '1 GB'],
  [2.25 * 1024 ** 3, '2.3 GB'],
  [1024 ** 4, '1,024 GB'],
])('%d bytes are formatted as %s', (bytes, size) => {
  expect(formatSize(bytes)).toBe(size);
});
