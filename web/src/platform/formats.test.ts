import { expect, test } from 'vitest';
import { formatBusinessDate, formatMoney, formatMonth, formatPlural } from './formats.ts';

test('money is AUD with 2 decimals', () => {
  expect(formatMoney(1234.5)).toBe('$1,234.50');
  expect(formatMoney(-0.1)).toBe('-$0.10');
});

test('business dates and months are the same days in every time zone', () => {
  expect(formatBusinessDate('2026-11-01')).toBe('01/11/2026');
  expect(formatMonth('2026-01')).toBe('January 2026');
});

test('one thing and several things', () => {
  expect(formatPlural(1, 'contact')).toBe('1 contact');
  expect(formatPlural(1200, 'contact')).toBe('1,200 contacts');
});
