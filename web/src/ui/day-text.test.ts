import { expect, test } from 'vitest';
import { dayText, isWholeDay, readDayText } from './day-text.ts';

const clock = { now: new Date('2026-11-20T10:00:00Z'), timeZone: 'UTC' };

test.each([
  ['20/11/2026', 'day', '2026-11-20'],
  ['5/3', 'day', '2027-03-05'],
  ['5 March 2026', 'day', '2026-03-05'],
  ['2026-11-20', 'day', '2026-11-20'],
  ['31/2/2026', 'day', null],
  ['soon', 'day', null],
  ['20/11/2026, 9:30 am', 'minute', '2026-11-20T09:30'],
  ['2026-11-20T21:05', 'minute', '2026-11-20T21:05'],
  ['tomorrow 2pm', 'minute', '2026-11-21T14:00'],
  ['next friday', 'day', '2026-11-27'],
  ['November 2026', 'month', '2026-11'],
  ['nov 26', 'month', '2026-11'],
  ['jan', 'month', '2027-01'],
  ['3/2026', 'month', '2026-03'],
  ['03.26', 'month', '2026-03'],
  ['2026-03', 'month', '2026-03'],
  ['13/2026', 'month', null],
  ['20/11/2026', 'month', null],
] as const)('a field of a day reads %s as a day, the day before the month', (text, precision, value) => {
  expect(readDayText(text, precision, clock)).toBe(value);
});

test.each([
  ['2026-11-20', 'day', '20/11/2026'],
  ['2026-11-20T21:05', 'minute', '20/11/2026, 9:05 pm'],
  ['', 'day', ''],
  ['soon', 'day', 'soon'],
  ['2026-11', 'month', 'Nov 2026'],
  ['2026-09', 'month', 'Sept 2026'],
] as const)('a field of a day shows %s in Australian order, in every browser', (value, precision, text) => {
  expect(dayText(value, precision)).toBe(text);
  if (text !== '' && text !== 'soon') expect(readDayText(text, precision, clock)).toBe(value);
});

test('a field of a day does not treat a partial day as complete', () => {
  expect(['1', '1/1', '1/11', '1/11/20', '1/11/2026'].filter((text) => isWholeDay(text, 'day'))).toEqual([
    '1/11/2026',
  ]);
  expect(
    ['nov', 'Nov 20', 'Nov 2026', '11/20', '11/2026', '2026-1'].filter((text) => isWholeDay(text, 'month')),
  ).toEqual(['Nov 2026', '11/2026']);
  expect(isWholeDay('20/11/2026, 9', 'minute')).toBe(false);
  expect(isWholeDay('20/11/2026, 9:30', 'minute')).toBe(true);
});
