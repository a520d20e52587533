import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editText } from './format.ts';
import { parseNumber, parsePhone, parseText } from './parse.ts';

const clock = { now: new Date('2026-11-20T03:00:30Z'), timeZone: 'Australia/Sydney' };

test.each([
  ['0', 0],
  ['12', 12],
  ['.5', 0.5],
  ['1,234.50', 1234.5],
  ['$1 234', 1234],
  ['A$ 99.90', 99.9],
  ['AUD 12', 12],
  ['12 aud', 12],
  ['0012.30', 12.3],
])('a text is parsed as a number: %s', (text, value) => {
  expect(parseNumber(text)).toEqual({ ok: true, value });
});

test.each([
  '-1',
  '1.234',
  '1,23',
  '12,3456',
  '1e5',
  '0x10',
  '.',
  '$',
  'twelve',
  '12a',
  '1.2.3',
  '99999999999',
])('a text is refused as a number: %s', (text) => {
  expect(parseNumber(text)).toEqual({ ok: false, message: 'Please enter a valid number' });
});

test.each([
  '0412345678',
  '0412 345 678',
  '(0412) 345 678',
  '0412-345-678',
  '+61 412 345 678',
  '+61 (0)412 345 678',
  '0061412345678',
  '61412345678',
  '412345678',
  'Mob: 0412 345 678',
  'mobile 0412 345 678',
  'Ph. (0412) 345 678',
  '0412\u2011345\u2011678',
  '0412\u2212345\u2212678',
  '\u202a0412 345 678\u202c',
  '\u200eM: +61 412 345 678',
])('a text is parsed as a phone number: %s', (text) => {
  expect(parsePhone(text)).toEqual({ ok: true, value: '(0412) 345 678' });
});

test.each([
  '0412 345 67',
  '04123456789',
  '0412 345 67x',
  '+64 21 123 456',
  'none',
  '112345678',
  'Mob:',
  'Bob 0412 345 678',
])('a text is refused as a phone number: %s', (text) => {
  expect(parsePhone(text)).toEqual({ ok: false, message: 'Phone number must be in format (xxxx) xxx xxx' });
});

test('ten digits become the stored form, which is unchanged by parsing', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^0[1-9]\d{8}$/), (digits) => {
      const value = `(${digits.slice(0, 4)}) ${digits.slice(4, 7)} ${digits.slice(7)}`;
      expect(parsePhone(digits)).toEqual({ ok: true, value });
      expect(parsePhone(value)).toEqual({ ok: true, value });
    }),
  );
});

test.each([
  ['5/3/2026', '2026-03-05'],
  ['5/3/26', '2026-03-05'],
  ['05-03-26', '2026-03-05'],
  ['5.3.2026', '2026-03-05'],
  ['05032026', '2026-03-05'],
  ['5 mar 26', '2026-03-05'],
  ['5th March 2026', '2026-03-05'],
  ['Mar 5, 2026', '2026-03-05'],
  ['2026-03-05', '2026-03-05'],
  ['Thursday, 5 March 2026', '2026-03-05'],
  ['Thu 5 Mar 2026', '2026-03-05'],
  ['thurs. 5/3/26', '2026-03-05'],
  ['5/03/2026 12:00:00 AM', '2026-03-05'],
  ['5/03/2026 12:00:00\u202fam', '2026-03-05'],
  ['2026-03-05 00:00:00', '2026-03-05'],
  ['2026-03-05T00:00:00.000', '2026-03-05'],
  ['\u200e5/\u200e3/\u200e2026', '2026-03-05'],
  ['29/2/2024', '2024-02-29'],
  ['20/11', '2026-11-20'],
  ['5 jan', '2027-01-05'],
  ['30/6', '2026-06-30'],
  ['today', '2026-11-20'],
  ['Tomorrow', '2026-11-21'],
  ['yesterday', '2026-11-19'],
  // Today is a Friday.
  ['fri', '2026-11-27'],
  ['this Friday', '2026-11-20'],
  ['next Friday', '2026-11-27'],
  ['last friday', '2026-11-13'],
  ['sun', '2026-11-22'],
  ['on Thursday', '2026-11-26'],
  ['this sunday', '2026-11-22'],
  ['next  sunday', '2026-11-29'],
  ['next mon', '2026-11-23'],
  ['last monday', '2026-11-16'],
  ['in 3 days', '2026-11-23'],
  ['in a week', '2026-11-27'],
  ['In 2 weeks', '2026-12-04'],
  ['in a fortnight', '2026-12-04'],
  ['in 3 months', '2027-02-20'],
  ['3 days ago', '2026-11-17'],
  ['a month ago', '2026-10-20'],
  ['next week', '2026-11-27'],
  ['last month', '2026-10-20'],
  ['next month', '2026-12-20'],
])('a text is parsed as a date: %s', (text, value) => {
  expect(parseText({ type: 'date' }, text, clock)).toEqual({ ok: true, value });
});

test.each([
  '31/2/2026',
  '29/2/2026',
  '0/1/2026',
  '13/13/2026',
  '5',
  'soon',
  '5/3/26/1',
  '5/3/126',
  '1/2/3456',
  'Friday, 5 March 2026',
  'next',
  'on friday, 5 march',
  '3 days',
  'in 3 days ago',
  'in 3 fridays',
  'next 3 days',
  'this week',
  'last year',
  '5/3/2026 14:30',
  '5/3/2026 12:00 pm',
])('a text is refused as a date: %s', (text) => {
  expect(parseText({ type: 'date' }, text, clock)).toEqual({
    ok: false,
    message: 'Please enter a valid date',
  });
});

test.each([
  ['5/3/26 2.30pm', '2026-03-05T03:30:00.000Z'],
  ['5/3/26 2.30 p.m.', '2026-03-05T03:30:00.000Z'],
  ['5/3/26 2 p.m.', '2026-03-05T03:00:00.000Z'],
  ['Thursday, 5 March 2026 at 2:30 PM', '2026-03-05T03:30:00.000Z'],
  ['5/3/2026 14:30', '2026-03-05T03:30:00.000Z'],
  ['5 mar 26 at 2pm', '2026-03-05T03:00:00.000Z'],
  ['5/3/2026, 12:05 am', '2026-03-04T13:05:00.000Z'],
  ['2026-03-05T14:30', '2026-03-05T03:30:00.000Z'],
  ['2026-07-05T04:30:00Z', '2026-07-05T04:30:00.000Z'],
  ['9:15', '2026-11-19T22:15:00.000Z'],
  ['tomorrow 9am', '2026-11-20T22:00:00.000Z'],
  ['next friday at 2pm', '2026-11-27T03:00:00.000Z'],
  ['fri 10:30', '2026-11-26T23:30:00.000Z'],
  ['in 3 days 9am', '2026-11-22T22:00:00.000Z'],
  ['in 2 weeks', '2026-12-03T22:00:00.000Z'],
  ['in 20 minutes', '2026-11-20T03:20:00.000Z'],
  ['in an hour', '2026-11-20T04:00:00.000Z'],
  ['in 2 hrs', '2026-11-20T05:00:00.000Z'],
  ['5 jul 26', '2026-07-04T23:00:00.000Z'],
])('a text is parsed as a date and time: %s', (text, value) => {
  expect(parseText({ type: 'datetime' }, text, clock)).toEqual({ ok: true, value });
});

test('a month ahead is its last day where it has fewer days', () => {
  const late = { ...clock, now: new Date('2027-01-31T01:00:00Z') };
  expect(parseText({ type: 'date' }, 'in a month', late)).toEqual({ ok: true, value: '2027-02-28' });
});

test.each(['25:00', '5/3/26 13pm', '31/2/26 9:00', 'noon'])(
  'a text is refused as a date and time: %s',
  (text) => {
    const message = 'Please enter a valid date and time';
    expect(parseText({ type: 'datetime' }, text, clock)).toEqual({ ok: false, message });
  },
);

test.each(['4/10/2026 2:30am', '2026-10-04T02:00'])('the clocks skip %s, which is refused', (text) => {
  const message = 'The clocks go forward then and skip this time';
  expect(parseText({ type: 'datetime' }, text, clock)).toEqual({ ok: false, message });
});

test('the edit text parses back to the same value', () => {
  const dates = fc.date({
    min: new Date('1990-01-01'),
    max: new Date('2100-01-01'),
    noInvalidDate: true,
  });
  const cents = fc.integer({ min: 0, max: 999_999_999_999 });
  const reads = (type: 'date' | 'datetime' | 'currency', value: string | number) => {
    expect(parseText({ type }, editText({ type }, value, clock.timeZone), clock)).toEqual({
      ok: true,
      value,
    });
  };
  fc.assert(fc.property(dates, (date) => reads('date', date.toISOString().slice(0, 10))));
  fc.assert(fc.property(cents, (amount) => reads('currency', amount / 100)));
  // The hour repeated at the end of daylight saving has one text for two instants.
  const minutes = dates.map((date) => `${date.toISOString().slice(0, 16)}:00.000Z`);
  const textAt = (value: string, hours: number) => {
    const instant = new Date(Date.parse(value) + hours * 3_600_000).toISOString();
    return editText({ type: 'datetime' }, instant, clock.timeZone);
  };
  const unambiguous = minutes.filter(
    (value) => ![-1, 1].some((hours) => textAt(value, hours) === textAt(value, 0)),
  );
  fc.assert(fc.property(unambiguous, (value) => reads('datetime', value)));
});

test('an option is matched by its label, or by an unambiguous prefix', () => {
  const options = ['Deal', 'Deal Not Entered', 'Called'].map((label) => ({
    value: label.toUpperCase(),
    label,
  }));
  const parsed = (text: string) => parseText({ type: 'select', options }, text, clock);
  expect(parsed('deal')).toEqual({ ok: true, value: 'DEAL' });
  expect(parsed('c')).toEqual({ ok: true, value: 'CALLED' });
  expect(parsed('de')).toEqual({ ok: false, message: 'Please choose from the list' });
});

test('empty text is null, line breaks are removed from single lines and remain in notes', () => {
  expect(parseText({ type: 'currency' }, '  ', clock)).toEqual({ ok: true, value: null });
  expect(parseText({ type: 'text' }, ' a\r\n b ', clock)).toEqual({ ok: true, value: 'a b' });
  expect(parseText({ type: 'multiline' }, 'a\r\nb\n', clock)).toEqual({ ok: true, value: 'a\nb' });
  expect(parseText({ type: 'text', maxLength: 2 }, 'abc', clock).ok).toBe(false);
});

test('special spaces and invisible marks of web pages and spreadsheets are normalised', () => {
  const options = [{ value: 'r', label: 'Riverbend Auto' }];
  expect(parseText({ type: 'select', options }, 'Riverbend\u00A0Auto\u200B', clock)).toEqual({
    ok: true,
    value: 'r',
  });
  expect(parseText({ type: 'text' }, '\uFEFFAnn\u202FEx\u00ADample', clock)).toEqual({
    ok: true,
    value: 'Ann Example',
  });
  expect(parseText({ type: 'currency' }, '1\u00A0234', clock)).toEqual({ ok: true, value: 1234 });
});
