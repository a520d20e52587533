import { customFieldTypes, MAX_CUSTOM_NUMBER } from '@forecourt/contract/custom-field-types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkedValue } from './custom-values.ts';

const PERSON = '01930000-0000-7000-8000-0000000000aa';
const options = [
  { id: 'o2', name: 'Petrol', active: true },
  { id: 'o1', name: 'Diesel', active: true },
  { id: 'o3', name: 'Steam', active: false },
];
type Type = (typeof customFieldTypes)[number];
const check = (type: Type, value: unknown, kept?: string | string[]) =>
  checkedValue({ type, options }, value, (id) => id === PERSON, kept);

describe('a value', () => {
  test.each<[Type, unknown, unknown]>([
    ['text', '  Zoe\u0308 ', 'Zo\u00eb'],
    ['text', 'x'.repeat(200), 'x'.repeat(200)],
    ['longText', ' a\r\nb \n', ' a\nb'],
    ['number', -1234.5678, -1234.5678],
    ['number', MAX_CUSTOM_NUMBER, MAX_CUSTOM_NUMBER],
    ['number', -0, 0],
    ['percent', 12.5, 12.5],
    ['currency', 0, 0],
    ['currency', 19.99, 19.99],
    ['date', '2026-11-20', '2026-11-20'],
    ['checkbox', true, true],
    ['select', 'o1', 'o1'],
    ['multiSelect', ['o1', 'o2', 'o1'], ['o2', 'o1']],
    ['person', PERSON, PERSON],
    ['link', 'HTTPS://example.com/a?b#c', 'HTTPS://example.com/a?b#c'],
    ['link', ' example.com/a ', 'https://example.com/a'],
    ['link', 'http://intranet/', 'http://intranet/'],
    ['link', 'localhost:8080', 'https://localhost:8080'],
  ])('a custom value of a %s: %j is stored as %j', (type, given, stored) => {
    expect(check(type, given)).toEqual({ value: stored });
  });

  test.each<[Type, unknown, RegExp]>([
    ['text', 'x'.repeat(201), /^Must be at most 200 characters$/],
    ['text', 'a\nb', /^Must be one line of plain text$/],
    ['text', 7, /^Must be text$/],
    ['longText', 'x'.repeat(5001), /^Must be at most 5000 characters$/],
    ['longText', 'a\u0000', /^Must be plain text$/],
    ['number', '7', /^Must be a number$/],
    ['number', Number.NaN, /^Must be a number$/],
    ['number', 0.00001, /^Must have at most 4 decimals$/],
    ['number', -MAX_CUSTOM_NUMBER - 1, /^Must be a number from -999,999,999,999 to 999,999,999,999$/],
    ['percent', 1.23456, /^Must have at most 4 decimals$/],
    ['currency', '7', /^Please enter a valid number$/],
    ['currency', -1, /^Please enter a valid number$/],
    ['currency', 1.005, /^Please enter a valid number$/],
    ['date', '2026-02-30', /^Must be a date such as 2026-11-20$/],
    ['date', '1899-12-31', /^Must be a year from 1900 to 2100$/],
    ['date', 20261120, /./],
    ['checkbox', 'true', /^Must be true or false$/],
    ['select', 'Petrol', /^Choose one of the options$/],
    ['select', 'o3', /^Choose one of the options$/],
    ['select', ['o1'], /^Choose one of the options$/],
    ['multiSelect', 'o1', /^Choose among the options$/],
    ['multiSelect', ['o1', 'o3'], /^Choose among the options$/],
    ['person', 'Ada', /^Choose one of the people$/],
    ['link', '//evil.example', /^Must be a web address such as https:\/\/example\.com$/],
    ['link', 'javascript:alert(1)', /^Must be a web address such as https:\/\/example\.com$/],
    ['link', 'java\tscript:alert(1)', /web address/],
    ['link', 'mailto:a@example.com', /web address/],
    ['link', 'data:text/html,x', /web address/],
    ['link', 'https://', /web address/],
    ['link', 'call back', /web address/],
    ['link', 'tomorrow', /web address/],
    ['link', `example.com/${'x'.repeat(1985)}`, /^Must be at most 2000 characters$/],
  ])('a custom value of a %s: %j is refused', (type, given, message) => {
    expect(check(type, given)).toEqual({ message: expect.stringMatching(message) });
  });

  test.each(customFieldTypes)(
    'a custom value of a %s: null, an empty text or list, and false are none',
    (type) => {
      for (const none of [null, undefined, '', [], false]) expect(check(type, none)).toEqual({ value: null });
    },
  );

  test('a custom value of spaces only is none', () => {
    expect(check('text', '  ')).toEqual({ value: null });
    expect(check('longText', ' \n ')).toEqual({ value: null });
    expect(check('link', '  ')).toEqual({ value: null });
  });

  test('a custom value that a row has already may be an inactive option or a person who left', () => {
    expect(check('select', 'o3', 'o3')).toEqual({ value: 'o3' });
    expect(check('multiSelect', ['o3', 'o1'], ['o3'])).toEqual({ value: ['o1', 'o3'] });
    expect(check('multiSelect', ['o3'], ['o1'])).toHaveProperty('message');
    expect(check('person', 'gone', 'gone')).toEqual({ value: 'gone' });
    expect(check('person', 'gone', PERSON)).toHaveProperty('message');
  });

  test('a custom value of any kind is stored or refused, and a stored one is stored again unchanged', () => {
    const given = fc.oneof(
      fc.anything(),
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.domain(),
      fc.double({ noNaN: true }),
      fc.subarray(['o1', 'o2', 'o3']),
    );
    fc.assert(
      fc.property(fc.constantFrom(...customFieldTypes), given, (type, value) => {
        const first = check(type, value);
        if ('message' in first) expect(first.message).not.toBe('');
        else expect(check(type, first.value)).toEqual(first);
        if (type === 'link' && 'value' in first && first.value !== null) {
          expect(new URL(first.value as string).protocol).toMatch(/^https?:$/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
