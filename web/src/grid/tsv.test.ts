import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTsv, parseTsv } from './tsv.ts';

const cell = fc.string({
  unit: fc.constantFrom('a', 'é', '1', ' ', '"', '\t', '\n', '\r\n', ',', '=', '車'),
  maxLength: 6,
});
const table = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }));

test('every table parses back to itself', () => {
  fc.assert(
    fc.property(table, (rows) => {
      expect(parseTsv(formatTsv(rows))).toEqual(rows);
    }),
  );
});

test('every text parses to a table with every character outside quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r') }), (text) => {
      const letters = (part: string) => part.replaceAll(/[^a]/g, '').length;
      expect(letters(parseTsv(text).flat().join(''))).toBe(letters(text));
    }),
  );
});

test.each([
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a\nb', [['a'], ['b']]],
  ['"two\nlines"\tb', [['two\nlines', 'b']]],
  ['"say ""hi"""', [['say "hi"']]],
  ['6" pipe\t"big', [['6" pipe', '"big']]],
  ['"a" b\tc', [['"a" b', 'c']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['\t\n', [['', '']]],
  ['', [['']]],
])('the table %j is read as %j', (text, rows) => expect(parseTsv(text)).toEqual(rows));

test('a quoted cell of a hundred thousand characters is parsed', () => {
  const long = 'x"\n'.repeat(40_000);
  expect(parseTsv(formatTsv([[long]]))).toEqual([[long]]);
});
